"""One module per format. A module that holds a `READER` is found by itself; names with `_` hold what several share."""
