"""Whatever the command line and the files named on it hold: one sentence, no traceback, and nothing lost."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from harness.command_line import refusal
from harness.tables.records import finished_log, finished_record
from harness.tables.services import open_store

from illusion.tables.model.entries import encode
from illusion.tables.public.record import MAX_RECORD_BYTES, InvalidRecord, find_mismatch, read_record
from illusion.tables.transfer import MAX_BLANK_LINES, MAX_LINE_BYTES, MAX_LOG_ENTRIES, CannotTransfer, import_lines

DIGITS = "9" * 5000
OPTIONS = [
    *(["serve", "--port", text] for text in ("70000", "-1", "65536", "8000.0", "", DIGITS, "\u0661", "0x50", "1e3")),
    *(["serve", "--bot-seconds", text] for text in ("nan", "inf", "-inf", "-1", "1e308", "601", "", "x" * 9999)),
    *(["serve", "--idle-hours", text] for text in ("nan", "inf", "-0.001", "1e308", "10001", "soon")),
    *(["serve", "--tables-a-minute", text] for text in ("-1", "1.5", DIGITS, "nan", "")),
    *(["serve", "--limit", f"requests={text}"] for text in ("-1", "1.5", DIGITS, "nan", "", "1=1", "+1", " 1")),
    *(["serve", "--limit", text] for text in ("", "=", "people=3", "x" * 9999)),
    *(["serve", f"--{which}", text] for which in ("trusted-proxy", "metrics-from") for text in ("", "x", "10.0.0.1/8")),
    *(
        ["serve", "--host", text]
        for text in ("", " ", "no such host", "..", "\u00e4" * 99, "x" * 9999, "1.2.3.4.5", ":")
    ),
    *(["serve", "--host-name", text] for text in ("", "a b", "a:80", "http://a", "\u00e4", "x" * 254, "x" * 9999)),
    ["serve", "--log", "everything"],
    *(
        ["arena", "--players", text]
        for text in ("", "keen", "keen,", "keen,nobody", ",".join(["keen"] * 6), "x" * 9999)
    ),
    *(["arena", "--players", "keen,keen", "--jobs", text] for text in ("0", "257", DIGITS, "-1")),
    *(["arena", "--players", "keen,keen", "--games", text] for text in ("0", DIGITS, "-1", "1e3")),
    ["arena", "--players", "keen,keen", "--plot", "/nowhere/plot.svg"],
    *(["deck", "--seed", text, "--out", "deck"] for text in (DIGITS, "")),
    *([what, text] for what in ("verify", "replay") for text in ("/dev/zero", ".", "x" * 300)),
    ["import", "."],
    ["import", "/dev/zero"],
    ["export", "folder"],
    ["export", "pipe"],
    ["export", "--table", "x\n" * 9999, "-"],
    *([what, "--database", "postgresql://[", "-"] for what in ("export", "import")),
    *(
        ["export", "--database", f"postgresql://{text}", "-"]
        for text in ("a:b@c:d/e", "x@:99999/x", "\u00e4@[::1", "%zz")
    ),
    ["export", "--database", "folder", "-"],
    ["export", "--database", "pipe", "-"],
    ["import", "--database", "folder", "file"],
    ["import", "--database", "pipe", "file"],
    ["export", "--database", "/nowhere/tables.db", "-"],
    ["export", "--database", "x" * 300, "-"],
    ["serve", "--port", "0", "--database", "folder"],
    ["serve", "--port", "0", "--database", "pipe"],
    ["serve", "--port", "0", "--database", "x" * 300],
]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.mark.parametrize("arguments", OPTIONS, ids=lambda arguments: ascii(" ".join(arguments))[:60])
def test_an_option_that_cannot_be_gets_one_sentence(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is no file is neither replaced nor given another mode, nor are files put beside it."""
    (tmp_path / "file").touch(0o644)
    (tmp_path / "folder").mkdir(0o755)
    os.mkfifo(tmp_path / "pipe", 0o644)
    before = {path.name: path.stat().st_mode for path in tmp_path.iterdir()}
    refusal(capsys, *arguments)
    after = {path.name: path.stat().st_mode for path in tmp_path.iterdir() if path.name != "data"}
    assert after == before


@pytest.mark.parametrize(
    "command", [["play", "--no-browser"], ["serve", "--port", "0"], ["export", "-"], ["import", "-"]]
)
def test_a_data_folder_that_cannot_be_used_gets_one_sentence(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").touch()
    sentence = f"illusion: the database cannot be used: the folder {tmp_path}/data/illusion cannot be made: "
    assert refusal(capsys, *command).startswith(sentence)


DEEP = json.loads("[" * 900 + "]" * 900)
WRONG: list[object] = [
    *(None, True, -1, 0, 6, 99, 10**30, 1.5, 1e300, "", " ", "x", "0x1", "7", "a\nb", "\x1b[31m\u202e", "x" * 25),
    *("x" * 10**6, "f" * 10**6, "\u0315\u0300" * 50_000, [], {}, [0, 0, 1], [0, 1, 9], ["Ana"], ["x"] * 10**5, DEEP),
]
"""Each is put wherever a file has a value."""
WRITTEN = [json.dumps(wrong).encode() for wrong in WRONG]
NAMED = ("x", "0x1", "7")
FITS: dict[str, tuple[object, ...]] = {
    "at": (6, 99, 1.5),
    "name": NAMED,
    "players": NAMED,
    "nonce": ("7",),
    "terms": ({},),
    "drawn": (True,),
}
"""What may stand there."""
OPENED, PERSON, DEALT = 0, 1, 4
"""Places in the log."""
LEFT, BACK = {"entry": "went-away", "at": 0, "seat": 0, "why": "left"}, {"entry": "came-back", "at": 0, "seat": 0}
CLOSED, AGAIN = {"entry": "closed", "at": 0}, {"entry": "played-again", "at": 0, "table": "22222222", "seat": 0}
ZOE = {"entry": "sat-down", "at": 0, "seat": 0, "name": "Zoe", "token_hash": "5" * 64}
BOT = {"entry": "sat-down", "at": 0, "seat": 1, "name": "Otto", "level": "keen"}
PROMISE = {"entry": "promised", "at": 0, "name": "Zoe", "token_hash": "5" * 64}
SPOILED_LOGS: dict[str, Callable[[list[Any]], object]] = {
    "never opened": lambda log: log.pop(OPENED),
    "opened twice": lambda log: log.insert(1, log[OPENED]),
    "dealt twice": lambda log: log.insert(DEALT, log[DEALT]),
    "a move before the deal": lambda log: log.pop(DEALT),
    "a seat taken twice": lambda log: log.insert(2, log[PERSON]),
    "an absent nobody": lambda log: log.__setitem__(PERSON, LEFT),
    "a deal of other pictures": lambda log: log[DEALT].update(generator=99),
    "a gap that does not exist": lambda log: log[DEALT + 1].update(gap=5),
    "dealt to bots alone": lambda log: [log.pop(3), log.pop(PERSON)],
    "a token that holds two seats": lambda log: log[3].update(token_hash=log[PERSON]["token_hash"]),
    "a person and a bot in one": lambda log: log[PERSON].update(level="keen"),
    "seats dealt twice": lambda log: log[DEALT].update(order=[0, 0, 1]),
    "somebody who leaves when all is over": lambda log: log.append(LEFT),
    "somebody who comes back when all is over": lambda log: log.append(BACK),
    "a bot that leaves": lambda log: log.insert(DEALT + 1, LEFT | {"seat": 1}),
    "two rematches": lambda log: log.extend([AGAIN, AGAIN]),
    "a rematch at no table": lambda log: log.append(AGAIN | {"table": "x" * 10**6}),
    "a rematch that nobody wanted": lambda log: log.append(AGAIN | {"seat": 9}),
    "a bot that takes a seat in a game": lambda log: log.insert(DEALT + 1, BOT),
    "a person's seat taken": lambda log: log.insert(DEALT + 1, ZOE),
    "a person's seat taken by their own token": lambda log: log.insert(DEALT + 1, ZOE | {"token_hash": "a" * 64}),
    "one seat too many promised": lambda log: log.__setitem__(
        slice(DEALT + 1, DEALT + 1), [PROMISE | {"token_hash": f"{at:064}"} for at in range(5)]
    ),
    "a chair promised that there is not": lambda log: log.insert(DEALT, PROMISE),
    "a seat promised to who has one": lambda log: log.insert(DEALT + 1, PROMISE | {"token_hash": "a" * 64}),
    "a promise to nobody": lambda log: log.insert(DEALT + 1, PROMISE | {"name": "\u200b"}),
    "a promise that nobody gave": lambda log: log.insert(DEALT + 1, {"entry": "gave-up", "at": 0, "number": 1}),
    "a bot sent away": lambda log: log.insert(DEALT + 1, {"entry": "sent-away", "at": 0, "seat": 1}),
    "sent away twice": lambda log: log.extend([{"entry": "sent-away", "at": 0, "seat": 0}] * 2),
    "locked when closed": lambda log: log.extend([CLOSED, {"entry": "locked", "at": 0, "locked": True}]),
    "closed twice": lambda log: log.extend([CLOSED, CLOSED]),
    "played on when closed": lambda log: log.insert(DEALT + 1, CLOSED),
    "a field too many": lambda log: log[PERSON].update(more="x" * 10**7),
    "an entry of its own": lambda log: log.append({"entry": "\x1b[31m\n\u202e" * 10**5, "at": 0}),
    "an unending log": lambda log: log.__setitem__(slice(DEALT + 1, None), [LEFT, BACK] * (MAX_LOG_ENTRIES // 2)),
}


def exported(log: list[Any]) -> bytes:
    return json.dumps({"table": "22222222", "log": log}).encode()


LOG: list[Any] = [json.loads(encode(entry)) for entry in finished_log()]
RECORD = msgspec.json.encode(finished_record())


def places(value: Any) -> Iterator[tuple[str | int, ...]]:
    """Where something stands in a file; of a long list in its first items. What happened is compared as a whole."""
    parts = value.items() if isinstance(value, dict) else enumerate(value[:5]) if isinstance(value, list) else ()
    for key, part in parts:
        yield (key,)
        if key not in ("opening", "happened"):
            yield from ((key, *inside) for inside in places(part))


def spoiled(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Every file with something wrong in one place, and what is wrong."""
    for path in places(json.loads(text)):
        fits = FITS.get(next(key for key in reversed(path) if isinstance(key, str)), ())
        value = file = json.loads(text)
        for key in path[:-1]:
            value = value[key]
        right, value[path[-1]] = value[path[-1]], "HERE"
        around = json.dumps(file).encode()
        for wrong, written in zip(WRONG, WRITTEN, strict=True):
            if right != wrong and wrong not in fits:
                yield f"{path}: {wrong!r:.40}", around.replace(b'"HERE"', written)


def check_sentence(sentence: str) -> None:
    assert sentence.isprintable()
    assert len(sentence) < 300


async def test_a_table_that_cannot_be_is_not_imported(tmp_path: Path) -> None:
    async with open_store(str(tmp_path / "t.db")) as store:
        for what, line in spoiled(exported(LOG)):
            with pytest.raises(CannotTransfer, match=r"^line 1 is not a table: ") as refused:
                pytest.fail(f"{what} is taken: {await import_lines(store, [line])}")
            check_sentence(str(refused.value))
        assert await store.tables() == []
        await import_lines(store, [exported(LOG)])
        assert await store.tables() == ["22222222"]


IMPORT_EACH = """
import asyncio, sys
from illusion.tables import store_at
from illusion.tables.transfer import CannotTransfer, import_lines

async def main():
    store = store_at(sys.argv[1])
    await store.open()
    for line in sys.stdin.buffer:
        try:
            print(await import_lines(store, [line]))
        except CannotTransfer as refusal:
            print(refusal)
    print(await store.tables())
    await store.close()

assert False, "this is not run with -O"
asyncio.run(main())
"""


def test_a_log_that_makes_no_table_is_not_imported_even_where_no_assert_is_checked(tmp_path: Path) -> None:
    lines = bytearray()
    for spoil in SPOILED_LOGS.values():
        log = json.loads(json.dumps(LOG))
        spoil(log)
        lines += exported(log) + b"\n"
    command = [sys.executable, "-O", "-c", IMPORT_EACH, str(tmp_path / "t.db")]
    ran = subprocess.run(command, input=lines, capture_output=True, check=True)
    *refusals, tables = ran.stdout.decode().splitlines()
    assert (ran.stderr, tables) == (b"", "[]")
    for what, sentence in zip(SPOILED_LOGS, refusals, strict=True):
        assert sentence.startswith("line 1 is not a table: "), what
        check_sentence(sentence)


def test_a_record_that_cannot_be_is_not_as_promised() -> None:
    assert find_mismatch(read_record(RECORD)) is None
    for what, text in spoiled(RECORD):
        try:
            sentence = find_mismatch(read_record(text))
        except InvalidRecord as refused:
            sentence = str(refused)
        assert sentence is not None, what
        check_sentence(sentence)


RAW = {
    "nothing": b"",
    "zeroes": bytes(1000),
    "not UTF-8": b'{"table":"\xff\xff\xff\xff\xff\xff\xff\xff","log":[]}',
    "half a surrogate": b'{"table":"\\ud800","log":[]}',
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"table":' * 100_000,
    "a deep log": b'{"table":"22222222","log":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "many entries": b'{"table":"22222222","log":[' + b"0," * 1_000_000 + b"0]}",
    "a long number": b"9" * 1_000_000,
    "an exponent": b"1e999999999",
    "a file that is too long": b" " * (MAX_RECORD_BYTES + 1),
}


@pytest.mark.parametrize("text", RAW.values(), ids=RAW)
def test_what_is_no_json_of_ours_is_refused(text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_bytes(text)
    refusal(capsys, "verify", "file")
    if text.strip():
        refusal(capsys, "import", "--database", "t.db", "file")


def test_a_line_or_a_file_without_an_end_is_not_read_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "long").write_bytes(b"[" + b" " * MAX_LINE_BYTES)
    assert "line 1 is not a table: it is longer than" in refusal(capsys, "import", "--database", "t.db", "long")
    (tmp_path / "blank").write_bytes(b"\n" * (MAX_BLANK_LINES + 1))
    assert f"line {MAX_BLANK_LINES + 1} is blank" in refusal(capsys, "import", "--database", "t.db", "blank")
