"""Lighthouse's scores of our pages, from a server started for it: make lighthouse (needs Node.js and Chromium)."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from harness.browser.chromium import chromium
from harness.servers import Seat, Server, opened, play_on
from harness.tables.rows import long_row

LIGHTHOUSE = Path(__file__).parent.parent / "bench" / "lighthouse" / "node_modules" / ".bin" / "lighthouse"
DESKTOP = ("chromium", "chromium-browser", "google-chrome")
"""Lighthouse starts a whole browser."""
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")


def report(url: str, seats: list[Seat], options: list[str], file: Path) -> dict[str, Any]:
    """As it is seen by a device that holds these seats."""
    cookies = "; ".join(f"seat-{seat.table}={seat.token}" for seat in seats)
    command = [str(LIGHTHOUSE), url, "--quiet", "--output=json", f"--output-path={file}", *options]
    command += [f"--extra-headers={json.dumps({'Cookie': cookies})}"] if cookies else []
    command += [f"--only-categories={','.join(CATEGORIES)}", "--chrome-flags=--headless=new --no-sandbox"]
    environment = {**os.environ, "CHROME_PATH": chromium(DESKTOP)}
    if subprocess.run(command, check=False, env=environment, timeout=180).returncode:
        # now and then Chromium's trace has no beginning (NO_NAVSTART), and it asks for another try
        subprocess.run(command, check=True, env=environment, timeout=180)
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def short_of_full(found: dict[str, Any]) -> list[str]:
    """The audits that keep a category below 100."""
    return [
        f"{category}: {found['audits'][audit['id']]['title']} ({found['audits'][audit['id']].get('displayValue', '')})"
        for category in CATEGORIES
        for audit in found["categories"][category]["auditRefs"]
        if audit["weight"] and (found["audits"][audit["id"]]["score"] or 0) < 0.9
        if found["audits"][audit["id"]]["scoreDisplayMode"] not in ("notApplicable", "manual", "informative")
    ]


def main() -> None:
    options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            waiting, over, playing = opened(server)[0], opened(server), long_row(server, 8)
            over[0].post("start")
            play_on(over)
            table = f"/table/{over[0].table}"
            held = [waiting, over[0], playing]
            pages = {
                "home": "/",
                "rules": "/rules",
                "tutorial": "/tutorial",
                "waiting": f"/table/{waiting.table}",
                "playing": f"/table/{playing.table}",
                "over": table,
                "watch": f"/watch/{playing.table}",
                "replay": f"{table}/replay",
                "review": f"{table}/review",
                "illusion": f"{table}/illusion",
                "eyes": "/eyes",
            }
            sys.stdout.write(f"{'':10}{''.join(f'{category:>16}' for category in CATEGORIES)}\n")
            for name, path in pages.items():
                found = report(server.url + path, held, options, Path(folder) / f"{name}.json")
                scores = [100 * (found["categories"][category]["score"] or 0) for category in CATEGORIES]
                sys.stdout.write(f"{name:10}{''.join(f'{score:16.0f}' for score in scores)}\n")
                sys.stdout.writelines(f"          {line}\n" for line in short_of_full(found))
                sys.stdout.flush()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
