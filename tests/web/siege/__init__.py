"""Attacks of one rude guest, with bounds on work."""
