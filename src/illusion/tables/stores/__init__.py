"""Durable logs. A store knows table ids, sequence numbers and bytes, and nothing of the game."""
