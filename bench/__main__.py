"""Print every figure we keep."""

from bench import deck, pages, rules, tables

rules.main()
print()
deck.main()
print()
tables.main()
print()
pages.main()
