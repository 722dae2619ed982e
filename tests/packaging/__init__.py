"""The build of the installers."""
