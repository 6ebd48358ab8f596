"""The JSON API and its description."""
