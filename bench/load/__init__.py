"""Whole games from many tables at once, against our server and others."""
