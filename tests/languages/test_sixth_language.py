"""docs/translating.md, followed word for word in a copy of the repository: a language is nothing but its catalogue."""

import re
import shutil
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po, write_po
from harness.followed_pages import copied, run, section

COPIED: Final = ("src", "tools", "tests", "harness", "docs", "Makefile", "pyproject.toml")
ACCENTS: Final = str.maketrans("aeiou", "àèìòù")
PLACEHOLDER: Final = re.compile(r"(%\(\w+\)s|%%)")
OF_ITALIAN: Final = "[it] or [it- or -it] or folder or column or sentence or called or unknown"
"""The checks of one language, and those that compare all of them."""


def follow(copy: Path) -> str:
    """Runs the commands of the page; what they printed. Of `make messages` only the recipe is run."""
    printed = ""
    (block,) = re.findall(r"```sh\n(.*?)```", section("translating.md", "A sixth language"), re.DOTALL)
    (recipe,) = re.findall(r"^messages:.*\n\t@\$\(BIN\)/python (.+)$", (copy / "Makefile").read_text(), re.MULTILINE)
    for command in block.split("\n"):
        match command.split():
            case ["mkdir", folder]:
                (copy / folder).mkdir()
            case ["make", "messages"]:
                printed += run(copy, *recipe.split())
            case other:
                assert not other, f"the page has a command that this test does not know: {command}"
    return printed


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
    header = path.read_text().partition("\n\n")[0]
    with path.open("wb") as file:
        file.write(header.encode() + b"\n\n")
        write_po(file, catalogue, omit_header=True)


def test_a_sixth_language_needs_nothing_but_its_catalogue(tmp_path: Path) -> None:
    copy = copied(tmp_path, *COPIED)
    path = copy / "src/illusion/languages/it/illusion.po"
    shutil.rmtree(path.parent, ignore_errors=True)  # somebody may have followed the page already
    offered = "from illusion.languages import languages; print(*languages())"
    printed = follow(copy)
    (count,) = re.findall(r"^it: begun, 0 of (\d+) texts translated, \1 missing$", printed, re.MULTILINE)
    assert "it" not in run(copy, "-c", offered).split()

    translate(path)
    path.write_text(path.read_text().replace('"X-State: begun\\n"\n', ""))
    assert f"it: {count} of {count} texts translated\n" in run(copy, "tools/messages.py")
    assert "it" in run(copy, "-c", offered).split()
    chosen = ["tests/languages", "-k", f"not sixth and ({OF_ITALIAN})"]
    said = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--noconftest", *chosen)
    assert int(re.findall(r"(\d+) passed", said)[0]) >= 10
