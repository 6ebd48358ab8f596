"""What a browser loads when somebody comes for the first time."""

from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext


class Loaded(NamedTuple):
    address: str
    kind: str
    """Document, Stylesheet, Script, Font, Image, …"""
    size: int
    """Bytes that came over the network: headers, and the body as it was compressed."""


def first_visit(context: BrowserContext, address: str) -> list[Loaded]:
    """All that a page loads before it is quiet, as Chromium counts it; `context` has loaded nothing yet."""
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    answers: dict[str, Any] = {}
    sizes: dict[str, int] = {}
    network.on("Network.responseReceived", lambda event: answers.update({event["requestId"]: event}))
    network.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(address, wait_until="networkidle")
    found = [
        Loaded(
            event["response"]["url"],
            "Image" if event["response"]["mimeType"].startswith("image/") else event["type"],
            sizes[request],
        )
        for request, event in answers.items()
        if request in sizes
    ]
    network.detach()
    return found
