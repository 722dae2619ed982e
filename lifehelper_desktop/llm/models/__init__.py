"""The model manager: which models are known, which are on this machine, whether they fit, and how they are fetched."""
