"""What a language offers, and which language a reader gets."""

from gettext import c2py  # what gettext itself reads plural rules with
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from hypothesis import given
from hypothesis import strategies as st

from illusion.languages import ENGLISH, FILE, languages, languages_in, negotiate

SLOGANS = {
    "en": "How much colour can you really see?",
    "de": "Wie viel Farbe siehst du wirklich?",
    "fr": "Quelle quantité de couleur vois‑tu vraiment\u00a0?",  # noqa: RUF001  (a hyphen that does not break)
    "es": "¿Confías en tus ojos?",
    "pl": "Czy możesz uwierzyć swoim oczom?",
}


def test_languages_are_called_what_their_speakers_call_them() -> None:
    names = {code: language.name for code, language in languages().items()}
    assert (
        names.items() >= {"de": "Deutsch", "en": "English", "es": "Español", "fr": "Français", "pl": "Polski"}.items()
    )
    assert {languages()[code].direction for code in SLOGANS} == {"ltr"}


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("en", {0: "0 cards left", 1: "1 card left", 2: "2 cards left", 5: "5 cards left", 22: "22 cards left"}),
        ("de", {0: "0 Karten übrig", 1: "1 Karte übrig", 2: "2 Karten übrig", 22: "22 Karten übrig"}),
        ("fr", {0: "0 carte restante", 1: "1 carte restante", 2: "2 cartes restantes"}),
        ("es", {0: "Quedan 0 cartas", 1: "Queda 1 carta", 2: "Quedan 2 cartas"}),
        (
            "pl",
            {
                0: "Zostało 0 kart",
                1: "Została 1 karta",
                2: "Zostały 2 karty",
                4: "Zostały 4 karty",
                5: "Zostało 5 kart",
                12: "Zostało 12 kart",
                21: "Zostało 21 kart",
                22: "Zostały 22 karty",
                96: "Zostało 96 kart",
            },
        ),
    ],
)
def test_plurals_are_right(tmp_path: Path, code: str, forms: dict[int, str]) -> None:
    """By the plural rules that Babel knows, as `make messages` writes them into a catalogue's header."""
    catalogue = Catalog(code)
    form_of = c2py(catalogue.plural_expr)
    counts = [next(n for n in forms if form_of(n) == form) for form in range(catalogue.num_plurals)]
    written = [forms[n].replace(str(n), "%(num)s", 1) for n in counts]
    catalogue.add(("%(num)s card left", "%(num)s cards left"), written)
    (tmp_path / code).mkdir()
    with (tmp_path / code / FILE).open("wb") as file:
        write_po(file, catalogue)
    ngettext = languages_in(tmp_path)[code].ngettext
    told = {n: ngettext("%(num)s card left", "%(num)s cards left", n) % {"num": n} for n in forms}
    assert told == forms


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
