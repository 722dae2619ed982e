"""The command line `lifehelper`: a thin front end over registry, dispatcher and controller."""
