"""Metrics for whoever runs the server (Prometheus): how much happens and how long it takes, never who or where."""

import os
from collections.abc import Iterator, Sequence
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from illusion.tables.model.entries import AnyEntry
from illusion.web.http.request_info import RequestInfo

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""Where several processes of one server add up their figures, if set when each of them starts."""
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """The figures of one process, or of all that share a folder."""

    def __init__(self) -> None:
        self._registry = own = CollectorRegistry()
        if SHARED not in os.environ:
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
        # Looking up a labelled figure costs more than counting in it; there are few of them.
        self._requests, self._seconds = cache(self.requests.labels), cache(self.seconds.labels)
        self._entries = cache(lambda kind: self.entries.labels(kind.__struct_config__.tag))
        self.streams = Gauge("illusion_streams_open", "Open streams", multiprocess_mode="livesum", registry=own)

    def visited(self, visit: RequestInfo, route: str, code: str | None, seconds: float) -> None:
        self._requests(route, visit.method, visit.status).inc()
        if code is not None:
            self.refusals.labels(code).inc()
        if not visit.stream:
            self._seconds(route).observe(seconds)

    def stored(self, entries: Sequence[AnyEntry], seconds: float | None) -> None:
        """Entries became durable after so many seconds, or the store failed."""
        if seconds is None:
            self.store_failures.inc()
            return
        self.store_seconds.observe(seconds)
        for entry in entries:
            self._entries(type(entry)).inc()

    def text(self, unfinished: int) -> bytes:
        """All figures in Prometheus' own format, with the number of tables that have not ended."""
        now = CollectorRegistry()
        now.register(_Tables(unfinished))
        if SHARED not in os.environ:
            return generate_latest(self._registry) + generate_latest(now)
        shared = CollectorRegistry()
        MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
        return generate_latest(shared) + generate_latest(now)


class _Tables(Collector):
    """A figure of the store, the same for all processes: it is asked for, not added up."""

    def __init__(self, unfinished: int) -> None:
        self._unfinished = unfinished

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("illusion_tables_unfinished", "Tables that have not ended", value=self._unfinished)
