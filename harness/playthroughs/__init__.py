"""Whole games recorded as text: all requests, answers and messages. See tests/playthroughs/README.md."""
