"""Other browsers, driven by what they bring along: Firefox by Marionette, WebKit by its WebDriver.

Both speak the commands of the W3C's WebDriver; only the transport differs. Chromium is driven by Playwright elsewhere.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol

import httpx

START_TIMEOUT_S: Final = 60.0
ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element's reference, fixed by the standard."""
WEBKIT_BROWSER: Final = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"


class Missing(Exception):
    """This browser is not installed; the message says what to install."""


class Transport(Protocol):
    """Sends one command and returns its result."""

    def send(self, command: str, method: str, path: str, body: dict[str, Any]) -> Any: ...


class Browser:
    """A page in a browser."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def open(self, url: str) -> None:
        self._transport.send("WebDriver:Navigate", "POST", "/url", {"url": url})

    def run(self, script: str, *arguments: object) -> Any:
        """The result of a function body."""
        body = {"script": script, "args": list(arguments)}
        return self._transport.send("WebDriver:ExecuteScript", "POST", "/execute/sync", body)

    def click(self, selector: str) -> None:
        """A real click in the middle of the first match."""
        found = self._transport.send(
            "WebDriver:FindElement", "POST", "/element", {"using": "css selector", "value": selector}
        )
        element = found[ELEMENT]
        self._transport.send("WebDriver:ElementClick", "POST", f"/element/{element}/click", {"id": element})

    def resize(self, width: int, height: int) -> None:
        self._transport.send("WebDriver:SetWindowRect", "POST", "/window/rect", {"width": width, "height": height})


class Marionette:
    """Firefox's own protocol: messages as `length:JSON` over TCP."""

    def __init__(self, port: int) -> None:
        self._socket = _connected(port)
        self._socket.settimeout(60)
        self._number = 0
        self._received()  # it says hello first

    def send(self, command: str, method: str, path: str, body: dict[str, Any]) -> Any:  # noqa: ARG002
        self._number += 1
        message = json.dumps([0, self._number, command, body])
        self._socket.sendall(f"{len(message.encode())}:{message}".encode())
        _, _, error, result = self._received()
        if error is not None:
            raise RuntimeError(f"{command}: {error['message']}")
        return result.get("value", result) if isinstance(result, dict) else result

    def _received(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._socket.recv(1)
        left, parts = int(length[:-1]), []
        while left:
            parts.append(self._socket.recv(left))
            left -= len(parts[-1])
        return json.loads(b"".join(parts))

    def close(self) -> None:
        self._socket.close()


class HttpWebDriver:
    """The standard's own transport."""

    def __init__(self, port: int, capabilities: dict[str, Any]) -> None:
        _connected(port).close()
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
        made = self._client.post("/session", json={"capabilities": {"alwaysMatch": capabilities}}).json()["value"]
        if "sessionId" not in made:
            raise RuntimeError(made.get("message", "no session"))
        self._session = f"/session/{made['sessionId']}"

    def send(self, command: str, method: str, path: str, body: dict[str, Any]) -> Any:
        answer = self._client.request(method, self._session + path, json=body).json()["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(f"{command}: {answer['message']}")
        return answer

    def close(self) -> None:
        with suppress(httpx.HTTPError):
            self._client.delete(self._session)
        self._client.close()


@contextmanager
def firefox(folder: Path) -> Iterator[Browser]:
    """`folder` is for its profile."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        raise Missing("firefox-esr")
    port = _free_port()
    (folder / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    with _running(command, HOME=str(folder), MOZ_DISABLE_CONTENT_SANDBOX="1"):
        transport = Marionette(port)
        transport.send("WebDriver:NewSession", "", "", {})
        try:
            yield Browser(transport)
        finally:
            transport.close()


@contextmanager
def webkit() -> Iterator[Browser]:
    program = shutil.which("WebKitWebDriver")
    if program is None or not Path(WEBKIT_BROWSER).exists():
        raise Missing("webkit2gtk-driver")
    display = shutil.which("xvfb-run")
    if display is None:
        raise Missing("xvfb")
    port = _free_port()
    command = [display, "-a", program, f"--port={port}", "--host=127.0.0.1"]
    with _running(command, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1", LIBGL_ALWAYS_SOFTWARE="1"):
        options = {"binary": WEBKIT_BROWSER, "args": ["--automation"]}
        transport = HttpWebDriver(port, {"webkitgtk:browserOptions": options})
        try:
            yield Browser(transport)
        finally:
            transport.close()


@contextmanager
def _running(command: list[str], **environment: str) -> Iterator[None]:
    process = subprocess.Popen(
        command,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 15)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()


def _connected(port: int) -> socket.socket:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 5)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
