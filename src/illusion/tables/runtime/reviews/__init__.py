"""Looking back at finished games, in a process of its own."""
