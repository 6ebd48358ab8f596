"""Families that tile the canvas: hexagons, bricks, triangles, blocks and the like."""
