"""What only Windows needs: icon, version resource, installer."""
