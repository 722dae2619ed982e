"""The tools that the coach may call: definitions, results, registry, dispatcher and the confirm gate."""
