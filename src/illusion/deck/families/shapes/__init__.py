"""Shapes that families share: curves, bands, figures on a ground, a triangulation."""
