"""The coach that comes with the app: what its small trained model reads and writes, and the words around it."""
