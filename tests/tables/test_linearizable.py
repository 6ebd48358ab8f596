"""Linearizability: whatever several people do at once at a table, doing it one after another explains every answer.

Hypothesis lets people act at the same time through two services on one store; people hang up before they are answered,
and connections and whole services come and go. After every such moment some order of the commands must exist in which
a single table, without any concurrency, gives everybody the answer they got and writes the log that is there. Checked
by trying all orders (Wing and Gong, "Testing and verifying concurrent objects", 1993); there are at most four commands.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec
from harness.postgres import Cluster
from harness.sweeps import sweep
from harness.tables.services import listening
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from illusion.rules import Doubt, Place, RulesError
from illusion.tables import Refused, Store, Table, TableService, is_shared, store_at
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry, Dealt, SatDown, decode
from illusion.tables.service import Notice

PEOPLE = 3
MORE = sweep(1, 10)
BEFORE, DURING = ("sit", "add-bot", "remove-bot", "start", "start"), ("leave", "come-back", "place", "place", "doubt")
LATE = ("take", "wait", "free", "send-away", "lock")
ACTS = st.sampled_from(BEFORE + DURING + LATE)
OFF = st.sampled_from([0, 0, 0, -1, 1])
"""How far the number somebody has seen is from the last one."""
Command = Callable[[Table, float], list[AnyEntry]]
Wanted = tuple[int, str, int, bool, int, int]


@dataclass(frozen=True)
class Act:
    """What somebody does, through which service, and whether they wait for the answer."""

    person: int
    what: str
    service: int
    patient: bool
    gap: int
    seq: int

    def command(self) -> Command:
        """Everybody acts for the chair of their own number, no matter who sits there: tokens are not checked here."""
        person = self.person
        acts: dict[str, Command] = {
            "sit": lambda table, now: commands.sit(table, now, f"token {person}", f"Player {person}"),
            "leave": lambda table, now: commands.leave(table, now, person % len(table.chairs)),
            "come-back": lambda table, now: commands.come_back(table, now, person % len(table.chairs)),
            "add-bot": lambda table, now: commands.add_bot(table, now, person, "keen"),
            "remove-bot": lambda table, now: commands.remove_bot(table, now, person, 1),
            "start": lambda table, now: commands.start(table, now, person),
            "take": lambda table, now: commands.sit(table, now, f"late {person}", f"Late {person}", self.gap),
            "wait": lambda table, now: commands.wait(table, now, f"late {person}", f"Late {person}"),
            "free": lambda table, now: commands.free(table, now, person, self.gap),
            "send-away": lambda table, now: commands.send_away(table, now, person, self.gap),
            "lock": lambda table, now: commands.lock(table, now, person, locked=self.patient),
        }
        return acts.get(self.what, self._move)

    def _move(self, table: Table, now: float) -> list[AnyEntry]:
        chosen = Doubt() if self.what == "doubt" else Place(self.gap)
        return commands.move(table, now, self.person % len(table.chairs), chosen, self.seq)


Answer = int | str | None
"""The sequence number, the code of a refusal, or None for somebody who did not wait."""


def alike(one: AnyEntry, other: AnyEntry) -> bool:
    """The same but for time and chance."""
    return _bare(one) == _bare(other)


def _bare(entry: AnyEntry) -> AnyEntry:
    entry = msgspec.structs.replace(entry, at=0)
    if isinstance(entry, Dealt):
        order = None if entry.order is None else sorted(entry.order)
        return msgspec.structs.replace(entry, seed="", nonce="", order=order)
    if isinstance(entry, SatDown):
        return msgspec.structs.replace(entry, token_hash=None, name="a bot" if entry.level else entry.name)
    return entry


def answered(table: Table, command: Command) -> tuple[Answer, list[AnyEntry]]:
    """What a table answers that nobody else uses."""
    try:
        entries = command(table, 0)
    except (Refused, RulesError) as refusal:
        return str(refusal.code), []
    return table.seq + len(entries), entries


def possible(log: list[AnyEntry], new: list[AnyEntry], acts: list[Act], answers: list[Answer]) -> bool:
    """Whether these acts, one after another in some order, give these answers and these new entries."""
    orders = permutations(zip(acts, answers, strict=True))
    return any(_explains(log, new, list(order)) for order in orders)


def _explains(log: list[AnyEntry], new: list[AnyEntry], acted: list[tuple[Act, Answer]]) -> bool:
    table = Table("model")
    for entry in log:
        table.apply(entry)
    rest = list(new)
    for act, answer in acted:
        told, entries = answered(table, act.command())
        fits = len(entries) <= len(rest) and all(map(alike, entries, rest))
        if answer is None and not fits:
            continue  # a command nobody waited for may not have been executed at all
        if not fits or answer not in (None, told):
            return False
        for entry in rest[: len(entries)]:
            table.apply(entry)
        rest = rest[len(entries) :]
    return not rest


class Life(RuleBasedStateMachine):
    """One table, three people, and two services where the store can be shared."""

    database = ""
    runner: asyncio.Runner
    explained: list[Act]
    """All acts of all examples whose answers some order explained."""

    def __init__(self) -> None:
        super().__init__()
        self.stores: list[Store] = []
        self.services: list[TableService] = []
        self.log: list[AnyEntry] = []
        self.settled = 0
        self.heard: list[list[Notice]] = [[], []]

    @initialize()
    def opens(self) -> None:
        self.runner.run(self._open())

    @rule(
        acts=st.lists(
            st.tuples(
                st.integers(0, PEOPLE - 1),
                ACTS,
                st.integers(0, 1),
                st.booleans(),
                st.integers(0, 3),
                OFF,
            ),
            min_size=1,
            max_size=4,
        ),
        turns=st.integers(0, 6),
    )
    def happens(self, acts: list[Wanted], turns: int) -> None:
        """Several act at once; the impatient ones hang up after a few turns of the event loop."""
        self.runner.run(self._happen(acts, turns))

    @rule(which=st.integers(0, 1))
    def process_restarts(self, which: int) -> None:
        self.runner.run(self._restart(which))

    @rule(which=st.integers(0, 1), back=st.integers(0, 5))
    def listener_comes_back(self, which: int, back: int) -> None:
        """After the last number heard, which may be some numbers behind."""
        del self.heard[which][max(0, len(self.heard[which]) - back) :]
        self.runner.run(self._listen(which))

    @invariant()
    def both_know_the_whole_log(self) -> None:
        if self.services:
            self.runner.run(self._agree())

    def teardown(self) -> None:
        self.runner.run(self._close())

    async def _open(self) -> None:
        for _ in range(2 if is_shared(self.database) else 1):
            self.stores.append(store_at(self.database))
            await self.stores[-1].open()
            self.services.append(TableService(self.stores[-1], cached_tables=1))
        self.table, _ = await self.services[0].open("Ana", PEOPLE)
        await self.services[-1].sit(self.table, "Bob")
        self.log = await self._stored()

    async def _close(self) -> None:
        for store in self.stores:
            await store.close()

    async def _stored(self) -> list[AnyEntry]:
        return [decode(entry) for entry in await self.stores[0].read(self.table)]

    async def _happen(self, wanted: list[Wanted], turns: int) -> None:
        acts = [
            Act(who, what, service, waits, gap, len(self.log) + off) for who, what, service, waits, gap, off in wanted
        ]
        tasks = [asyncio.create_task(self._act(act)) for act in acts]
        for _ in range(turns):
            await asyncio.sleep(0)
        for act, task in zip(acts, tasks, strict=True):
            if not act.patient:
                task.cancel()
        outcomes: list[Any] = await asyncio.gather(*tasks, return_exceptions=True)
        answers = [None if isinstance(outcome, asyncio.CancelledError) else outcome for outcome in outcomes]
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        for service in self.services:  # what was under way when somebody hung up is decided now
            await service.catch_up(self.table)
        log = await self._settled()
        assert log[: len(self.log)] == self.log, "what was written has changed"
        assert possible(self.log, log[len(self.log) :], acts, answers), (acts, answers, log[len(self.log) :])
        self.explained += acts
        self.log = log

    async def _settled(self) -> list[AnyEntry]:
        """The log once cancelled appends are through: those still under way are written before the store's next one."""
        for store in self.stores:
            self.settled += 1
            await store.append(f"{self.table}-settled", self.settled, [b"{}"], ended=True)
        return await self._stored()

    async def _act(self, act: Act) -> Answer:
        service = self.services[act.service % len(self.services)]
        try:
            return await service.execute(self.table, act.command())
        except (Refused, RulesError) as refusal:
            return str(refusal.code)

    async def _restart(self, which: int) -> None:
        which %= len(self.services)
        await self.stores[which].close()
        self.stores[which] = store_at(self.database)
        await self.stores[which].open()
        self.services[which] = TableService(self.stores[which], cached_tables=1)

    async def _listen(self, which: int) -> None:
        heard = self.heard[which]
        async with listening(self.services[which % len(self.services)], self.table, len(heard)) as events:
            while len(heard) < len(self.log):
                heard.append(await events.next())
        assert [notice.seq for notice in heard] == list(range(1, len(self.log) + 1))

    async def _agree(self) -> None:
        for service in self.services:
            await service.catch_up(self.table)
            assert (await service.get(self.table)).seq == len(self.log)


def check(database: str, examples: int, steps: int) -> None:
    """Run the state machine until more commands than examples were explained; it raises where one cannot be.

    Hypothesis begins with short examples, and what it tries in CI depends on the version of Python.
    """
    explained: list[Act] = []
    wanted = examples
    with asyncio.Runner() as runner:
        machine = type("Life", (Life,), {"database": database, "runner": runner, "explained": explained})
        while len(explained) <= wanted:
            run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=steps))
            examples *= 2


def test_commands_on_sqlite_are_linearizable(tmp_path: Path) -> None:
    check(str(tmp_path / "t.db"), 15 * MORE, 10)


def test_commands_on_postgresql_are_linearizable(cluster: Cluster) -> None:
    check(cluster.database(), 8 * MORE, 8)


def test_the_model_notices_impossible_answers() -> None:
    """A command written twice, one acknowledged but not written, and an answer that no order gives."""
    table = Table("model")
    log = commands.open_table(0, "token", "Ana", PEOPLE)
    for entry in log:
        table.apply(entry)
    sit = Act(1, "sit", 0, patient=True, gap=0, seq=0)
    entries = commands.sit(table, 0, "token 1", "Player 1")
    assert possible(log, entries, [sit], [3])
    assert not possible(log, [*entries, *entries], [sit], [3])
    assert not possible(log, [], [sit], [3])
    assert not possible(log, entries, [sit], [4])
    assert not possible(log, entries, [sit], ["table-full"])
    assert possible(log, [], [sit], [None])
    assert possible(log, entries, [sit], [None])
