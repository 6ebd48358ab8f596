"""The report: a row of Markdown per attack, and its missed aims."""

from collections.abc import Sequence
from typing import Final

from bench.load.measure import half_and_late
from bench.siege.measure import Measured

MOVE_MS: Final = 150
MEMORY_SHARE: Final = 1.1
MEMORY_SLACK_MB: Final = 8
"""A process that has drawn and rendered more keeps some free memory, and pictures of the people's own cards."""
MAX_LINES: Final = 60
TITLES: Final = (
    "scenario",
    "moves ms 50 %, 99 %",
    "pictures ms 50 %, 99 %",
    "what the guest got",
    "CPU quiet, attacked",
    "MB before, most, after",
    "missed",
)
LEGEND: Final = f"""\
moves     until all four pages have a move, from when it was due; six a second, so 99 % is the slowest
pictures  of each new card, on all four pages
the guest number of answers by status; cut: hung up instead of an answer; no connection: not let in
CPU       the server's share of one core, before and during the attack
MB        what the server's processes hold in memory before the attack, the most of it, and ten seconds after
missed    of the aims: memory back to within 10 % and {MEMORY_SLACK_MB} MB, at most {MAX_LINES} lines in the log, and no
          token or table of the guest in any; behind nginx, and bare where the scenario is marked with *, also 99 % of
          moves within {MOVE_MS} ms and no trouble for the people (refused, cut off, a newcomer not let in)"""


def heading() -> str:
    return _line(TITLES) + "\n" + _line(["---"] * len(TITLES))


def row(measured: Measured) -> str:
    star = "*" if measured.scenario.holds_bare else ""
    return _line(
        (
            f"`{measured.scenario.name}`{star} {measured.scenario.finding}",
            "{:.0f}, {:.0f}".format(*half_and_late(measured.felt.moves)),
            "{:.0f}, {:.0f}".format(*half_and_late(measured.felt.pictures)),
            _answers(measured),
            f"{measured.cpu_quiet:.2f}, {measured.cpu:.2f}",
            f"{measured.before:.0f}, {measured.most:.0f}, {measured.after:.0f}",
            ", ".join(missed(measured)),
        )
    )


def missed(measured: Measured) -> list[str]:
    """The aims that this attack missed."""
    found = []
    if measured.after > measured.before * MEMORY_SHARE + MEMORY_SLACK_MB:
        found.append("**memory**")
    if len(measured.lines) > MAX_LINES:
        found.append(f"**log** {len(measured.lines)} lines")
    if any(secret in line for line in measured.lines for secret in measured.told.secrets):
        found.append("**secrets**")
    if measured.scenario.holds_bare or not measured.is_bare:
        if not half_and_late(measured.felt.moves)[1] <= MOVE_MS:
            found.append("**moves**")
        if measured.trouble:
            found.append("**trouble** " + " ".join(f"{what}: {count}" for what, count in measured.trouble.items()))
    return found


def _answers(measured: Measured) -> str:
    parts = [f"{status}: {count:,}" for status, count in sorted(measured.told.answers.items())]
    if measured.told.received_bytes > 50_000_000:
        parts.append(f"{measured.told.received_bytes / 1_000_000:,.0f} MB")
    return ", ".join(parts) or "nothing"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
