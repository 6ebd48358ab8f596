"""`--lan`: the addresses where phones reach this machine, and advice if they do not."""

import platform
import re
import socket
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final

import ifaddr
import segno

TUNNEL: Final = re.compile(r"^(u?tun|tap|wg|ppp|ipsec)\d*$|vpn|wireguard|tailscale|zerotier|tap-windows|nordlynx", re.I)
"""Names of VPN adapters."""
INSIDE: Final = re.compile(r"^(docker|br-|veth|virbr|lxc|cni|podman|vmnet|vboxnet)|vethernet|virtualbox|vmware", re.I)
"""Names of adapters for containers and virtual machines."""
NOT_FOR_PHONES: Final = ("127.", "169.254.")
"""Loopback and link-local addresses."""
UFW: Final = Path("/etc/ufw/ufw.conf")
PROCESSES: Final = Path("/proc")
ANSWER_TIMEOUT_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Network:
    """A network that this machine is on."""

    adapter: str
    address: str

    @property
    def is_tunnel(self) -> bool:
        return TUNNEL.search(self.adapter) is not None


def networks() -> list[Network]:
    """This machine's networks; first the one that phones most likely share."""
    found = (
        Network(adapter.nice_name, str(ip.ip)) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4
    )
    of_people = [
        each for each in found if not each.address.startswith(NOT_FOR_PHONES) and not INSIDE.search(each.adapter)
    ]
    routed = _routed_address()
    return sorted(of_people, key=lambda each: (each.is_tunnel, each.address != routed))


def _routed_address() -> str | None:
    """This machine's address towards the internet, from the routing table; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def answers(address: str, port: int) -> bool:
    """Whether anything listens there."""
    try:
        socket.create_connection((address, port), ANSWER_TIMEOUT_S).close()
    except OSError:
        return False
    return True


def advice(found: Sequence[Network], port: int) -> Iterator[str]:
    """Addresses for phones, and what to check if none of them opens."""
    if "microsoft" in platform.release().lower():
        yield "This is Windows' subsystem for Linux, which phones cannot reach: start Illusion in Windows itself."
    if not found:
        yield "This computer is on no network that phones could share. Connect it to their Wi-Fi, and start again."
        return
    for word, network in zip(["Phones open", *["or, if not, "] * len(found)], found, strict=False):
        yield f"{word} http://{network.address}:{port}/hello  ({network.adapter})"
    yield from _code(f"http://{found[0].address}:{port}/hello")
    yield "A phone that has reached the game says so. If it does not:"
    yield "- It has to be in the same Wi-Fi: not on mobile data, and not in a guest network, which keeps devices apart."
    yield f"- {_firewall(port)}"
    tunnels = [network.adapter for network in found if network.is_tunnel]
    here = f"a VPN ({', '.join(tunnels)}) is on here" if tunnels else "a VPN may be on, there or here"
    yield f"- {here[0].upper()}{here[1:]}: it leads past this network, so switch it off while you play."


def _firewall(port: int) -> str:
    if sys.platform == "win32":
        return (
            "Windows' firewall has to let Python through: allow it for private networks when Windows asks, and set "
            "this Wi-Fi to “private” in Settings, Network & internet."
        )
    if sys.platform == "darwin":
        return "The Mac's firewall has to let Python in: System Settings, Network, Firewall, Options."
    if _ufw_is_on():
        return f"The firewall ufw is on here: sudo ufw allow {port}/tcp"
    if _is_running("firewalld"):
        return f"The firewall firewalld is on here: sudo firewall-cmd --add-port={port}/tcp"
    return f"A firewall may be on here: it has to let TCP port {port} through."


def _ufw_is_on() -> bool:
    try:
        return "ENABLED=yes" in UFW.read_text(encoding="utf-8").splitlines()
    except OSError:
        return False


def _is_running(name: str) -> bool:
    for told in PROCESSES.glob("[0-9]*/comm"):
        try:
            if told.read_text(encoding="utf-8", errors="replace").strip() == name:
                return True
        except OSError:
            continue
    return False


def _code(url: str) -> Iterator[str]:
    """A QR code, if the terminal can show it."""
    if sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf"):
        drawn = StringIO()
        segno.make(url, error="l").terminal(drawn, border=2, compact=True)
        yield drawn.getvalue().rstrip("\n")
