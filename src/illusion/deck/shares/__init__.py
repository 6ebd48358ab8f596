"""Which percentages the cards of a deck have. Knows nothing of pictures."""
