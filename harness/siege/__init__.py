"""Attacks of one guest, each a scenario. `make siege` measures the effect on others; tests bound the server's work."""

from harness.siege import connections, costs, requests, sockets, tables
from harness.siege.scenario import SCENARIOS, Scenario

__all__ = ["SCENARIOS", "Scenario", "connections", "costs", "requests", "sockets", "tables"]
