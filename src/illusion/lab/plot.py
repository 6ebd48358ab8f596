"""Plots an arena's result: win rates with confidence intervals, and the lengths of doubted rows."""

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape  # it writes, it does not parse  # nosec B406

from illusion.lab.arena import ArenaReport, PlayerResult

_WIDTH: Final = 720
_PANEL: Final = 220
_LEFT: Final = 130
_COLOURS: Final = ("#d33a2c", "#e0a800", "#2e8b57", "#2a6fb0", "#7d5ba6")


def plot_svg(result: ArenaReport) -> str:
    rates_height = 60 + 34 * len(result.players)
    height = rates_height + _PANEL + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"',
        ' font-family="sans-serif" font-size="13">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        _title(24, f"Win rates in {result.games:,} games ({result.variant}), with 95 % intervals"),
        *_rates(result.players),
        _title(rates_height + 24, f"Cards in the row when it was doubted: {result.row_at_doubt:.2f} on average"),
        *_rows(result.rows, rates_height + 40),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _title(y: int, text: str) -> str:
    return f'<text x="16" y="{y}" font-weight="bold">{escape(text)}</text>'


def _rates(players: Sequence[PlayerResult]) -> list[str]:
    parts = []
    wide = _WIDTH - _LEFT - 120
    for at, player in enumerate(players):
        y = 44 + 34 * at
        end = _LEFT + wide * player.win_rate
        low, high = _LEFT + wide * player.low, _LEFT + wide * player.high
        parts += [
            f'<text x="{_LEFT - 8}" y="{y + 16}" text-anchor="end">{escape(player.level)}</text>',
            f'<rect x="{_LEFT}" y="{y}" width="{end - _LEFT:.1f}" height="22" fill="{_COLOURS[at]}"/>',
            f'<path d="M{low:.1f} {y + 6}v10v-5H{high:.1f}v-5v10" stroke="#222" fill="none"/>',
            f'<text x="{high + 8:.1f}" y="{y + 16}">{100 * player.win_rate:.1f} %</text>',
        ]
    return parts


def _rows(rows: dict[int, int], top: int) -> list[str]:
    doubts, longest, most = sum(rows.values()), max(rows), max(rows.values())
    step = (_WIDTH - 60) / (longest - 1)
    parts = []
    for length in range(2, longest + 1):
        count = rows.get(length, 0)
        x, tall = 30 + step * (length - 2), (_PANEL - 40) * count / most
        y = top + _PANEL - 20 - tall
        parts += [
            f'<rect x="{x + 2:.1f}" y="{y:.1f}" width="{step - 4:.1f}" height="{tall:.1f}" fill="#2a6fb0">'
            f"<title>{length}: {100 * count / doubts:.1f} %</title></rect>",
            f'<text x="{x + step / 2:.1f}" y="{top + _PANEL}" text-anchor="middle">{length}</text>',
        ]
    return parts
