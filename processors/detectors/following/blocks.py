"""At the table: the rounds of a shoe in blocks, and what each player staked in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec import Struct, field

from processors.core.state import Round, Table
from processors.detectors.following.flips import MOST
from processors.detectors.following.steps import AWAY, DECK, TAGS, Rounds, result_of, step
from processors.detectors.shapes import Closed, Contribution

LEAST = 4
"""Rounds of a block that is worth a note; rounds with a stake, where stakes are compared."""
_NAMES = 64


class BlockNote(Struct, array_like=True, frozen=True):
    """One player in one block of rounds, a row in each list for each round.

    start: true count at the first round. decks: left at each. drifts, turns: what the cards did (`steps.Step`).
    results: his, by `steps.result_of`. cents: his stakes on all boxes, 0 for none. rounds, sequences: numbers of the
    rounds, and of the events that closed them. seats: where he sits.
    """

    start: float
    decks: list[float]
    drifts: list[float]
    turns: list[float]
    results: list[int]
    cents: list[int]
    rounds: list[int]
    sequences: list[int]
    seats: list[tuple[int, ...]] = []


class Row(Struct, array_like=True, frozen=True):
    """One round: its number and last event, decks left before it, the two parts of what its cards did, the stakes.

    seats: of each player.
    """

    round: int
    sequence: int
    decks: float
    drift: float
    turn: float
    staked: dict[str, int]
    results: dict[str, int]
    seats: dict[str, tuple[int, ...]] = {}


class AtOneTable(Struct):
    """The shoe and its running count after the last round, the block under way, and who has varied.

    start: true count at the first round of the block. varied: players of whom a note was due once: all that follow are
    passed on. came: how often others began to stake, or ceased, within a block.
    """

    shoe: int = 0
    running: int = 0
    start: float = 0.0
    rows: list[Row] = field(default_factory=list)
    known: Rounds = field(default_factory=Rounds)
    varied: dict[str, bool] = field(default_factory=dict)
    came: dict[str, int] = field(default_factory=dict)


def take(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    """Take a round; the notes of a block that it ends."""
    table, round_ = closed.table, closed.round
    if state.shoe != round_.shoe:
        yield from flush(state)
        state.shoe, state.running = round_.shoe, 0
    if round_.reloads or table.shoe.number != round_.shoe or not _counts(table):
        yield from flush(state)
        state.shoe = 0
        return
    cards = tags = 0
    for hand in round_.hands.values():
        cards += len(hand.cards)
        for card in hand.cards:
            tags += TAGS[card]
    left = table.shoe.remaining
    before = left + cards
    if left < DECK // 4:
        yield from flush(state)
    elif closed.ended and round_.voided is None and cards:
        if not state.rows:
            state.start = round(state.running * DECK / before, 3)
        state.rows.append(_row(state, closed, cards, tags, before))
    else:
        yield from flush(state)
    state.running += tags
    if len(state.rows) >= MOST:
        yield from flush(state)


def _counts(table: Table) -> bool:
    """Whether a count tells anything: the shoe holds more than one deck, and what is dealt stays out of it."""
    config = table.config
    return (
        config is not None
        and config.shuffler not in ("continuous", "self_shuffling")
        and table.shoe.loaded > DECK
    )


def _row(state: AtOneTable, closed: Closed, cards: int, tags: int, before: int) -> Row:
    round_ = closed.round
    staked, seats = _stakes(round_, closed.table)
    boxes = sum(one.kind == "main" for one in round_.stakes.values())
    net = dict.fromkeys(staked, 0)
    for line in closed.result.stakes:
        if line.kind in ("main", "lammer") and line.seat in seats:
            brought = line.due_cents if line.observed is None else line.seen_cents
            net[seats[line.seat]] += brought or 0
    parts = step(state.known, boxes, cards, tags, state.running, before)
    return Row(
        round_.number,
        closed.sequence,
        round(before / DECK, 3),
        round(parts.drift, 3),
        round(parts.turn, 3),
        staked,
        {name: result_of(net[name], cents) for name, cents in staked.items()},
        _by_player({**closed.table.players, **seats}),
    )


def _by_player(seats: Mapping[int, str]) -> dict[str, tuple[int, ...]]:
    """The seats of each player, in order."""
    found: dict[str, tuple[int, ...]] = {}
    for seat in sorted(seats):
        found[seats[seat]] = *found.get(seats[seat], ()), seat
    return found


def _stakes(round_: Round, table: Table) -> tuple[dict[str, int], dict[int, str]]:
    """What each player staked on his boxes, 0 for one who sits there only, and who holds each seat."""
    staked: dict[str, int] = {}
    seats: dict[int, str] = {}
    for stake in round_.stakes.values():
        if stake.kind == "main":
            name = stake.player or table.players.get(stake.seat, "")
            if name and stake.cents:
                staked[name] = staked.get(name, 0) + stake.cents
                seats[stake.seat] = name
    for name in table.players.values():
        staked.setdefault(name, 0)
    return staked, seats


def flush(state: AtOneTable) -> Iterator[Contribution]:
    """End the block under way: a note for each player who has staked differently, or has come and gone."""
    rows, state.rows = state.rows, []
    if len(rows) < LEAST:
        return
    stakes: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for name, cents in row.staked.items():
            stakes.setdefault(name, [0] * len(rows))[place] = cents
    # Whose stakes are mostly his least comes first, for the first ones pay least: the cards have no part in that.
    for name in sorted(stakes, key=lambda one: (-stakes[one].count(_least(stakes[one])), one)):
        if _varies(state, name, stakes[name]):
            note = BlockNote(
                state.start,
                [row.decks for row in rows],
                [row.drift for row in rows],
                [row.turn for row in rows],
                [row.results.get(name, AWAY) for row in rows],
                stakes[name],
                [row.round for row in rows],
                [row.sequence for row in rows],
                [row.seats.get(name, ()) for row in rows],
            )
            yield Contribution({"player": name}, note)


def _least(cents: list[int]) -> int:
    return min((one for one in cents if one), default=0)


def _varies(state: AtOneTable, name: str, cents: list[int]) -> bool:
    """Whether his stakes have differed within a block, or he has come and gone within one or two."""
    if name in state.varied:
        return True
    varies = max(cents) > _least(cents)
    changes = sum((one > 0) != (other > 0) for one, other in pairwise(cents))
    if not varies and changes:
        state.came[name] = state.came.get(name, 0) + changes
        varies = state.came[name] > 1
        if len(state.came) > _NAMES:
            del state.came[next(iter(state.came))]
    if varies:
        state.varied[name] = True
        if len(state.varied) > _NAMES:
            del state.varied[next(iter(state.varied))]
    return varies
