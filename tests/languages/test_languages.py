"""What a language offers, and which language a reader gets."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.languages import ENGLISH, languages, negotiate

NAMES = {"de": "Deutsch", "en": "English", "es": "Español", "fr": "Français", "pl": "Polski"}


def test_languages_are_called_what_their_speakers_call_them() -> None:
    assert {code: language.name for code, language in languages().items()}.items() >= NAMES.items()
    assert {languages()[code].direction for code in NAMES} == {"ltr"}


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("en", "0 points, 1 point, 2 points, 21 points"),
        ("de", "0 Punkte, 1 Punkt, 2 Punkte, 21 Punkte"),
        ("fr", "0 point, 1 point, 2 points, 21 points"),
        ("es", "0 puntos, 1 punto, 2 puntos, 21 puntos"),
        ("pl", "0 punktów, 1 punkt, 2 punkty, 4 punkty, 5 punktów, 12 punktów, 21 punktów, 22 punkty, 96 punktów"),
    ],
)
def test_plurals_are_right(code: str, told: str) -> None:
    counts = (int(each.split()[0]) for each in told.split(", "))
    ngettext = languages()[code].ngettext
    assert told == ", ".join(ngettext("%(count)s point", "%(count)s points", n) % {"count": n} for n in counts)


def test_an_unknown_text_stays_as_it_is_and_nothing_stays_nothing() -> None:
    for language in languages().values():
        assert language.gettext("Nobody wrote this.") == "Nobody wrote this."
        assert language.gettext("") == ""


@pytest.mark.parametrize(
    ("code", "written"),
    [("en", "16%"), ("pl", "16%"), ("de", "16\u00a0%"), ("es", "16\u00a0%"), ("fr", "16\u00a0%")],
)
def test_percentages_are_written_as_is_the_custom(code: str, written: str) -> None:
    assert languages()[code].percent(16) == written


@pytest.mark.parametrize(
    ("accepted", "chosen", "spoken"),
    [
        ("", "", "en"),
        ("de", "", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "", "de"),
        ("PL", "", "pl"),
        ("ja,fr;q=0.3", "", "fr"),
        ("en;q=0.2, es;q=0.9", "", "es"),
        ("de;q=0, pl;q=0.1", "", "pl"),
        ("*", "", "en"),
        ("de;q=x, pl", "", "pl"),
        (";;;,,=", "", "en"),
        ("de", "fr", "fr"),
        ("de", "tlh", "de"),
        ("de", "../de", "de"),
        ("en-XA", "en-XA", "en"),
    ],
)
def test_a_reader_gets_what_they_chose_or_what_their_browser_likes_best(
    accepted: str, chosen: str, spoken: str
) -> None:
    assert negotiate(languages(), accepted, chosen).code == spoken


@given(st.text(alphabet="deplfrens-;q=0.1 ,*\x00é"), st.text())
def test_whatever_is_asked_for_somebody_answers(accepted: str, chosen: str) -> None:
    assert negotiate(languages(), accepted, chosen) in languages().values()


def test_english_needs_no_catalogue() -> None:
    assert languages()["en"] is ENGLISH
    assert not (Path(__file__).parents[2] / "src/illusion/languages/en").exists()
