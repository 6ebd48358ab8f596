"""A row for each attack, as Markdown, and which aims it missed."""

from typing import Final

from bench.siege.measure import Measured
from bench.siege.pair import Felt

MOVE_MS: Final = 150
PICTURE_MS: Final = 500
MEMORY_SHARE: Final = 1.1
MEMORY_SLACK_MB: Final = 8
"""A process that has drawn and rendered more keeps some free memory, and pictures of the pair's own cards."""
TITLES: Final = (
    "scenario",
    "moves ms 50 %, 99 %",
    "pictures ms 50 %, 99 %",
    "what the guest got",
    "CPU quiet, attacked, others",
    "MB before, most, after",
    "missed",
)
LEGEND: Final = f"""\
moves     until both of the pair have a move on their pages, from when it was due; six a second, so 99 % is the slowest
pictures  of each new card, by both of the pair
the guest number of answers by status; cut: hung up instead of an answer; no connection: not let in
CPU       the server's share of one core, before and during the attack, and what others on this machine took meanwhile
MB        what the server's processes hold in memory before the attack, the most of it, and ten seconds after
missed    of the aims: 99 % of moves within {MOVE_MS} ms and of pictures within {PICTURE_MS} ms, no trouble for
          the pair (refused, cut off, a newcomer not let in), memory back to within 10 % and {MEMORY_SLACK_MB} MB"""


def heading() -> str:
    return _line(TITLES) + "\n" + _line(["---"] * len(TITLES))


def row(measured: Measured) -> str:
    name = f"`{measured.scenario.name}` {measured.scenario.finding}"
    memory = f"{measured.before:.0f}, {measured.most:.0f}, {measured.after:.0f}"
    share = f"{measured.cpu_quiet:.2f}, {measured.cpu:.2f}, {max(measured.others, 0):.1f}"
    felt = measured.felt
    return _line(
        (name, _pair(felt.moves), _pair(felt.pictures), _answers(measured), share, memory, ", ".join(missed(measured)))
    )


def missed(measured: Measured) -> list[str]:
    """The aims that this attack missed."""
    found = []
    if late(measured.felt.moves) > MOVE_MS:
        found.append("**moves**")
    if late(measured.felt.pictures) > PICTURE_MS:
        found.append("**pictures**")
    if measured.after > measured.before * MEMORY_SHARE + MEMORY_SLACK_MB:
        found.append("**memory**")
    if measured.felt.trouble:
        found.append("**trouble** " + _trouble(measured.felt))
    return found


def late(delays: list[float]) -> float:
    """99 of 100 are not later."""
    ordered = sorted(delays)
    return ordered[min(len(ordered) * 99 // 100, len(ordered) - 1)] if ordered else float("inf")


def _pair(delays: list[float]) -> str:
    return f"{sorted(delays)[len(delays) // 2]:.0f}, {late(delays):.0f}" if delays else "none"


def _trouble(felt: Felt) -> str:
    return " ".join(f"{name}: {count}" for name, count in sorted(felt.trouble.items()))


def _answers(measured: Measured) -> str:
    parts = [f"{status}: {count:,}" for status, count in sorted(measured.told.answers.items())]
    if measured.told.received_bytes > 50_000_000:
        parts.append(f"{measured.told.received_bytes / 1_000_000:,.0f} MB")
    if measured.lines > 10:
        parts.append(f"{measured.lines:,} log lines")
    if measured.stored > 1:
        parts.append(f"database +{measured.stored:.0f} MB")
    return ", ".join(parts) or "nothing"


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
