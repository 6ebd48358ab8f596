"""Print every figure we keep."""

from bench import bot_tables, bots, deck, pages, rules, tables

rules.main()
print()
deck.main()
print()
bots.main()
bot_tables.main()
print()
tables.main()
print()
pages.main()
