"""Attacks of one guest, each a scenario. `make siege` measures the effect on others; tests bound the server's work."""

from harness.siege import connections, requests, sockets, tables
from harness.siege.scenario import SCENARIOS

__all__ = ["SCENARIOS", "connections", "requests", "sockets", "tables"]
