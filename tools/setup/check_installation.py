"""Use an installed Illusion as people do: python tools/setup/check_installation.py PYTHON [--no-print]

PYTHON is the interpreter of an environment that Illusion is installed in. The check plays a game on a server of that
environment, verifies its record, draws a deck, compares its pictures with the known ones, and makes a PDF of it.
"""

import argparse
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SEED = "7"
PICTURES = HERE.parents[1] / "tests" / "deck" / f"pictures-of-seed-{SEED}.sha256"
TIMEOUT_S = 600
SECOND_S = 60
"""A server that has not refused by then serves."""
STOP = {"nt": getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM)}.get(os.name, signal.SIGINT)
"""What ends a server: on Windows a console's event, which only a group of its own can be sent alone."""
OWN_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""Without what would put another Illusion before the installed one."""


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints; the check ends where one fails."""
    ran = subprocess.run(
        command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=TIMEOUT_S
    )
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nfailed with status {ran.returncode}:\n{ran.stdout}{ran.stderr}")
    return ran.stdout.strip()


def play(illusion: list[str], folder: Path) -> None:
    serve = [*illusion, "serve", "--port", "0", "--database", "tables.db", "--bot-seconds", "0"]
    with subprocess.Popen(
        serve,
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        creationflags=OWN_GROUP,
    ) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        address = re.search(r"http://\S+", line)
        if address is None:
            server.kill()  # a server that runs all the same would never end what it says
            sys.exit(f"the server did not start:\n{line}{server.stdout.read()}")
        try:
            print(run(sys.executable, HERE / "play_game.py", address.group(), "record.json", cwd=folder))
            refuse_port(illusion, address.group(), folder)
        finally:
            server.send_signal(STOP)
            said, _ = server.communicate(timeout=TIMEOUT_S)
    if server.returncode != 0 or said:
        sys.exit(f"the server ended with status {server.returncode} and said:\n{said}")
    print(run(*illusion, "verify", "record.json", cwd=folder))


def refuse_port(illusion: list[str], address: str, folder: Path) -> None:
    """A second server cannot have the port of the first: Windows would give it to both."""
    port = address.rstrip("/").rpartition(":")[2]
    command = [*illusion, "serve", "--port", port, "--database", "others.db"]
    try:
        ran = subprocess.run(
            command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=SECOND_S
        )
    except subprocess.TimeoutExpired:
        sys.exit(f"two servers share port {port}")
    if ran.returncode != 1 or f"cannot listen on 127.0.0.1:{port}" not in ran.stderr:
        sys.exit(f"a second server at port {port} said:\n{ran.stdout}{ran.stderr}")


def draw(illusion: list[str], folder: Path) -> None:
    """Draw a deck and compare it with the recorded hashes."""
    out = folder / "deck"
    run(*illusion, "deck", "--seed", SEED, "--out", str(out), cwd=folder)
    known = {name: digest for digest, name in map(str.split, PICTURES.read_text(encoding="utf-8").splitlines())}
    drawn = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in out.glob("front-*.svg")}
    different = sorted(name for name in known | drawn if known.get(name) != drawn.get(name))
    if different:
        sys.exit(f"{len(different)} of {len(known)} pictures are not the known ones: {', '.join(different)}")
    print(f"drew {len(drawn)} pictures, all of them as known")


def print_deck(illusion: list[str], folder: Path) -> None:
    run(*illusion, "deck", "--seed", SEED, "--pdf", "deck.pdf", "--contact-sheet", "deck.png", cwd=folder)
    if not (folder / "deck.pdf").read_bytes().startswith(b"%PDF-"):
        sys.exit("deck.pdf is not a PDF")
    if not (folder / "deck.png").read_bytes().startswith(b"\x89PNG"):
        sys.exit("deck.png is not a PNG")
    print(f"made a PDF of {(folder / 'deck.pdf').stat().st_size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", metavar="PYTHON")
    parser.add_argument(
        "--no-print", action="store_true", help="do without the PDF: the extra 'print' is not installed"
    )
    chosen = parser.parse_args()
    illusion = [chosen.python, "-m", "illusion"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        print(run(*illusion, "--version", cwd=folder))
        play(illusion, folder)
        draw(illusion, folder)
        if not chosen.no_print:
            print_deck(illusion, folder)


if __name__ == "__main__":
    main()
