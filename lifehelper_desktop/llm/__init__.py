"""The language model: protocols, events, the llama.cpp engine, the model store and one format per model family.

Knows nothing of habits.
"""
