"""The command `illusion`, run as people run it: what it plays is always at the same address and found again there."""

import json
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
import msgspec
import pytest
from harness.command_line import refusal, run_illusion
from harness.tables.records import finished_record

from illusion.cli import main
from illusion.deck import PICTURES_VERSION

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
def running(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that serves, which is ended by Ctrl-C and has nothing to say about that."""
    command = [sys.executable, "-m", "illusion", *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **streams) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (0, "", "")


def line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_a_taken_port_gets_a_sentence_and_who_plays_the_next_free_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port, database = free_port(), ("--database", str(tmp_path / "t.db"))
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        said = refusal(capsys, "serve", "--port", str(port), *database)
        assert said == f"illusion: cannot listen on 127.0.0.1:{port}: Address already in use"
        with running("play", *database, "--no-browser", "--port", str(port)) as process:
            assert line(process) == f"Port {port} is taken by another program; this time it is port {port + 1}.\n"
            assert line(process) == f"Illusion is at http://127.0.0.1:{port + 1}/{ENDS}"


def test_the_address_is_the_same_at_every_start_and_opened_again_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder with spaces and umlauts. The second start is for phones, too."""
    program, opened, port = tmp_path / "browser", tmp_path / "opened", free_port()
    program.write_text(f'#!/bin/sh\necho "$1" >>"{opened}"\n')
    program.chmod(stat.S_IRWXU)
    monkeypatch.setenv("BROWSER", f"{program} %s")
    (tmp_path / "Mäx & Zoë").mkdir()
    play, address = ("play", "--database", str(tmp_path / "Mäx & Zoë" / "t.db")), f"http://127.0.0.1:{port}/"
    with running(*play, "--port", str(port)) as process:
        assert line(process) == f"Illusion is at {address}{ENDS}"
        again = run_illusion(*play)  # whatever port was asked for
        assert (again.returncode, again.stdout, again.stderr) == (0, f"Illusion is running already, at {address}\n", "")
        for_phones = run_illusion(*play, "--lan", "--no-browser")
        if "no network" not in for_phones.stdout:
            assert for_phones.returncode == 1
            said = f"another Illusion (process {process.pid}) is using {play[-1]}; end that one first"
            assert for_phones.stderr == f"illusion: the database cannot be used: {said}\n"
    assert opened.read_text().split() == [address, address]
    with running(*play, "--lan", "--no-browser", "--port", str(port)) as process:
        assert line(process).startswith(f"Illusion is at {address}")
        assert "Play now" in httpx.get(address).text
        told = line(process)
        if "no network" in told:
            return
        found = re.search(rf"Phones open (http://[\d.]+:{port}/hello)", told)
        assert found, told
        assert "You have reached the game" in httpx.get(found[1]).text
        while "switch it off while you play" not in line(process):
            assert process.poll() is None


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["dance"], "argument command: invalid choice: 'dance'"),
        (["serve", "--port", "x"], "argument --port: a port from 0 to 65535, not 'x'"),
        (["verify"], "the following arguments are required: TABLE.json"),
        (["verify", "nowhere.json"], "illusion: nowhere.json cannot be read: No such file or directory"),
        (["replay"], "the following arguments are required: GAME.json"),
        (["replay", "nowhere.json"], "illusion: nowhere.json cannot be read: No such file or directory"),
        (["replay", "--fast", "x.json"], "unrecognized arguments: --fast"),
    ],
)
def test_wrong_arguments_get_one_clear_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    assert complaint in refusal(capsys, *arguments)


def test_it_is_port_8000_unless_told_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    assert "default: 8000; the next free one if it is taken" in " ".join(capsys.readouterr().out.split())


def test_postgresql_without_its_extra_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "asyncpg.py").write_text("raise ModuleNotFoundError(name='asyncpg')\n")
    command = [sys.executable, "-m", "illusion", "export", "--database", "postgresql://x@127.0.0.1:9/x", "-"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "run pip install --require-hashes -r locks/postgres.lock in Illusion's source folder\n" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_replay_serves_a_recorded_game_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = finished_record()
    (tmp_path / "game.json").write_bytes(msgspec.json.encode(record))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with running("replay", str(tmp_path / "game.json"), "--no-browser") as process:
        told = line(process)
        address = re.search(r"Illusion is at (http://127\.0\.0\.1:\d+)(/table/(\w{8})/replay)", told)
        assert address, told
        site, page, table = address.groups()
        assert httpx.get(site + page).status_code == 200
        replayed = httpx.get(f"{site}/api/tables/{table}/replay").json()
    doubts = sum(move.gap is None for move in record.moves)
    assert len(replayed["moments"]) == 1 + len(record.moves) + doubts
    assert replayed["bots"] == []
    assert list(tmp_path.glob("illusion-replay-*")) == []


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_record_that_is_not_as_promised_or_has_other_pictures_gets_one_sentence(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, path = msgspec.to_builtins(finished_record()), tmp_path / "t.json"
    other, ours = PICTURES_VERSION + 1, PICTURES_VERSION
    of_later = kept | {"secret": kept["secret"] | {"generator": other}}
    for record, complaint in (
        (of_later, f"its pictures are version {other}, and this program draws version {ours}"),
        (kept | {"moves": kept["moves"][:-1]}, "the moves do not reach the game's end"),
        (kept | {"variant": "chess"}, "is not the record of a game"),
    ):
        path.write_text(json.dumps(record))
        assert complaint in refusal(capsys, command, str(path))
