"""Behind the proxies of docs/operating.md, with the very settings that stand there and TLS. Needs them installed."""

import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from harness.answers import problem_code
from harness.servers import OPEN, Seat, Server, opened, play_on

OPERATING = Path(__file__).parents[3] / "docs" / "operating.md"
NGINX = "daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\nhttp {{\n{site}\n}}\n"
CADDY = "{{\n\tadmin off\n\tauto_https disable_redirects\n\tgrace_period 1s\n}}\n{site}\n"


class Through(Server):
    """A server as it is seen through a proxy."""

    def __init__(self, url: str, certificate: Path) -> None:
        self.url = url
        self.trusts = ssl.create_default_context(cafile=str(certificate))

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        client = httpx.Client(base_url=self.url, headers=headers, timeout=20, verify=self.trusts)
        OPEN.append(client)
        return client


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def documented(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", OPERATING.read_text(), re.DOTALL)
    assert found
    return found.group(1)


def put(text: str, *changes: tuple[str, str]) -> str:
    """The text with each part changed that must stand in it."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.fixture(params=["nginx", "caddy"])
def proxied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Through]:
    proxy = request.param
    if not (shutil.which(proxy) and shutil.which("openssl")):
        pytest.skip(f"{proxy} or openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    server, port = Server(tmp_path, "--trusted-proxy", "127.0.0.1", "--limit", "tables=50"), free_port()
    behind = ("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    if proxy == "nginx":
        live = "/etc/letsencrypt/live/illusion.example"
        site = put(documented("nginx"), behind, ("listen 443", f"listen 127.0.0.1:{port}"))
        site = put(
            site, ("listen 80", f"listen 127.0.0.1:{free_port()}"), ("server_name illusion.example", "server_name _")
        )
        site = put(site, (f"{live}/fullchain.pem", str(certificate)), (f"{live}/privkey.pem", str(key)))
        settings, text = tmp_path / "nginx.conf", NGINX.format(folder=tmp_path, site=site)
        command = ["nginx", "-p", str(tmp_path), "-c", str(settings)]
    else:
        own = f"https://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate} {key}"
        site = put(documented("caddy"), behind, ("illusion.example {", own))
        settings, text = tmp_path / "Caddyfile", CADDY.format(site=site)
        command = ["caddy", "run", "--config", str(settings), "--adapter", "caddyfile"]
    settings.write_text(text)
    with (tmp_path / "proxy.log").open("w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        for _ in range(200):
            assert running.poll() is None, (tmp_path / "proxy.log").read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield Through(f"https://localhost:{port}", certificate)
    finally:
        running.terminate()
        running.wait(20)
        server.stop()


def test_a_whole_game_with_streams_and_secure_cookies_through_a_proxy_with_tls(proxied: Through) -> None:
    seats: list[Seat] = opened(proxied, 2)
    at = f"/api/tables/{seats[0].table}"
    heard: list[int] = []
    dealt = threading.Event()

    def listen() -> None:
        with seats[1].client.stream("GET", f"{at}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            for line in stream.iter_lines():
                heard.append(int(line[4:])) if line.startswith("id: ") else None
                if '"dealt"' in line:
                    dealt.set()
                if '"game-ended"' in line:
                    return

    listener = threading.Thread(target=listen)
    listener.start()
    assert seats[0].post("start").status_code == 200
    assert dealt.wait(20)  # it is told at once, not when a buffer is full
    end = play_on(seats)
    listener.join(20)
    assert end["over"]
    assert heard == list(range(1, end["seq"] + 1))

    browser, own = proxied.client(), {"origin": proxied.url}
    made = browser.post("/invite", data={"name": "Ana", "seats": "2"}, headers=own)
    assert made.status_code == 303
    for cookie in made.headers.get_list("set-cookie"):
        assert "Secure" in cookie
        assert "HttpOnly" in cookie or cookie.startswith("name=")
    page = browser.get(made.headers["location"])
    assert f"{proxied.url}/table/" in page.text  # the invitation names the proxy's address
    left = browser.delete(f"/api/tables/{made.headers['location'][-8:]}/seats/me", headers=own)
    assert left.status_code == 200  # the cookie holds the seat
    downgraded = {"origin": proxied.url.replace("https", "http")}
    assert problem_code(browser.post("/api/tables", json={"name": "A"}, headers=downgraded)) == (403, "foreign-origin")
    assert proxied.client().get("/metrics").status_code == 404
    assert proxied.client().get("/healthz").status_code == 200


def test_clients_cannot_forge_their_address(proxied: Through) -> None:
    answers = []
    for number in range(60):
        claimed = {"x-forwarded-for": f"198.51.100.{number}"}
        answers.append(proxied.client().post("/api/tables", json={"name": "Ana"}, headers=claimed).status_code)
        if answers[-1] == 429:
            break
    assert answers[-1] == 429
