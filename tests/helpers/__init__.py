"""Stand-ins and builders that several test packages share."""
