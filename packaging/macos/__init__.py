"""What only macOS needs: icon, Info.plist, entitlements, disk image, notarising."""
