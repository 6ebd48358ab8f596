"""How much one client may ask for: rates, budgets, counts."""
