"""Families made of bands: stripes, rings, rays, spirals and ribbons, cut into segments."""
