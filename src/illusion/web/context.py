"""The options of an application, and a typed object with the parts that its routes share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from illusion.languages import Language, languages
from illusion.tables import Pace, Table, TableService
from illusion.tables.evenings.service import EveningService
from illusion.tables.notices import Notices
from illusion.tables.worker import Where
from illusion.web.limits import Limits, RateLimiter
from illusion.web.live.hub import Hubs
from illusion.web.telemetry import Telemetry


@dataclass(frozen=True, slots=True)
class AppOptions:
    """The options of an application."""

    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    lan: str | None = None
    """The machine's address on its network, for phones."""
    host_names: Sequence[str] = ()
    """The names under which it is served; without any, every one is accepted."""
    root_path: str = ""
    """The path under which all of it is served, such as /illusion."""
    notify: bool = False
    """Whether people may have notices sent to addresses of theirs."""
    notify_private: bool = False
    """Whether those may be in the server's own networks."""
    metrics_from: Sequence[str] = ()
    """Networks that may read /metrics, besides this machine."""
    drawing: Where | None = None
    """Where pictures are drawn: by default in a process, or in a thread on one core."""
    languages: Mapping[str, Language] = field(default_factory=languages)


@dataclass(frozen=True, slots=True)
class AppContext:
    """The parts of an application."""

    options: AppOptions
    service: TableService
    evenings: EveningService
    hubs: Hubs
    rate_limiter: RateLimiter
    telemetry: Telemetry
    notices: Notices | None = None


def context(request: HTTPConnection) -> AppContext:
    found: AppContext = request.app.state.context
    return found


async def current_table(request: HTTPConnection) -> Table:
    """The table named by the path, including other servers' entries. Raises Refused if there is none."""
    return await context(request).service.get_current(request.path_params["table"])
