"""Families of figures on a ground: discs, dots, petals, fish, scales, blobs."""
