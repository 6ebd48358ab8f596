"""Attacks of one rude guest, each a scenario. `make siege` measures what others feel; tests bound the server's work."""

from harness.siege import bodies, connections, costs, heads, sockets, streams, tables
from harness.siege.scenario import Scenario

SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for theme in (heads, bodies, connections, streams, sockets, tables, costs)
    for scenario in theme.SCENARIOS
}
