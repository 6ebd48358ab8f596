"""Whole games recorded as text: what everybody asked, was answered and heard. See tests/playthroughs/README.md."""
