"""Prometheus metrics: how much happens and how long it takes, never who or where."""

from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from illusion import __version__
from illusion.tables import ServiceObserver
from illusion.tables.model.entries import AnyEntry
from illusion.web.http.request_info import Outcome

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics(ServiceObserver):
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = own = CollectorRegistry()
        ProcessCollector(registry=own)
        self.requests = Counter("illusion_requests", "Requests answered", ["route", "method", "status"], registry=own)
        self.seconds = Histogram(
            "illusion_request_seconds", "From request to answer", ["route"], buckets=BUCKETS, registry=own
        )
        self.refusals = Counter("illusion_refusals", "Requests refused, by code", ["code"], registry=own)
        self.entries = Counter(
            "illusion_entries", "What happened at tables: opened, sat-down, placed, doubted", ["entry"], registry=own
        )
        self.store_seconds = Histogram(
            "illusion_store_seconds", "From an entry to its being durable", buckets=BUCKETS, registry=own
        )
        self.store_failures = Counter("illusion_store_failures", "Times that the store could not write", registry=own)
        self.streams = Gauge("illusion_streams_open", "Open streams", registry=own)

    def count_request(self, outcome: Outcome) -> None:
        self.requests.labels(outcome.route, outcome.method, outcome.status).inc()
        self.seconds.labels(outcome.route).observe(outcome.seconds)
        if outcome.code is not None:
            self.refusals.labels(outcome.code).inc()

    def stored(self, entries: Sequence[AnyEntry], seconds: float | None) -> None:
        if seconds is None:
            self.store_failures.inc()
            return
        self.store_seconds.observe(seconds)
        for entry in entries:
            self.entries.labels(entry.__struct_config__.tag).inc()

    def text(self, unfinished: int) -> bytes:
        """All metrics in Prometheus' text format, with the number of unfinished tables."""
        now = CollectorRegistry()
        now.register(_Unfinished(unfinished))
        return generate_latest(self._registry) + generate_latest(now)


class _Unfinished(Collector):
    """What several servers on one database report alike, so that it must not be added up."""

    def __init__(self, unfinished: int) -> None:
        self._unfinished = unfinished

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("illusion_build", "The version that is running", value={"version": __version__})
        yield GaugeMetricFamily("illusion_tables_unfinished", "Tables that have not ended", value=self._unfinished)
