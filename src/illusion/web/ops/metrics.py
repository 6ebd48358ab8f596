"""Prometheus metrics: how much happens and how long it takes, never who or where."""

import asyncio
import collections
import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from illusion import __version__
from illusion.tables import ServiceObserver
from illusion.tables.model.entries import AnyEntry
from illusion.web.http.request_info import RequestInfo

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder where several processes add up their metrics."""
SETTLE_S: Final = 0.5
"""For which durations may wait before they are in their histograms."""
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Durations(Histogram):
    """A histogram that takes many at once: one by one they were 7 % of the Python that a page's move runs."""

    def observe_all(self, seconds: Sequence[float]) -> None:
        self._sum.inc(sum(seconds))
        for bucket, count in collections.Counter(bisect_left(self._upper_bounds, each) for each in seconds).items():
            self._buckets[bucket].inc(count)


class Metrics(ServiceObserver):
    """The metrics of one process, or of all processes that share a folder."""

    def __init__(self) -> None:
        self._registry = own = CollectorRegistry()
        if SHARED not in os.environ:
            ProcessCollector(registry=own)
        self.requests = Counter("illusion_requests", "Requests answered", ["route", "method", "status"], registry=own)
        self.seconds = Durations(
            "illusion_request_seconds", "From request to answer", ["route"], buckets=BUCKETS, registry=own
        )
        self.refusals = Counter("illusion_refusals", "Requests refused, by code", ["code"], registry=own)
        self.entries = Counter(
            "illusion_entries", "What happened at tables: opened, sat-down, placed, doubted", ["entry"], registry=own
        )
        self.store_seconds = Durations(
            "illusion_store_seconds", "From an entry to its being durable", buckets=BUCKETS, registry=own
        )
        self.store_failures = Counter("illusion_store_failures", "Times that the store could not write", registry=own)
        # looking up a labelled metric costs more than counting in it
        self._requests, self._seconds = cache(self.requests.labels), cache(self.seconds.labels)
        self._entries = cache(lambda kind: self.entries.labels(kind.__struct_config__.tag))
        self._noted: dict[Durations, list[float]] = collections.defaultdict(list)
        """Durations that are not in their histograms yet."""
        self._settling: asyncio.TimerHandle | None = None
        self.streams = Gauge("illusion_streams_open", "Open streams", multiprocess_mode="livesum", registry=own)

    def count_request(self, info: RequestInfo, route: str, code: str | None, seconds: float) -> None:
        self._requests(route, info.method, info.status).inc()
        if code is not None:
            self.refusals.labels(code).inc()
        if not info.is_stream:
            self._note(self._seconds(route), seconds)

    def stored(self, entries: Sequence[AnyEntry], seconds: float | None) -> None:
        if seconds is None:
            self.store_failures.inc()
            return
        self._note(self.store_seconds, seconds)
        for entry in entries:
            self._entries(type(entry)).inc()

    def _note(self, durations: Durations, seconds: float) -> None:
        self._noted[durations].append(seconds)
        if self._settling is None:
            self._settling = asyncio.get_running_loop().call_later(SETTLE_S, self._settle)

    def _settle(self) -> None:
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None
        for durations, noted in self._noted.items():
            durations.observe_all(noted)
        self._noted.clear()

    def text(self, unfinished: int) -> bytes:
        """All metrics in Prometheus' text format, with the number of unfinished tables."""
        self._settle()
        now = CollectorRegistry()
        now.register(_Unshared(unfinished))
        if SHARED not in os.environ:
            return generate_latest(self._registry) + generate_latest(now)
        shared = CollectorRegistry()
        MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
        return generate_latest(shared) + generate_latest(now)


class _Unshared(Collector):
    """Gauges that are the same for all processes and must not be added up."""

    def __init__(self, unfinished: int) -> None:
        self._unfinished = unfinished

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("illusion_build", "The version that is running", value={"version": __version__})
        yield GaugeMetricFamily("illusion_tables_unfinished", "Tables that have not ended", value=self._unfinished)
