"""Print the cost of parts."""

from bench import batch, parts
from bench.load import __main__ as load

parts.main()
batch.main([])
load.main(["closed", "--rounds", "1", "--only", "illusion"])
