"""Temporary driver."""
import sys
from bench.load.measure import measure
from bench.load import servers
print(measure(getattr(servers, sys.argv[3]), int(sys.argv[1]), float(sys.argv[2]), paced=len(sys.argv) > 4))
