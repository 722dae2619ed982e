"""What makes the installers: every module does one step and is told what it needs; `packaging/build.py` runs them."""
