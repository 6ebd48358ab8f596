"""What routes share: one typed object in the application's state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from illusion.languages import Language
from illusion.tables import Pace, Store, TableService
from illusion.web.http.limits import RateLimiter
from illusion.web.live.hub import Hubs
from illusion.web.ops.logs import RequestLog
from illusion.web.ops.metrics import Metrics
from illusion.web.ops.store_check import StoreCheck


@dataclass(frozen=True, slots=True)
class AppContext:
    """The parts of one application."""

    store: Store
    service: TableService
    hubs: Hubs
    pace: Pace
    rate_limiter: RateLimiter
    metrics: Metrics
    request_log: RequestLog
    store_check: StoreCheck
    languages: Mapping[str, Language]
    lan: str | None = None
    """The machine's address on its network, for phones."""
    metrics_from: Sequence[str] = ()
    """Networks that may read /metrics, besides the machine itself."""


def context(request: HTTPConnection) -> AppContext:
    found: AppContext = request.app.state.context
    return found
