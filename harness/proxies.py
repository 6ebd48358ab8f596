"""nginx and Caddy in front of our servers, with exactly the settings in docs/operating.md."""

import random
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from harness.servers import OPEN, Server

OPERATING = Path(__file__).parents[1] / "docs" / "operating.md"
NGINX = """\
daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_rlimit_nofile 16384;
events {{ worker_connections 8192; }}
http {{
{site}
}}
"""
ROOT = "/illusion"
"""The path in the document's settings for one."""
NGINX_AT_THE_ROOT = """\
    location / {
        proxy_pass http://illusion;
        proxy_set_header X-Forwarded-Prefix "";
"""
"""What the document's settings for a path stand in place of."""
CADDY = "{{\n\tadmin off\n\tauto_https disable_redirects\n\tgrace_period 1s\n}}\n{site}\n"


class Through(Server):
    """A server behind a proxy."""

    def __init__(self, url: str, certificate: Path) -> None:
        self.url = url
        self.port = urlsplit(url).port or 0
        self.trusts = ssl.create_default_context(cafile=str(certificate))

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        client = httpx.Client(base_url=self.url, headers=headers, timeout=20, verify=self.trusts)
        OPEN.append(client)
        return client


def is_installed(proxy: str) -> bool:
    return bool(shutil.which(proxy) and shutil.which("openssl"))


@contextmanager
def running_proxy(proxy: str, folder: Path, ports: Sequence[int], *, under_a_path: bool = False) -> Iterator[Through]:
    """One with TLS in front of servers at these ports; if there are several, it hashes the table's id.

    Under a path, /illusion, it has nothing else.
    """
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    if proxy == "nginx":
        with running_nginx(folder, ports, (key, certificate), under_a_path=under_a_path) as port:
            yield Through(f"https://localhost:{port}{ROOT if under_a_path else ''}", certificate)
        return
    port = free_port()
    own = f"https://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate} {key}"
    documented = _caddy(several=len(ports) > 1, under_a_path=under_a_path)
    site = put(documented, *_at(ports), ("illusion.example {", own))
    settings = folder / "Caddyfile"
    settings.write_text(CADDY.format(site=site))
    command = ["caddy", "run", "--config", str(settings), "--adapter", "caddyfile"]
    with started(command, port, folder / "proxy.log"):
        yield Through(f"https://localhost:{port}{ROOT if under_a_path else ''}", certificate)


@contextmanager
def running_nginx(
    folder: Path, ports: Sequence[int], tls: tuple[Path, Path] | None = None, *, under_a_path: bool = False
) -> Iterator[int]:
    """Its port; without a key and a certificate it speaks plain HTTP."""
    port = free_port()
    site = put(nginx_site(ports), ("server_name illusion.example", "server_name _"))
    if under_a_path:
        site = put(site, (NGINX_AT_THE_ROOT, _settings("nginx")[1]))
    site = put(site, ("listen 80", f"listen 127.0.0.1:{free_port()}"))
    if tls is None:
        site = re.sub("ssl_certificate.*", "", put(site, ("listen 443 ssl http2", f"listen 127.0.0.1:{port}")))
    else:
        live, (key, certificate) = "/etc/letsencrypt/live/illusion.example", tls
        site = put(site, ("listen 443", f"listen 127.0.0.1:{port}"))
        site = put(site, (f"{live}/fullchain.pem", str(certificate)), (f"{live}/privkey.pem", str(key)))
    settings = folder / "nginx.conf"
    settings.write_text(NGINX.format(folder=folder, site=site))
    with started(["nginx", "-p", str(folder), "-c", str(settings)], port, folder / "proxy.log"):
        yield port


def nginx_site(ports: Sequence[int]) -> str:
    """The documented settings with other ports."""
    site, _, hashing = _settings("nginx")
    if len(ports) == 1:
        return put(site, *_at(ports))
    upstream = re.search(r"upstream illusion {.*?}\n", site, re.DOTALL)
    assert upstream
    return put(site, (upstream.group(), put(hashing, *_at(ports))))


@contextmanager
def started(command: list[str], port: int, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A proxy that accepts connections."""
    with log.open("w") as writes:
        running = subprocess.Popen(command, stdout=writes, stderr=writes)
    try:
        for _ in range(200):
            assert running.poll() is None, log.read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield running
    except BaseException as error:
        error.add_note(f"The proxy said:\n{log.read_text()}")
        raise
    finally:
        running.terminate()
        running.wait(20)


def put(text: str, *changes: tuple[str, str]) -> str:
    """The text with each part changed that must stand in it."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def _caddy(*, several: bool, under_a_path: bool) -> str:
    """Several under a path are set as the document says in words."""
    alone, under, hashing = _settings("caddy")
    if not several:
        return under if under_a_path else alone
    if not under_a_path:
        return hashing
    site = put(hashing, ("header_up -X-Forwarded-Prefix", f"header_up X-Forwarded-Prefix {ROOT}"))
    before, proxying = site.split("\treverse_proxy", 1)
    return f"{before}\tredir {ROOT} {ROOT}/\n\thandle_path {ROOT}/* {{\n\treverse_proxy{proxying}}}\n"


def _settings(proxy: str) -> list[str]:
    """In the order of the document: for one server, for one under a path, and for several."""
    return re.findall(rf"```{proxy}\n(.*?)```", OPERATING.read_text(), re.DOTALL)


def _at(ports: Sequence[int]) -> list[tuple[str, str]]:
    first = 8000 if len(ports) == 1 else 8001
    return [(f"127.0.0.1:{number}", f"127.0.0.1:{port}") for number, port in enumerate(ports, first)]


def free_port() -> int:
    """A free port below the ephemeral range, from which an outgoing connection might take it first."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
