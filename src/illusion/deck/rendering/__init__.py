"""What a picture looks like: palettes, hatches, symbols, and cards as SVG."""
