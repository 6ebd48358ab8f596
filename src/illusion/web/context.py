"""The options of an application, and the parts that its routes share: one typed object in its state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from illusion.languages import Language, languages
from illusion.tables import Pace, Table, TableService
from illusion.tables.evenings.service import EveningService
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
    """The machine's address on its network, where phones can reach it."""
    host_names: Sequence[str] = ()
    """The names under which it is served; without any, every one is accepted."""
    root_path: str = ""
    """The path under which all of it is served, such as /illusion."""
    metrics_from: Sequence[str] = ()
    """Networks that may read /metrics, besides the machine itself."""
    drawing: Where | None = None
    """Where pictures are drawn: in a process where there are cores to spare, unless it is said."""
    languages: Mapping[str, Language] = field(default_factory=languages)


@dataclass(frozen=True, slots=True)
class AppContext:
    """The parts of one application."""

    options: AppOptions
    service: TableService
    evenings: EveningService
    hubs: Hubs
    rate_limiter: RateLimiter
    telemetry: Telemetry


def context(request: HTTPConnection) -> AppContext:
    found: AppContext = request.app.state.context
    return found


async def current_table(request: HTTPConnection) -> Table:
    """The table that the path names, as it is now. Raises Refused if there is none."""
    return await context(request).service.get_current(request.path_params["table"])
