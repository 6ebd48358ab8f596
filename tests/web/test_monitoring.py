"""The dashboard and the alert rules in docs/monitoring ask for what a server tells."""

import json
import re
from pathlib import Path

import pytest
from harness.servers import Server
from prometheus_client.parser import text_string_to_metric_families

FOLDER = Path(__file__).parents[2] / "docs" / "monitoring"
ASKED = re.compile(r"\b((?:illusion|process)_\w+)(?:\{([^{}]*)\})?")
PROMETHEUS_ADDS = {"instance", "job"}


def queries(name: str) -> list[str]:
    text = (FOLDER / name).read_text("utf-8")
    if name.endswith(".json"):
        return [target["expr"] for panel in json.loads(text)["panels"] for target in panel["targets"]]
    return re.findall(r"^ +expr: (.+)$", text, re.MULTILINE)


def told(server: Server) -> dict[str, set[str]]:
    """The labels of each metric of a server at which somebody has opened a table, and somebody was refused."""
    client = server.client()
    assert client.post("/api/tables", json={"name": "Ana", "seats": 2}).status_code == 201
    assert client.get("/api/tables/nowhere2").status_code == 404
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.mark.parametrize("name", ["dashboard.json", "alerts.yml"])
def test_every_metric_and_label_that_is_asked_for_is_told(server: Server, name: str) -> None:
    known, asked = told(server), queries(name)
    assert len(asked) >= 7
    for query in asked:
        metrics = ASKED.findall(query)
        labels = set(re.findall(r"(\w+)=", "".join(chosen for _, chosen in metrics)))
        for sums in re.findall(r"by \(([^)]*)\)", query):
            labels |= set(re.split(r"[, ]+", sums))
        assert metrics or query.startswith("up{"), query
        assert {metric for metric, _ in metrics} <= known.keys(), query
        assert labels - PROMETHEUS_ADDS <= set().union(*(known[metric] for metric, _ in metrics)), query


def test_the_dashboard_shows_every_metric_of_ours(server: Server) -> None:
    shown = "".join(queries("dashboard.json"))
    ours = {re.sub("_(bucket|count|sum|created)$", "", name) for name in told(server) if name.startswith("illusion_")}
    assert len(ours) >= 8
    missing = {name for name in ours if name not in shown and f"{name}_total" not in shown}
    assert not missing
