"""Temporary driver."""

import sys
from bench.load.measure import measure
from bench.load.servers import SQLITE

print(measure(SQLITE, int(sys.argv[1]), float(sys.argv[2]), paced=len(sys.argv) > 3))
