"""Names: 1 to 24 visible characters, cleaned of everything else, and distinct at one table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.tables import Refused
from illusion.tables.model.commands import clean_name, distinct_name

BLANK = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Letters and signs without ink."""


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana  María ", "Ana María"),
        ("Zoe\u0308", "Zoë"),
        ("A\u200bn\u202ea", "Ana"),
        ("Ana\nBob", "Ana Bob"),
        ("Łukasz 🦉", "Łukasz 🦉"),
        ("x" * 24, "x" * 24),
        *((f"{blank}An{blank}a{blank}", "Ana") for blank in BLANK),
    ],
)
def test_names_are_cleaned(given_name: str, shown: str) -> None:
    assert clean_name(given_name) == shown


@pytest.mark.parametrize("bad", ["", "   ", "\u200b\u202e", "x" * 25, "\u0301\u0301", "\n\t", *BLANK, BLANK])
def test_what_is_no_name_is_refused(bad: str) -> None:
    with pytest.raises(Refused) as caught:
        clean_name(bad)
    assert caught.value.code == "bad-name"


@given(st.text(max_size=60))
def test_whatever_is_typed_becomes_a_clean_name_or_is_refused(typed: str) -> None:
    try:
        name = clean_name(typed)
    except Refused:
        return
    assert 1 <= len(name) <= 24
    assert name == name.strip() == clean_name(name)
    assert name.isprintable()


def test_two_of_one_name_are_told_apart() -> None:
    assert distinct_name("Ana", ["Bob"]) == "Ana"
    assert distinct_name("ana", ["Ana"]) == "ana 2"
    assert distinct_name("Ana", ["Ana", "Ana 2"]) == "Ana 3"
    assert distinct_name("x" * 24, ["x" * 24]) == "x" * 22 + " 2"
