"""Print every figure we keep."""

from bench import deck, rules

rules.main()
print()
deck.main()
