"""The display face without the letters that no page of ours needs: less than half as heavy (a subset font).

A TrueType font (OpenType 1.9) is a directory of tables. Glyphs keep their numbers, so kerning stays as it is; a glyph
that is not kept has no outline. The tables of substitutions and of glyphs' names go, for no page asks for them.
"""

import struct
from collections.abc import Iterable, Mapping
from itertools import accumulate, pairwise
from typing import Final

LETTERS: Final = ((0x20, 0x7E), (0xA0, 0x17F), (0x2010, 0x2044), (0x20AC, 0x20AC), (0x2190, 0x2193), (0x2212, 0x2212))
"""Latin as European languages write it, with their punctuation, and arrows; `base.css` says the same to browsers."""
DROPPED: Final = (b"GSUB", b"STAT")
NO_NAMES: Final = struct.pack(">L", 0x00030000)
"""The version of a `post` table that names no glyphs."""
WHOLE_FILE: Final = 0xB1B0AFBA
"""`head.checkSumAdjustment` makes the file's checksum this."""
IS_COMPOSITE, WORDS, MORE, SCALE, TWO_SCALES, MATRIX = -1, 0x1, 0x20, 0x8, 0x40, 0x80


def subset(font: bytes, letters: Iterable[tuple[int, int]] = LETTERS) -> bytes:
    """The same font with these ranges of letters only; for one whose `loca` is short and whose `cmap` has format 4."""
    tables = {name: table for name, table in _tables(font).items() if name not in DROPPED}
    wanted = {letter for first, last in letters for letter in range(first, last + 1)}
    glyph_of = {letter: glyph for letter, glyph in _glyph_of(tables[b"cmap"]).items() if letter in wanted}
    outlines = _outlines(tables)
    kept = _with_parts(outlines, {0, *glyph_of.values()})
    outlines = [outline if glyph in kept else b"" for glyph, outline in enumerate(outlines)]
    offsets = [0, *accumulate(map(len, outlines))]
    return _file(
        tables
        | {
            b"cmap": _character_map(glyph_of),
            b"glyf": b"".join(outlines),
            b"loca": struct.pack(f">{len(offsets)}H", *(offset // 2 for offset in offsets)),
            b"post": NO_NAMES + tables[b"post"][4:32],
        }
    )


def _tables(font: bytes) -> dict[bytes, bytes]:
    found = {}
    for at in range(struct.unpack_from(">H", font, 4)[0]):
        name, _checksum, start, length = struct.unpack_from(">4sLLL", font, 12 + 16 * at)
        found[name] = font[start : start + length]
    return found


def _glyph_of(cmap: bytes) -> dict[int, int]:
    """By letter, from the first subtable of format 4."""
    count = struct.unpack_from(">H", cmap, 2)[0]
    starts = (struct.unpack_from(">HHL", cmap, 4 + 8 * at)[2] for at in range(count))
    at = next(start for start in starts if struct.unpack_from(">H", cmap, start)[0] == 4)
    size = struct.unpack_from(">H", cmap, at + 6)[0]
    ends, first, deltas, offsets = (at + 14, at + 16 + size, at + 16 + 2 * size, at + 16 + 3 * size)
    found = {}
    for segment in range(0, size, 2):
        (end,), (start,) = (struct.unpack_from(">H", cmap, part + segment) for part in (ends, first))
        (delta,), (offset,) = (struct.unpack_from(">H", cmap, part + segment) for part in (deltas, offsets))
        for letter in range(start, end + 1):
            glyph = letter
            if offset:
                (glyph,) = struct.unpack_from(">H", cmap, offsets + segment + offset + 2 * (letter - start))
            if glyph and letter != 0xFFFF:
                found[letter] = (glyph + delta) % 0x10000
    return found


def _outlines(tables: Mapping[bytes, bytes]) -> list[bytes]:
    loca = tables[b"loca"]
    offsets = [2 * half for half in struct.unpack(f">{len(loca) // 2}H", loca)]
    return [tables[b"glyf"][start:end] for start, end in pairwise(offsets)]


def _with_parts(outlines: list[bytes], glyphs: set[int]) -> set[int]:
    """These glyphs, and those that they are put together from: an Ä is an A with a diaeresis."""
    found, left = set(glyphs), list(glyphs)
    while left:
        parts = set(_parts(outlines[left.pop()])) - found
        found |= parts
        left += parts
    return found


def _parts(outline: bytes) -> Iterable[int]:
    if not outline or struct.unpack_from(">h", outline)[0] != IS_COMPOSITE:
        return
    at, flags = 10, MORE
    while flags & MORE:
        flags, glyph = struct.unpack_from(">HH", outline, at)
        yield glyph
        at += 4 + (4 if flags & WORDS else 2)
        at += 2 if flags & SCALE else 4 if flags & TWO_SCALES else 8 if flags & MATRIX else 0


def _character_map(glyph_of: Mapping[int, int]) -> bytes:
    """A `cmap` with one subtable of format 4, one segment for each run of letters whose glyphs follow one another."""
    segments: list[tuple[int, int, int]] = []
    for letter, glyph in sorted(glyph_of.items()):
        delta = (glyph - letter) % 0x10000
        if segments and segments[-1][1:] == (letter - 1, delta):
            segments[-1] = (segments[-1][0], letter, delta)
        else:
            segments.append((letter, letter, delta))
    segments.append((0xFFFF, 0xFFFF, 1))
    starts, ends, deltas = zip(*segments, strict=True)
    count = len(segments)
    power = count.bit_length() - 1
    search = 2 << power
    parts = [*ends, 0, *starts, *deltas, *[0] * count]
    head = (4, 14 + 2 * len(parts), 0, 2 * count, search, power, 2 * count - search)
    return struct.pack(">HHHHL", 0, 1, 3, 1, 12) + struct.pack(f">7H{len(parts)}H", *head, *parts)


def _file(tables: Mapping[bytes, bytes]) -> bytes:
    tables = dict(sorted(tables.items()))
    head = tables[b"head"]
    tables[b"head"] = head[:8] + bytes(4) + head[12:]
    count = len(tables)
    power = count.bit_length() - 1
    search = 16 << power
    directory, body = struct.pack(">LHHHH", 0x00010000, count, search, power, 16 * count - search), b""
    for name, table in tables.items():
        start = 12 + 16 * count + len(body)
        directory += struct.pack(">4sLLL", name, _checksum(table), start, len(table))
        body += table + bytes(-len(table) % 4)
    made = bytearray(directory + body)
    at = struct.unpack_from(">L", directory, 12 + 16 * list(tables).index(b"head") + 8)[0] + 8
    struct.pack_into(">L", made, at, (WHOLE_FILE - _checksum(bytes(made))) % 2**32)
    return bytes(made)


def _checksum(table: bytes) -> int:
    padded = table + bytes(-len(table) % 4)
    words: tuple[int, ...] = struct.unpack(f">{len(padded) // 4}L", padded)
    return sum(words) % 2**32
