"""The effect of one attacker on honest people: see bench/README.md."""
