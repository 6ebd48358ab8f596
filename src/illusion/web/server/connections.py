"""How many connections may be open: of one address, and of all together, well below the limit on file descriptors.

At that limit a server cannot even accept a connection in order to refuse it, so newcomers are refused before.
"""

import logging
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Final

from illusion.web.http.limits.gcra import Gcra
from illusion.web.http.request_info import client_network, within
from illusion.web.ops import logs

MAX_DESCRIPTORS: Final = 65_536
"""More are not asked for, even if the system grants them."""
RESERVED_DESCRIPTORS: Final = 128
"""For the database, log files, and connections that are being refused."""
DEFAULT_DESCRIPTORS: Final = 1024
"""Where the system does not say how many there are."""


def raise_descriptor_limit() -> int:
    """Raise the soft limit on file descriptors as far as the system allows; returns it."""
    if sys.platform == "win32":
        return DEFAULT_DESCRIPTORS
    import resource  # noqa: PLC0415  (not on Windows)

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


class ConnectionLimiter:
    """Counts open connections. A proxy's connections are those of many people, so only the total limits them."""

    def __init__(self, most: int, most_per_address: int = 0, proxies: Sequence[str] = ()) -> None:
        """A limit of 0 is none. Proxies are addresses or networks."""
        self._most = most
        self._most_per_address = most_per_address
        self._proxies = proxies
        self._open: Counter[str] = Counter()
        self._total = 0
        self._lines = Gcra(1, 60)

    @property
    def total(self) -> int:
        return self._total

    def open(self, peer: str) -> bool:
        """Count a new connection, unless there are too many; returns whether it may stay."""
        address = client_network(peer)
        is_rude = bool(self._most_per_address) and self._open[address] >= self._most_per_address
        is_rude = is_rude and not within(peer, self._proxies)
        if is_rude or (self._most and self._total >= self._most):
            if not self._lines.try_charge(is_rude):
                whose = {"address": address} if is_rude else {}
                logs.say(logging.WARNING, "too-many-connections", open=self._total, **whose)
            return False
        self._open[address] += 1
        self._total += 1
        return True

    def close(self, peer: str) -> None:
        """A connection that was counted has ended."""
        address = client_network(peer)
        self._total -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]
