"""docs/translating.md, followed word for word in a copy of the repository: a language is nothing but its catalogue."""

import os
import re
import shutil
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po, write_po
from harness.followed_pages import copied, run, section

ACCENTS: Final = str.maketrans("aeiou", "àèìòù")
PLACEHOLDER: Final = re.compile(r"(%\(\w+\)s|%%)")
OF_ITALIAN: Final = "[it] or [it- or -it] or folder or glossary or sentence"
"""The checks of one language, and those that compare all of them."""
ALONE: Final = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def accented(text: str) -> str:
    """A translation of sorts: with accents, and with all its placeholders."""
    parts = PLACEHOLDER.split(text)
    return "".join(part if PLACEHOLDER.fullmatch(part) else part.translate(ACCENTS) for part in parts)


def translate(path: Path) -> None:
    with path.open("rb") as file:
        catalogue = read_po(file, "it")
    for message in catalogue:
        if isinstance(message.id, str):
            message.string = accented(message.id)
        else:
            message.string = (accented(message.id[0]), *[accented(message.id[1])] * (catalogue.num_plurals - 1))
    header = path.read_text().partition("\n\n")[0].replace('\n"X-State: begun\\n"', "")
    with path.open("wb") as file:
        file.write(header.encode() + b"\n\n")
        write_po(file, catalogue, omit_header=True)


def test_a_sixth_language_needs_nothing_but_its_catalogue(tmp_path: Path) -> None:
    """Of `make messages` only the recipe is run."""
    copy = copied(tmp_path, "src", "tools", "tests/languages", "docs", "Makefile")
    path = copy / "src/illusion/languages/it/illusion.po"
    shutil.rmtree(path.parent, ignore_errors=True)  # somebody may have followed the page already
    (commands,) = re.findall(r"```sh\n(.*?)```", section("translating.md", "A sixth language"), re.DOTALL)
    assert commands.split() == ["mkdir", "src/illusion/languages/it", "make", "messages"]
    path.parent.mkdir()
    (recipe,) = re.findall(r"^messages:.*\n\t@\$\(BIN\)/python (.+)$", (copy / "Makefile").read_text(), re.MULTILINE)
    printed = run(copy, *recipe.split())
    (count,) = re.findall(r"^it: begun, 0 of (\d+) texts translated, \1 missing$", printed, re.MULTILINE)
    assert "it" not in run(copy, "-c", "from illusion.languages import languages; print(*languages())").split()

    translate(path)
    assert f"it: {count} of {count} texts translated\n" in run(copy, *recipe.split())
    chosen = ["-c", os.devnull, "tests/languages/test_catalogues.py", "-k", OF_ITALIAN]
    said = run(copy, "-m", "pytest", "-v", "-p", "no:cacheprovider", *chosen, **ALONE)
    assert "test_a_language_is_a_folder_that_is_not_merely_begun PASSED" in said  # so it is offered to readers
    assert said.count("[it] PASSED") == 2
