"""A game dealt by an earlier generator verifies for ever; it was played and recorded before generator 2 was there."""

from pathlib import Path

import msgspec
import pytest

from illusion import cli
from illusion.deck import self_check
from illusion.tables.public.record import Record, find_mismatch

OLD = Path(__file__).parent / "record-of-generator-1.json"


def test_a_record_of_generator_1_verifies(capsys: pytest.CaptureFixture[str]) -> None:
    record = msgspec.json.decode(OLD.read_bytes(), type=Record)
    assert record.secret["generator"] == 1
    assert find_mismatch(record) is None
    cli.main(["verify", str(OLD)])
    assert capsys.readouterr().out.splitlines() == [
        "As promised: the commitment fits, and all cards of table 783mjd2y came in the order it fixed."
    ]


def test_where_its_pictures_cannot_be_had_exactly_a_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(self_check.HASHES[1], 62, "0" * 64)
    cli.main(["verify", str(OLD)])
    promised, pictures = capsys.readouterr().out.splitlines()
    assert promised.startswith("As promised")
    assert pictures.startswith("Its pictures cannot be had exactly here: this installation draws other pictures")
