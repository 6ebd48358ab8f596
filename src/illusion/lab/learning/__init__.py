"""Learning by playing: a mind trained in batches of games, on an accelerator where there is one. Needs JAX."""
