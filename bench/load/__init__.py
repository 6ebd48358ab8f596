"""Whole games at many tables at once, on our server and others."""
