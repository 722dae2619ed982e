"""Item models that feed views."""
