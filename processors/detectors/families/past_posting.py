"""Stakes whose size or time follows what came after them: posted past the result, capped, or pinched.

A stake that is seen to change after the cards is a breach by itself. The pattern is in stakes that look lawful, each
alone: winning stakes were large too often, losing stakes small, or late and changed stakes won.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from math import log
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from processors.core.state import Round
from processors.detectors.evidence.budgets import priced
from processors.detectors.evidence.groups import Groups, Since, since_any_start, tilted
from processors.detectors.evidence.logs import plain
from processors.detectors.evidence.rates import MORE_OFTEN, rate_ratios
from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.mixture import Mixture, RoundsTold, fresh, heaviest, standing_of, weighed
from processors.detectors.shapes import Alarm, Closed, Contribution, EvidenceStanding, Observation
from processors.detectors.weighty import WeightyRound, events_of, heaviest_since, keep, rows_of
from schemas import events as e
from schemas.amounts import verb

SHARES: Final = {"raised": 0.4, "cut": 0.15, "late": 0.1, "capped": 0.1, "pinched": 0.05, "side": 0.2}
"""The share of the level of each variant."""
RAISED: Final = 1.3
"""A stake is raised (cut) if it is at least so many times the median of the player's stakes before it (or below it)."""
SIDES: Final = {"push22": 0.1, "match_dealer": 0.2}
"""Null: the chance that such a wager wins, given all before it, is at most this (by the cards .073 and .144)."""
_ODDS = (3.0, 10.0, 60.0)
# Rates at which decided hands are won: the honest one lies near .44 in these games. Who wins more with some of his
# stakes wins less with the others.
_MORE = [(base, tilted(base, odds)) for base in (0.2, 0.32, 0.44) for odds in _ODDS]
_LESS = [(base, tilted(base, 1.0 / odds)) for base in (0.44, 0.56, 0.7) for odds in _ODDS]
_OF_SIDES = {kind: [rate_ratios(MORE_OFTEN, p, hits) for hits in (0, 1)] for kind, p in SIDES.items()}
_SIZES = 32
_STRETCH = 25  # rounds of a player from one start to the next


class Hand(Struct, array_like=True, frozen=True):
    """A decided hand: its main stake in cents, whether it was due to win, and whether the stake came after the call.

    `altered` is 1 for a stake that was made larger on the layout before the call, -1 for one that was made smaller.
    `seat` is 0 where it is not known.
    """

    cents: int
    won: bool
    late: bool
    altered: int = 0
    seat: int = 0


class Note(Struct, array_like=True, frozen=True):
    """A player's decided hands of one round, and whether the side wagers won that he staked at his lowest seat.

    staked: the seat of each such side wager, and its cents.
    """

    hands: list[Hand]
    sides: dict[str, bool]
    staked: dict[str, tuple[int, int]] = {}


class AtOneTable(Struct):
    """Nothing is kept at the table: a player's stakes are compared with his own, at whatever table."""


class Split(Struct):
    """Hands won and lost, in parts that sum to one a round: of the other stakes, and of those in question."""

    hands: Groups = field(default_factory=Groups)
    log_e: float = -math.inf
    log_highest: float = -math.inf
    rounds: list[WeightyRound] = field(default_factory=list)


class OfPlayer(Struct):
    """One player: how often he staked what, and the evidence by variant.

    `rounds` are all of his; `side_at` is how many there were at the last side wager.
    """

    sizes: dict[int, int] = field(default_factory=dict)
    raised: Split = field(default_factory=Split)
    cut: Split = field(default_factory=Split)
    late: Split = field(default_factory=Split)
    capped: Split = field(default_factory=Split)
    pinched: Split = field(default_factory=Split)
    side: Mixture = field(default_factory=lambda: fresh(len(MORE_OFTEN)))
    side_rounds: list[WeightyRound] = field(default_factory=list)
    rounds: int = 0
    side_at: int = 0


def _closed(_: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    if not closed.ended or closed.round.voided is not None:
        return
    players = {one.seat: one.player for one in closed.round.stakes.values() if one.player}
    late, altered = _late_seats(closed.round), _altered(closed.round)
    notes: dict[str, Note] = {}
    lowest: dict[tuple[str, str], int] = {}
    for stake in closed.result.stakes:
        player = players.get(stake.seat)
        if not player or stake.expected is None or not stake.staked_cents:
            continue
        outcome = stake.expected.outcome
        note = notes.get(player)
        if note is None:
            note = notes[player] = Note([], {}, {})
        if stake.kind == "main" and outcome != "return":
            seat = stake.seat
            won = outcome == "pay"
            note.hands.append(Hand(stake.staked_cents, won, seat in late, altered.get(seat, 0), seat))
        elif stake.kind in SIDES and stake.seat <= lowest.get((player, stake.kind), stake.seat):
            # Of several boxes one, chosen before the cards: the chance that any of them wins is higher.
            lowest[player, stake.kind] = stake.seat
            note.sides[stake.kind] = outcome == "pay"
            note.staked[stake.kind] = stake.seat, stake.staked_cents
    for player, note in notes.items():
        if note.hands or note.sides:
            yield Contribution({"player": player}, note)


def _late_seats(round_: Round) -> set[int]:
    """Seats whose main stake was placed or changed after bets were closed."""
    if round_.betting_closed is None:
        return set()
    return {
        one.data.seat
        for one in round_.told(e.WagerPlaced, e.WagerAltered)
        if one.sequence > round_.betting_closed and one.data.kind == "main"
    }


def _altered(round_: Round) -> dict[int, int]:
    """Seats whose main stake was changed before bets were closed: 1 where it was made larger, -1 where smaller."""
    if round_.betting_closed is None:
        return {}
    by: dict[int, int] = {}
    for one in round_.told(e.WagerAltered):
        if one.data.kind == "main" and one.sequence < round_.betting_closed:
            by[one.data.seat] = by.get(one.data.seat, 0) + one.data.to_cents - one.data.from_cents
    return {seat: 1 if cents > 0 else -1 for seat, cents in by.items() if cents}


def _weigh(state: OfPlayer, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    groups = _groups(state)
    if state.rounds and state.rounds % _STRETCH == 0:
        for _, split in groups:
            split.hands.start()
    state.rounds += 1
    median = _median(state.sizes)
    part = 1.0 / max(1, len(note.hands))
    marked = [(hand, _in_question(hand, median)) for hand in note.hands]
    for at, (name, split) in enumerate(groups):
        rates = _LESS if name in _LOSE else _MORE
        speaking = [hand for hand, of_these in marked if of_these[at] and hand.won != (name in _LOSE)]
        before = since_any_start(split.hands, rates).log_e if speaking else 0.0
        for hand, of_these in marked:
            (split.hands.won if hand.won else split.hands.lost)[of_these[at]] += part
        if speaking:
            since = since_any_start(split.hands, rates)
            weight = round(since.log_e - before, 4)
            keep(split.rounds, _weighty(state, seen, weight, [(hand.seat, hand.cents) for hand in speaking]))
            split.log_e = priced(since.log_e, log(SHARES[name]), log(share))
            split.log_highest = max(split.log_highest, split.log_e)
            if split.log_e >= -log(LEVEL):
                yield _alarm(name, split, since, seen)
    for hand in note.hands:
        _remember(state.sizes, hand.cents)
    yield from _weigh_sides(state, seen, note, share)


def _in_question(hand: Hand, median: int | None) -> tuple[bool, ...]:
    """Of each group in the order of `_groups`, whether the stake of the hand is one of those in question."""
    large = median is not None and hand.cents >= RAISED * median
    small = median is not None and hand.cents * RAISED <= median
    return large, small, hand.late, hand.altered > 0, hand.altered < 0


def _weighty(
    state: OfPlayer, seen: Observation, weight: float, staked: list[tuple[int, int]]
) -> WeightyRound:
    """The round under way, in which these stakes speak for an alarm: seats and cents."""
    seats = tuple(sorted({seat for seat, _ in staked if seat}))
    cents = sum(cents for _, cents in staked)
    return WeightyRound(seen.subject, seen.round, seen.sequence, state.rounds, weight, cents, seats)


def _groups(state: OfPlayer) -> tuple[tuple[str, Split], ...]:
    """The groups of stakes, by variant: raised, cut, late, made larger, made smaller."""
    return (
        ("raised", state.raised),
        ("cut", state.cut),
        ("late", state.late),
        ("capped", state.capped),
        ("pinched", state.pinched),
    )


def _weigh_sides(state: OfPlayer, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    weight, due, won = 0.0, 0.0, list[tuple[int, int]]()
    for kind, hit in note.sides.items():
        factors = _OF_SIDES[kind][hit]
        passed, state.side_at = state.rounds - state.side_at, state.rounds
        value, more = weighed(state.side, factors, _STRETCH, 1, (int(hit), passed))
        weight += more
        evidence = value * SHARES["side"] * share
        if hit:
            won.append(note.staked.get(kind, (0, 0)))
            due = due or (evidence if evidence >= 1 / LEVEL else 0.0)
    if not won:
        return
    keep(state.side_rounds, _weighty(state, seen, weight, won))
    if due:
        player, since = seen.whom["player"], heaviest(state.side)
        hits, rounds = since.counted
        most = heaviest_since(state.side_rounds, state.rounds - rounds)
        yield Alarm(
            variant="side",
            about={"player": player},
            e_value=due,
            sequences=events_of(most, seen.subject),
            expected={"won_of_staked_at_most": SIDES},
            observed={"staked": since.rounds, "won": hits, "rounds": rows_of(most)},
            message=f"Player {player} won {since.part(hits, 'side wager')}, far more than the cards "
            "give to one who stakes before he knows them.",
        )


def _median(sizes: dict[int, int]) -> int | None:
    """The median of the stakes before; None before there were five."""
    total = sum(sizes.values())
    if total < 5:
        return None
    below = 0
    for cents in sorted(sizes):
        below += sizes[cents]
        if 2 * below >= total:
            return cents
    return None


def _remember(sizes: dict[int, int], cents: int) -> None:
    sizes[cents] = sizes.get(cents, 0) + 1
    if len(sizes) > _SIZES:
        del sizes[min(sizes, key=lambda one: (sizes[one], one != cents, one))]


_SAID = {
    "raised": ("{were} raised", "won"),
    "cut": ("{were} cut", "lost"),
    "late": ("came after bets were closed", "won"),
    "capped": ("grew on the layout", "won"),
    "pinched": ("shrank on the layout", "lost"),
}
_LOSE = frozenset(name for name, (_, came) in _SAID.items() if came == "lost")
"""The groups that lose more often than the player's other stakes."""


def _alarm(name: str, split: Split, since: Since, seen: Observation) -> Alarm:
    did, came = _SAID[name]
    these = since.won[1] + since.lost[1]
    others = since.won[0] + since.lost[0]
    usual, hits = since.lost if name in _LOSE else since.won
    stakes, rest = round(these), round(others)
    told = RoundsTold(since.later, stakes, [])
    of_others = f"his {'latest ' if since.later else ''}{rest} other{'' if rest == 1 else 's'}"
    player = seen.whom["player"]
    most = heaviest_since(split.rounds, _STRETCH * since.number)
    return Alarm(
        variant=name,
        about={"player": player},
        e_value=plain(split.log_e),
        sequences=events_of(most, seen.subject),
        expected={f"{came}_by_chance": round(these * (hits + usual) / (these + others), 1)},
        observed={
            "stakes": round(these, 1),
            came: round(hits, 1),
            "other_stakes": round(others, 1),
            f"others_{came}": round(usual, 1),
            "rounds": rows_of(most),
        },
        message=f"Of {told.of('stake')} of player {player} that {did.format(were=verb(stakes, 'was'))}, "
        f"{hits:.0f} {came}; of {of_others} {usual:.0f}: more than chance allows to stakes made before the result.",
    )


def _standing(state: OfPlayer, whom: dict[str, str], share: float) -> Iterator[EvidenceStanding]:
    about: dict[str, str | int] = {"player": whom["player"]}
    for name, split in _groups(state):
        if split.rounds:
            yield EvidenceStanding(
                variant=name,
                about=about,
                e_value=plain(split.log_e),
                highest=plain(split.log_highest),
                rounds=state.rounds,
                weighty=split.rounds,
                mark=state.rounds,
            )
    if state.side.rounds:
        part = SHARES["side"] * share
        standing = standing_of(state.side, "side", about, part, weighty=state.side_rounds)
        yield replace(standing, rounds=state.rounds, mark=state.rounds)


register(
    Family(
        name="past_posting",
        variants=tuple(SHARES),
        about=("player",),
        null="whether a hand wins does not depend on how large its stake is beside the player's other stakes, nor on "
        "whether it came late or was changed on the layout; a side wager wins with at most .1 (Push 22) or .2 (Match "
        "the Dealer)",
        statistic="Decided hands won and lost by the cards, of stakes at least 1.3 times the median of the "
        "player's stakes before, of stakes as far below it, of stakes after the call, and of stakes that were made "
        "larger or smaller on the layout before it, each against all his others; and side wagers won of those staked.",
        bound="Groups of stakes: nine alternatives over the highest likelihood that one rate reaches, whatever it is "
        "(universal inference, Ville), from the player's first round and from any stretch of 25. Side wagers: "
        "likelihood ratios against five rates, from the first and from any stretch of 25. Six variants share the level "
        "(raised 8, cut 3, late 2, made larger 2, made smaller 1, side wagers 4 of 20), and so do the players of a "
        "table's stream: the n-th has 1/(n(n+1)) of it.",
        innocent=(
            "the luckiest of many who raise at whim: the level of the alarm allows for that",
            "a counter: his large stakes win a little more often, not much",
            "a sensor that reports a stake only once it is settled",
        ),
        blind=(
            "stakes raised by less than three tenths, or as often before losing hands as before winning ones",
            "a player who changes his pseudonym",
            "hands of which it cannot be said what was due, as at stack games; pushes",
        ),
        cost="A look at each stake; five tables of counts with twelve starts each and five rates: at most 20 kB a "
        "player.",
        table=AtTable(state=AtOneTable, closed=_closed),
        entity=OfEntity(state=OfPlayer, note=Note, weigh=_weigh, standing=_standing),
    )
)
