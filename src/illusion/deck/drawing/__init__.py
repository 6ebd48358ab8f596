"""From pieces of the canvas to an exact picture: colouring, spacing, cutting, area fitting; shapes for families."""
