"""The command `illusion`, run as people run it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import httpx
import msgspec
import pytest
from harness.command_line import refusal, run_illusion
from harness.tables.records import finished_record

from illusion import __version__
from illusion.deck import PICTURES_VERSION


def test_a_port_that_is_taken_gets_one_clear_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = run_illusion("serve", "--port", str(port), "--database", str(tmp_path / "t.db"))
    assert ran.returncode != 0
    assert ran.stderr == f"illusion: cannot listen on 127.0.0.1:{port}: Address already in use\n"


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


def test_the_version_is_the_installed_one() -> None:
    shown = run_illusion("--version")
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, f"illusion {__version__}\n", "")
    assert metadata.version("play-illusion") == __version__


def test_postgresql_without_its_extra_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "asyncpg.py").write_text("raise ModuleNotFoundError(name='asyncpg')\n")
    command = [sys.executable, "-m", "illusion", "export", "--database", "postgresql://x@127.0.0.1:9/x", "-"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "run pip install --require-hashes -r locks/postgres.lock in Illusion's source folder\n" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_replay_serves_a_recorded_game_and_leaves_nothing(tmp_path: Path) -> None:
    record = finished_record()
    (tmp_path / "game.json").write_bytes(msgspec.json.encode(record))
    command = [sys.executable, "-m", "illusion", "replay", str(tmp_path / "game.json"), "--no-browser"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"Illusion is at (http://127\.0\.0\.1:\d+)(/table/(\w{8})/replay)", line)
        assert address, line
        site, page, table = address.groups()
        assert httpx.get(site + page).status_code == 200
        told = httpx.get(f"{site}/api/tables/{table}/replay").json()
        doubts = sum(move.gap is None for move in record.moves)
        assert len(told["moments"]) == 1 + len(record.moves) + doubts
        assert told["bots"] == []
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (0, "", "")
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
