"""Sends one notice by apprise, in a process of its own, which `notices` starts, feeds, and may kill.

Every connection of this process goes through an audit hook: whatever a name resolves to, and wherever a server
redirects to, nothing reaches the server's own networks unless that is allowed. It is run as a file, and imports nothing
of Illusion.
"""

import ipaddress
import json
import os
import socket
import sys
from contextlib import suppress

SENT, FAILED, REFUSED = 0, 1, 3
"""Exit statuses."""
TIMEOUT_S = 5
FORBIDDEN = ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn")
NAT64 = ipaddress.ip_network("64:ff9b::/96")
MEMORY_BYTES = 320 * 2**20
CPU_S = 10
FOLDERS = (sys.prefix, sys.base_prefix, "/usr/", "/etc/ssl/", "/etc/mime.types", os.devnull)
"""The files that a guarded process may open are in these."""


def is_public(host: object) -> bool:
    """Whether this is an address of the internet at large; a name is none."""
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):  # which may stand for an IPv4 address
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is None and address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is None and (address.is_reserved or address.is_site_local):
            return False
        address = inner or address
    return address.is_global and not address.is_multicast


def is_own(host: str) -> bool:
    """Whether this machine has this public address: from there one would get past its firewall. Nothing is sent."""
    with (
        suppress(OSError),
        socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM) as probe,
    ):
        probe.connect((host, 9))
        return bool(probe.getsockname()[0] == host)
    return False


class Guard:
    """Lets this process connect to public addresses of others alone, read what it consists of, and start nothing."""

    def __init__(self) -> None:
        self.has_refused = False
        self._is_probing = False

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
            address = arguments[1]
            allowed = address is None or (isinstance(address, tuple) and self._may_reach(str(address[0])))
        elif event == "open":  # not counted as refused: libraries look for settings of a user
            if not str(arguments[0]).startswith(FOLDERS):
                raise PermissionError("not to the server's own files")
            return
        else:
            allowed = event not in FORBIDDEN
        if not allowed:
            self.has_refused = True
            raise PermissionError("not to the server's own networks")

    def _may_reach(self, host: str) -> bool:
        if self._is_probing:  # which connects, too
            return True
        self._is_probing = True
        try:
            return is_public(host) and not is_own(host)
        finally:
            self._is_probing = False


def leads_inside(host: str) -> bool:
    """Whether a name resolves to an address that is not public. One that cannot be resolved may be no name at all."""
    with suppress(OSError, UnicodeError):
        return any(not is_public(found[4][0]) for found in socket.getaddrinfo(host, None))
    return False


def limit_resources() -> None:
    """Whatever a target answers, it takes neither the server's memory nor its processor."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  (not on Windows)

        os.nice(10)
        for limit, most in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CPU, CPU_S)):
            with suppress(ValueError, OSError):  # macOS counts more as memory than it takes
                resource.setrlimit(limit, (most, most))


def main() -> int:
    limit_resources()
    asked = json.load(sys.stdin)
    import apprise  # noqa: PLC0415  (an extra, and slow to load)

    asset = apprise.AppriseAsset(storage_mode="memory", allow_templates=False)
    target = apprise.Apprise.instantiate(asked["address"], asset=asset, suppress_exceptions=True)
    if target is None or len(target) > 1:  # one person has one address
        return REFUSED
    target.socket_connect_timeout = target.socket_read_timeout = TIMEOUT_S
    if not asked["private"] and leads_inside((target.host or "").strip("[]")):
        return REFUSED
    if asked["text"] is None:  # it was only to be looked at
        return SENT
    guard = Guard()
    if not asked["private"]:
        sys.addaudithook(guard)
    is_sent = target.notify(body=asked["text"], title=asked["title"])
    return REFUSED if guard.has_refused else SENT if is_sent else FAILED


if __name__ == "__main__":
    sys.exit(main())
