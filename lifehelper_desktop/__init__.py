"""LifeHelper Desktop: a habit coach that runs entirely on the user's own machine."""

__version__ = "0.1.0"
