"""Print every figure we keep."""

from bench import deck, rules, tables

rules.main()
print()
deck.main()
print()
tables.main()
