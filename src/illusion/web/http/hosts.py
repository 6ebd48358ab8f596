"""Which `Host` a request may name: links that others open are made from it."""

import ipaddress
import re
from collections.abc import Collection
from typing import Final

MAX_HOST_CHARACTERS: Final = 255
HOST: Final = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?", re.ASCII)


class Hosts:
    """Any host, or those that were named. This machine and plain addresses always are: no name leads astray there."""

    def __init__(self, names: Collection[str] = ()) -> None:
        self._names = frozenset(map(_normalized, names))

    def accept(self, host: str) -> bool:
        """A request without any `Host` (HTTP/1.0) names no wrong one."""
        if not host:
            return True
        parts = HOST.fullmatch(host) if len(host) <= MAX_HOST_CHARACTERS else None
        if parts is None:
            return False
        name = _normalized(parts[1])
        return not self._names or name in self._names or name == "localhost" or _is_address(name)


def _normalized(name: str) -> str:
    return name.lower().removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
