"""Questions in SQL about the user's own data: read-only, over documented views, bounded in time and size."""
