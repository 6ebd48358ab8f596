"""What routes share: one typed object in the application's state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from illusion.languages import Language
from illusion.tables import Store, TableService
from illusion.web.http.limits.rate_limits import RateLimiter
from illusion.web.live.broadcast import Broadcasts
from illusion.web.ops.logs import RequestLog
from illusion.web.ops.metrics import Metrics
from illusion.web.ops.store_check import StoreCheck


@dataclass(frozen=True, slots=True)
class AppContext:
    """The parts of one application."""

    store: Store
    service: TableService
    rate_limiter: RateLimiter
    metrics: Metrics
    request_log: RequestLog
    store_check: StoreCheck
    languages: Mapping[str, Language]
    lan: str | None = None
    """The machine's address on its network, for phones."""
    metrics_from: Sequence[str] = ()
    """Networks that may read /metrics, besides the machine itself."""
    broadcasts: Broadcasts = field(default_factory=Broadcasts)


def context(request: HTTPConnection) -> AppContext:
    found: AppContext = request.app.state.context
    return found
