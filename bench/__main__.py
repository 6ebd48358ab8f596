"""Print every figure we keep."""

from bench import bots, deck, pages, rules, tables

rules.main()
print()
deck.main()
print()
bots.main()
print()
tables.main()
print()
pages.main()
