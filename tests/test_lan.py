"""What `--lan` says to somebody who stands there with a phone."""

import platform
import sys
from pathlib import Path

import ifaddr
import pytest

from illusion.cli import lan
from illusion.cli.lan import Network, advice, networks

HOME = Network("wlan0", "192.168.1.20")
VPN = Network("wg0", "10.8.0.2")


def on(monkeypatch: pytest.MonkeyPatch, *adapters: tuple[str, str], routed: str | None = None) -> list[Network]:
    """The networks of a machine with these adapters, whose way to the internet leads over one address."""
    made = [ifaddr.Adapter(name, name, [ifaddr.IP(address, 24, name)]) for name, address in adapters]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: made)
    monkeypatch.setattr(lan, "_routed_address", lambda: routed)
    return networks()


def test_what_no_phone_can_share_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    found = on(
        monkeypatch,
        ("lo", "127.0.0.1"),
        ("docker0", "172.17.0.1"),
        ("vEthernet (WSL)", "172.20.0.1"),
        ("eth0", "169.254.7.7"),
        ("wlan0", "192.168.1.20"),
    )
    assert found == [HOME]


def test_the_network_that_leads_to_the_internet_comes_first_and_a_tunnel_last(monkeypatch: pytest.MonkeyPatch) -> None:
    cable = Network("Ethernet 2", "192.168.7.3")
    adapters = [(each.adapter, each.address) for each in (VPN, HOME, cable)]
    assert on(monkeypatch, *adapters, routed=cable.address) == [cable, HOME, VPN]
    assert on(monkeypatch, *adapters, routed=VPN.address) == [HOME, cable, VPN]


def test_all_addresses_are_told_and_what_to_look_at() -> None:
    told = "\n".join(advice([HOME, VPN], 8000))
    assert told.startswith(
        "Phones open http://192.168.1.20:8000/hello  (wlan0)\nor, if not,  http://10.8.0.2:8000/hello  (wg0)\n"
    )
    for word in ("same Wi-Fi", "guest network", "irewall", "8000", "A VPN (wg0) is on here"):
        assert word in told
    assert "A VPN may be on, there or here" in "\n".join(advice([HOME], 8000))
    (told,) = advice([], 8000)
    assert told.startswith("This computer is on no network that phones could share.")


def test_a_firewall_that_is_on_is_named_with_what_opens_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(lan, "UFW", tmp_path / "ufw.conf")
    monkeypatch.setattr(lan, "PROCESSES", tmp_path)
    assert "A firewall may be on here: it has to let TCP port 8001 through." in "\n".join(advice([HOME], 8001))
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "comm").write_text("firewalld\n")
    assert "sudo firewall-cmd --add-port=8001/tcp" in "\n".join(advice([HOME], 8001))
    (tmp_path / "ufw.conf").write_text("# ENABLED=no\nENABLED=yes\n")
    assert "sudo ufw allow 8001/tcp" in "\n".join(advice([HOME], 8001))


@pytest.mark.parametrize(("system", "said"), [("win32", "private networks"), ("darwin", "System Settings")])
def test_other_systems_have_their_own_words(system: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert said in "\n".join(advice([HOME], 8000))


def test_inside_windows_subsystem_for_linux_nobody_is_left_to_wonder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "release", lambda: "5.15.153.1-microsoft-standard-WSL2")
    assert "start Illusion in Windows itself" in next(advice([HOME], 8000))


def test_a_terminal_shows_a_code_for_the_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "█" not in "\n".join(advice([HOME], 8000))
    monkeypatch.setattr(sys, "stdout", open("/dev/ptmx", "w", encoding="utf-8"))  # noqa: SIM115
    with sys.stdout:
        assert "█▀" in "\n".join(advice([HOME], 8000))
