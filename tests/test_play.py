"""`illusion play`: always at the same address, beside whatever else runs there, and found again while it runs."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from harness.command_line import run_illusion

ENDS = "  (Ctrl-C ends it; nothing is lost)\n"


def free_port() -> int:
    """One that nobody listens on, nor on the next."""
    while True:
        with closing(socket.socket()) as first, closing(socket.socket()) as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port


@contextmanager
def playing(database: Path, *options: str, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    """`illusion play`, which is ended by Ctrl-C and has nothing to say about that."""
    command = [sys.executable, "-m", "illusion", "play", "--database", str(database), *options]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env={**os.environ, **environment}, text=True, **streams) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (0, "", "")


def line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_the_address_is_the_same_at_every_start(tmp_path: Path) -> None:
    port = free_port()
    for _ in range(2):
        with playing(tmp_path / "t.db", "--no-browser", "--port", str(port)) as process:
            assert line(process) == f"Illusion is at http://127.0.0.1:{port}/{ENDS}"
            assert "Play now" in httpx.get(f"http://127.0.0.1:{port}/").text


def test_it_is_port_8000_unless_told_otherwise() -> None:
    assert "default: 8000; the next free one if it is taken" in run_illusion("play", "--help").stdout


def test_a_taken_port_gets_a_sentence_and_the_next_free_one(tmp_path: Path) -> None:
    port = free_port()
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        with playing(tmp_path / "t.db", "--no-browser", "--port", str(port)) as process:
            assert line(process) == f"Port {port} is taken by another program; this time it is port {port + 1}.\n"
            assert line(process) == f"Illusion is at http://127.0.0.1:{port + 1}/{ENDS}"


@pytest.fixture
def browser(tmp_path: Path) -> tuple[str, Path]:
    """The command of a browser that writes down what it is told to open, and where."""
    program, opened = tmp_path / "browser", tmp_path / "opened"
    program.write_text(f'#!/bin/sh\necho "$1" >>"{opened}"\n')
    program.chmod(stat.S_IRWXU)
    return f"{program} %s", opened


def test_the_same_game_is_opened_where_it_runs_already(tmp_path: Path, browser: tuple[str, Path]) -> None:
    """Whatever port was asked for; and a folder may have spaces and umlauts."""
    command, opened = browser
    folder = tmp_path / "Mäx & Zoë"
    folder.mkdir()
    with playing(folder / "t.db", "--port", "0", BROWSER=command) as process:
        address = re.search(r"http://\S+", line(process))
        assert address
        again = [sys.executable, "-m", "illusion", "play", "--database", str(folder / "t.db")]
        ran = subprocess.run(
            again, env={**os.environ, "BROWSER": command}, capture_output=True, text=True, check=False, timeout=60
        )
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"Illusion is running already, at {address[0]}\n", "")
    assert opened.read_text().split() == [address[0], address[0]]


def test_a_game_that_serves_this_machine_alone_is_none_for_phones(tmp_path: Path) -> None:
    with playing(tmp_path / "t.db", "--no-browser", "--port", "0") as process:
        line(process)
        ran = run_illusion("play", "--lan", "--no-browser", "--database", str(tmp_path / "t.db"))
        if "no network" not in ran.stdout:
            assert ran.returncode == 1
            said = f"another Illusion (process {process.pid}) is using {tmp_path / 't.db'}; end that one first"
            assert ran.stderr == f"illusion: the database cannot be used: {said}\n"


def test_with_lan_phones_reach_the_page_that_says_so(tmp_path: Path) -> None:
    """At this machine's address on its network, if it is on one; its own browser keeps the address it always has."""
    with playing(tmp_path / "t.db", "--lan", "--no-browser", "--port", "0") as process:
        at = re.search(r"http://127\.0\.0\.1:(\d+)/", line(process))
        assert at
        told = line(process)
        if "no network" in told:
            return
        address = re.search(rf"Phones open (http://[\d.]+:{at[1]}/hello)", told)
        assert address, told
        assert "You have reached the game" in httpx.get(address[1]).text
        while "switch it off while you play" not in line(process):
            assert process.poll() is None
