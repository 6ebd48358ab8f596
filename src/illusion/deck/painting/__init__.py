"""From a mosaic to an exact picture: which piece gets which colour, and the areas made right."""
