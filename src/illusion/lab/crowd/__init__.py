"""Many players at once: how they look, and how the minds of the bots decide, for all lanes of a batch together."""
