"""The conversation: controller (the multi-turn loop), messages, state, prompts."""
