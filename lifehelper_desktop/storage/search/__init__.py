"""Search in what the user wrote, over an index in the database that is right whoever writes."""
