"""Subsets the display face to the letters that our pages need: less than half the size once compressed.

A TrueType font (OpenType 1.9) is a directory of tables. All of them are kept in order, so glyphs keep their numbers and
their kerning. Other glyphs lose their outlines, their widths and their kerning; substitutions and glyphs' names are
dropped.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, pairwise
from typing import Final

LETTERS: Final = (
    *((0x20, 0x7E), (0xA0, 0xA1), (0xAB, 0xAB), (0xB7, 0xB7), (0xBB, 0xBB), (0xBF, 0xFF)),
    *((0x104, 0x107), (0x118, 0x119), (0x141, 0x144), (0x152, 0x153), (0x15A, 0x15B), (0x178, 0x17C)),
    *((0x2010, 0x2026), (0x20AC, 0x20AC), (0x2190, 0x2193), (0x2212, 0x2212)),
)
"""Latin as western Europe, French and Polish write it, with their punctuation, and arrows; `base.css` says the same to
browsers. Others come with the whole face."""
NO_SUBSTITUTIONS: Final = struct.pack(">8H", 1, 0, 10, 12, 14, 0, 0, 0)
PAIRS: Final = (2, 1, 4, 0)
"""A lookup of pairs of single glyphs that adjusts the first one's advance."""
NO_NAMES: Final = struct.pack(">L", 0x00030000)
"""The version of a `post` table that names no glyphs."""
IS_COMPOSITE, WORDS, MORE, SCALE, TWO_SCALES, MATRIX = -1, 0x1, 0x20, 0x8, 0x40, 0x80


def subset(font: bytes, letters: Iterable[tuple[int, int]] = LETTERS) -> bytes:
    """The font with outlines for these ranges only. It must have a short `loca` and a `cmap` of format 4."""
    tables = _tables(font)
    glyph_of, places = _glyph_of(font, tables[b"cmap"].start), _places(font, tables)
    kept = {0, *(glyph_of.get(letter, 0) for first, last in letters for letter in range(first, last + 1))}
    left = list(kept)
    while left:  # composite glyphs: Ä is an A and a diaeresis
        start, end = places[left.pop()]
        parts = set(_parts(font[start:end])) - kept
        kept |= parts
        left += parts
    made = bytearray(font)
    outlines = [font[slice(*place)] if glyph in kept else b"" for glyph, place in enumerate(places)]
    halves = accumulate((len(outline) // 2 for outline in outlines), initial=0)
    made[tables[b"glyf"]] = b"".join(outlines).ljust(len(font[tables[b"glyf"]]), b"\0")
    made[tables[b"loca"]] = struct.pack(f">{len(places) + 1}H", *halves)
    for start, end, pairs in _kerning(font, tables[b"GPOS"].start, kept):
        made[start:end] = pairs.ljust(end - start, b"\0")
    for place in _widths(font, tables, set(range(len(places))) - kept):
        made[place] = bytes(place.stop - place.start)
    made[tables[b"GSUB"]] = NO_SUBSTITUTIONS.ljust(len(font[tables[b"GSUB"]]), b"\0")
    names = font[tables[b"post"]]
    made[tables[b"post"]] = (NO_NAMES + names[4:32]).ljust(len(names), b"\0")
    return bytes(made)


def _kerning(font: bytes, gpos: int, kept: set[int]) -> Iterator[tuple[int, int, bytes]]:
    """For each first glyph: the place of its pair set, and the pairs of it if both glyphs are kept."""
    lookup = gpos + struct.unpack_from(">H", font, gpos + 8)[0]
    lookup += struct.unpack_from(">H", font, lookup + 2)[0]
    kind, _flag, count = struct.unpack_from(">3H", font, lookup)
    for offset in struct.unpack_from(f">{count}H", font, lookup + 6):
        form, coverage, *values, sets = struct.unpack_from(">5H", font, lookup + offset)
        if (kind, form, *values) != PAIRS:
            continue
        places = struct.unpack_from(f">{sets}H", font, lookup + offset + 10)
        for first, place in zip(_covered(font, lookup + offset + coverage), places, strict=True):
            at = lookup + offset + place
            (length,) = struct.unpack_from(">H", font, at)
            found = [font[at + 2 + 4 * pair : at + 6 + 4 * pair] for pair in range(length)]
            left = [pair for pair in found if first in kept and int.from_bytes(pair[:2]) in kept]
            yield at, at + 2 + 4 * length, struct.pack(">H", len(left)) + b"".join(left)


def _covered(font: bytes, at: int) -> list[int]:
    """The glyphs of a coverage table: a list of them, or of ranges."""
    form, count = struct.unpack_from(">2H", font, at)
    if form == 1:
        return list(struct.unpack_from(f">{count}H", font, at + 4))
    ranges = (struct.unpack_from(">2H", font, at + 4 + 6 * each) for each in range(count))
    return [glyph for first, last in ranges for glyph in range(first, last + 1)]


def _widths(font: bytes, tables: Mapping[bytes, slice], glyphs: set[int]) -> Iterator[slice]:
    """The places of these glyphs' widths and bearings."""
    (count,) = struct.unpack_from(">H", font, tables[b"hhea"].start + 34)
    start = tables[b"hmtx"].start
    return (slice(start + 4 * glyph, start + 4 * glyph + 4) for glyph in glyphs if glyph < count)


def _tables(font: bytes) -> dict[bytes, slice]:
    (count,) = struct.unpack_from(">H", font, 4)
    entries = (struct.unpack_from(">4sLLL", font, 12 + 16 * at) for at in range(count))
    return {name: slice(start, start + length) for name, _checksum, start, length in entries}


def _places(font: bytes, tables: Mapping[bytes, slice]) -> list[tuple[int, int]]:
    """The start and end of each glyph's outline."""
    (count,) = struct.unpack_from(">H", font, tables[b"maxp"].start + 4)
    halves = struct.unpack_from(f">{count + 1}H", font, tables[b"loca"].start)
    return list(pairwise(tables[b"glyf"].start + 2 * half for half in halves))


def _glyph_of(font: bytes, cmap: int) -> dict[int, int]:
    """Glyphs by letter, from the first subtable of format 4."""
    (count,) = struct.unpack_from(">H", font, cmap + 2)
    subtables = (cmap + struct.unpack_from(">L", font, cmap + 8 + 8 * at)[0] for at in range(count))
    at = next(start for start in subtables if struct.unpack_from(">H", font, start)[0] == 4)
    segments = struct.unpack_from(">H", font, at + 6)[0] // 2
    columns = [at + 14 + 2 * segments * column + (2 if column else 0) for column in range(4)]
    ends, starts, deltas, offsets = (struct.unpack_from(f">{segments}H", font, column) for column in columns)
    found = {}
    for segment, (first, last) in enumerate(zip(starts, ends, strict=True)):
        for letter in range(first, last + 1):
            glyph = letter
            if offsets[segment]:
                place = columns[3] + 2 * segment + offsets[segment] + 2 * (letter - first)
                (glyph,) = struct.unpack_from(">H", font, place)
            if glyph:
                found[letter] = (glyph + deltas[segment]) % 0x10000
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
