"""Whatever the command line and the files named on it hold: one sentence, no traceback, and nothing lost."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from harness.command_line import refusal, run_illusion
from harness.tables.services import dealt_table, running_service, until_over
from harness.tables.stores import open_store

from illusion.cli import main
from illusion.tables.public.record import MAX_RECORD_BYTES
from illusion.tables.transfer import MAX_BLANK_LINES, MAX_LINE_BYTES, MAX_LOG_ENTRIES, exported_lines

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


def test_in_a_process_of_its_own_there_is_no_traceback_either(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    for arguments in (
        ["serve", "--port", "70000"],
        ["verify", "deep.json"],
        ["import", "deep.json"],
        ["verify", "/dev/zero"],
    ):
        ran = run_illusion(*arguments)
        assert ran.returncode in (1, 2)
        assert ran.stdout == ""
        assert "Traceback" not in ran.stderr
        assert ran.stderr.splitlines()[-1].startswith("illusion")


Change = Callable[[dict[str, Any]], object]
"""Spoils a table's line, or a record; a result that is not None replaces it."""


def at(key: str, value: object, entry: int | None = None) -> Change:
    def change(line: dict[str, Any]) -> None:
        (line if entry is None else line["log"][entry])[key] = value

    return change


def added(*entries: dict[str, Any]) -> Change:
    return lambda line: line["log"].extend(entries)


def inside(where: Callable[[dict[str, Any]], dict[str, Any]], key: str, value: object) -> Change:
    return lambda record: where(record).update({key: value})


def instead(value: object) -> Change:
    return lambda _: [value]


DEEP = json.loads("[" * 900 + "]" * 900)
WRONG_KINDS: list[object] = [None, True, -1, 10**30, 1.5, "", "x", [], {}, DEEP]
LEFT, BACK = {"entry": "went-away", "at": 0, "seat": 0, "why": "left"}, {"entry": "came-back", "at": 0, "seat": 0}
OPENED, PERSON, BOT, DEALT = 0, 1, 2, 4
"""Places in the log of the table that is spoiled: Ana opens it, bots sit down beside her, and she deals."""
NUMBERS: list[object] = [-1, 10**30, 1.5, "x", [], {}]
SPOILED_TABLES: dict[str, Change] = {
    **{f"{value!r:.20} seats": at("seats", value, OPENED) for value in (-1, 0, 1, 6, 10**9, 10**30, 2.5, "3", None)},
    **{f"clock {value!r}": at("clock", value, OPENED) for value in (-1, 0, 1, 10**30, 20.5, "20")},
    **{f"again {value!r:.20}": at("again", value, OPENED) for value in ("", "x" * 10**6, "22222222\n", 7)},
    **{f"variant {value!r}": at("variant", value, OPENED) for value in ("chess", None, 3)},
    **{f"time {value!r}": at("at", value, entry) for value in (-1, 1e300, None, "now") for entry in (OPENED, DEALT)},
    "a name of 10 MB": at("name", "x" * 10**7, PERSON),
    "a name that is slow to normalize": at("name", "\u0315\u0300" * 50_000, PERSON),
    **{f"name {value!r:.20}": at("name", value, PERSON) for value in ("", " ", "x" * 25, "a\u202eb", "a\nb", None, 7)},
    **{f"seat {value!r}": at("seat", value, PERSON) for value in (-1, 5, 10**30, None)},
    **{f"hash {value!r:.20}": at("token_hash", value, PERSON) for value in ("", "x", "A" * 64, "0" * 65, None, 7)},
    "a person and a bot in one": at("level", "keen", PERSON),
    **{f"level {value!r:.20}": at("level", value, BOT) for value in ("", "expert", "x" * 10**6, None, 7)},
    "a token that holds two seats": lambda line: line["log"].insert(2, line["log"][1] | {"seat": 3}),
    **{
        f"seed {value!r:.20}": at("seed", value, DEALT) for value in ("", "-1", "0x1", "1_0", "f" * 10**6, "x", 7, None)
    },
    **{f"nonce {value!r:.20}": at("nonce", value, DEALT) for value in ("", "x", "0" * 65, 7)},
    **{f"generator {value!r}": at("generator", value, DEALT) for value in (0, -1, 99, 10**30, "1", None, 1.0)},
    **{f"order {value!r:.20}": at("order", value, DEALT) for value in ([], [0, 0, 1], [0, 1, 9], [[0]], [-1, 0, 1])},
    "dealt to bots alone": lambda line: line["log"].pop(PERSON),
    "dealt twice": lambda line: line["log"].insert(DEALT, line["log"][DEALT]),
    "opened twice": lambda line: line["log"].insert(0, line["log"][0]),
    "never opened": lambda line: line["log"].pop(0),
    "somebody who leaves when all is over": added(LEFT),
    "somebody who comes back when all is over": added(BACK),
    "a bot that leaves": lambda line: line["log"].insert(DEALT + 1, LEFT | {"seat": 1}),
    "a rematch at no table": added({"entry": "played-again", "at": 0, "table": "x" * 10**6}),
    "two rematches": added(*[{"entry": "played-again", "at": 0, "table": "22222222"}] * 2),
    "closed twice": added(*[{"entry": "closed", "at": 0}] * 2),
    "played on when closed": lambda line: line["log"].insert(DEALT + 1, {"entry": "closed", "at": 0}),
    "an entry of 10 MB": at("more", "x" * 10**7, PERSON),
    "an entry with a name of its own": added({"entry": "x" * 10**6, "at": 0}),
    "an entry with control characters": added({"entry": "\x1b[31m\n\u202e", "at": 0}),
    "an unending log": lambda line: line.update(log=line["log"][: DEALT + 1] + [LEFT, BACK] * (MAX_LOG_ENTRIES // 2)),
    **{f"log {value!r:.20}": at("log", value) for value in WRONG_KINDS},
    **{f"entry {value!r:.20}": added(value) for value in WRONG_KINDS},  # type: ignore[arg-type]
    **{
        f"table {value!r:.20}": at("table", value) for value in [*WRONG_KINDS, "x" * 10**6, "2222222l", "2222222\u0662"]
    },
    "a field too many": at("more", 1),
    **{f"a line that is {value!r:.20}": instead(value) for value in WRONG_KINDS},
}
SPOILED_RECORDS: dict[str, Change] = {
    "ten million players": at("players", ["x"] * 10**6),
    "long names": at("players", ["x" * 10**6, "Bob"]),
    "control characters in a name": at("players", ["\x1b[31m", "Bob"]),
    **{f"table {value!r:.20}": at("table", value) for value in ("", "\x1b[31m evil", "x" * 10**6, None, 7)},
    **{
        f"players {value!r:.20}": at("players", value)
        for value in ([], ["Ana"], ["a", "b", "c", "d", "e", "f"], None, [7, 8])
    },
    **{f"variant {value!r}": at("variant", value) for value in ("chess", None, 3)},
    **{f"secret {value!r:.20}": at("secret", value) for value in WRONG_KINDS},
    **{
        f"{name} {value!r:.20}": inside(lambda record: record["secret"], name, value)
        for name in ("seed", "nonce", "generator")
        for value in ("", "-1", "f" * 10**6, 7, None, 10**30, "0x1")
    },
    **{f"commitment {value!r:.20}": at("commitment", value) for value in ("", "0" * 64, 7, None)},
    **{f"opening {value!r:.20}": at("opening", value) for value in WRONG_KINDS},
    **{f"moves {value!r:.20}": at("moves", value) for value in WRONG_KINDS},
    **{
        f"{name} {value!r:.20}": inside(lambda record: record["moves"][0], name, value)
        for name in ("seat", "gap", "happened")
        for value in NUMBERS
    },
    "moves without end": lambda record: record.update(moves=record["moves"] * 100),
    **{f"a record that is {value!r:.20}": instead(value) for value in WRONG_KINDS},
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """A whole game as its exported line and as its record."""

    async def play() -> tuple[bytes, bytes]:
        database = str(tmp_path_factory.mktemp("game") / "t.db")
        async with running_service(database) as service:
            table, _ = await dealt_table(service)
            await until_over(service, table)
            record = msgspec.json.encode(await service.record(table))
        async with open_store(database) as store:
            return b"".join([line async for line in exported_lines(store)]), record

    return asyncio.run(play())


def spoil(good: bytes, change: Change) -> bytes:
    value = json.loads(good)
    changed = change(value)
    return json.dumps(changed[0] if isinstance(changed, list) else value).encode()


def test_a_good_one_is_taken_and_verified(
    game: tuple[bytes, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line, record = game
    (tmp_path / "lines").write_bytes(line)
    (tmp_path / "record").write_bytes(record)
    main(["import", "--database", "t.db", "lines"])
    main(["verify", "record"])
    assert capsys.readouterr().out.startswith("Taken in: 1 tables; 0 were there already.\nAs promised")


@pytest.mark.parametrize("change", SPOILED_TABLES.values(), ids=map(ascii, SPOILED_TABLES))
def test_a_table_that_cannot_be_is_not_imported(
    change: Change, game: tuple[bytes, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line, _ = game
    (tmp_path / "lines").write_bytes(line + spoil(line.replace(line[10:18], b"33333333", 1), change) + b"\n")
    assert refusal(capsys, "import", "--database", "t.db", "lines").startswith("illusion: line 2 is not a table: ")
    main(["export", "--database", "t.db", "-"])
    assert capsys.readouterr().out.encode() == line  # the first one is there, whole, and nothing else


@pytest.mark.parametrize("change", SPOILED_RECORDS.values(), ids=map(ascii, SPOILED_RECORDS))
def test_a_record_that_cannot_be_is_not_as_promised(
    change: Change, game: tuple[bytes, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "record").write_bytes(spoil(game[1], change))
    sentence = refusal(capsys, "verify", "record")
    assert sentence.startswith(("illusion: record is not the record of a game: ", "illusion: not as promised: "))


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
