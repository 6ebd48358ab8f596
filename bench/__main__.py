"""Print every figure we keep."""

from bench import batch, bot_tables, bots, deck, pages, review, rules
from bench.load import __main__ as load

rules.main()
batch.main([])
print()
deck.main()
print()
bots.main()
bot_tables.main()
print()
review.main()
print()
load.main(["closed", "--rounds", "1", "--only", "illusion", "echo"])
print()
pages.main()
