"""Families that cover the canvas with cells of a grid, regular or distorted."""
