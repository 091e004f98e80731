"""A player whose stakes, or whose presence, follow the count of the cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Final

from msgspec import Struct, field

from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.following.count import true_count
from processors.detectors.following.exchanged import BETS, Order, bets
from processors.detectors.following.moved import Stake, likeness, log_shoe_evidence, log_step_evidence
from processors.detectors.mixture import Mixture, fresh, weigh
from processors.detectors.shapes import Alarm, Closed, Contribution, Observation, Standing

HELD: Final = (10.0, 1000.0)
"""The evidence that must hold whatever order stakes come in, beside that of exchanged ones: if no stake resembles the
one before, and if each is as the one before."""
_STRETCH = 25
_KEPT = 300
_AROUND = 16
_AWAY = 40  # rounds without a stake after which a player is gone
_ASKED_AGAIN = 4
_SPREAD_DECKS = 52


class Note(Struct, array_like=True, frozen=True):
    """One round of a player: the shoe, the true count at his stake, its variance, what he staked, his result's sign."""

    shoe: int
    count: float
    variance: float
    cents: int
    result: int


class AtOneTable(Struct):
    """The shoe, the true count after the last round and its variance, and the last round of each player around."""

    shoe: int = 0
    count: float = 0.0
    variance: float = 0.0
    around: dict[str, int] = field(default_factory=dict)


class OfPlayer(Struct):
    """One player: the order of his stakes, the evidence, and his latest rounds."""

    mixture: Mixture = field(default_factory=lambda: fresh(BETS))
    order: Order = field(default_factory=Order)
    stakes: list[Stake] = field(default_factory=list)
    events: list[tuple[str, int, int]] = field(default_factory=list)
    table: str = ""
    shoe: int = 0
    shoes: int = 0
    wait: int = 0
    held: bool = False


def _closed(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    table, round_ = closed.table, closed.round
    fits = state.shoe == round_.shoe and not round_.reloads
    count, variance = (state.count, state.variance) if fits else (0.0, 0.0)
    if table.shoe.number == round_.shoe and table.shoe.loaded > _SPREAD_DECKS:
        state.shoe = table.shoe.number
        state.count, state.variance = true_count(table.shoe.out, table.shoe.loaded)
    else:
        state.shoe = 0
    if round_.reloads or round_.voided is not None or not closed.ended or table.shoe.loaded <= _SPREAD_DECKS:
        return
    staked: dict[str, int] = {}
    seats: dict[int, str] = {}
    for stake in round_.stakes.values():
        name = stake.player or table.players.get(stake.seat, "")
        if stake.kind == "main" and name:
            staked[name] = staked.get(name, 0) + stake.cents
            seats[stake.seat] = name
    won: dict[str, int] = {}
    for line in closed.result.stakes:
        if line.observed is not None and line.seat in seats:
            name = seats[line.seat]
            won[name] = won.get(name, 0) + line.observed.patron_cents
    for name in _present(state, round_.number, staked):
        net = won.get(name, 0)
        note = Note(
            round_.shoe, round(count, 3), round(variance, 4), staked.get(name, 0), (net > 0) - (net < 0)
        )
        yield Contribution({"player": name}, note)


def _present(state: AtOneTable, number: int, staked: dict[str, int]) -> list[str]:
    """Who stakes, and who has staked within the last rounds and does not now."""
    for name in staked:
        state.around[name] = number
    gone = [name for name, last in state.around.items() if number - last > _AWAY]
    for name in gone:
        del state.around[name]
    while len(state.around) > _AROUND:
        del state.around[min(state.around, key=lambda one: state.around[one])]
    return sorted(state.around)


def _weigh(state: OfPlayer, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    if (seen.subject, note.shoe) != (state.table, state.shoe):
        state.table, state.shoe = seen.subject, note.shoe
        state.shoes += 1
    one = Stake(state.shoes, note.count, note.variance, note.cents, note.result)
    state.stakes = [*state.stakes[1 - _KEPT :], one]
    if note.cents:
        state.events = [*state.events[1 - _KEPT :], (seen.subject, seen.round, seen.sequence)]
    factors = bets(state.order, note.cents, note.count)
    evidence = weigh(state.mixture, factors, _STRETCH) * share
    state.wait -= 1
    if evidence < 1 / LEVEL or state.wait > 0:
        return
    state.wait = _ASKED_AGAIN
    held, needed = second_look(state.stakes)
    if held >= needed:
        state.held = True
        yield _alarm(state, seen, evidence, held)


def second_look(stakes: Sequence[Stake]) -> tuple[float, float]:
    """The evidence of stakes in the order they came, and that which is due of it.

    Both follow from how much each stake resembles the one before: where it does, chance may let whole shoes go together
    with a mood, and the steps within a shoe tell more.
    """
    alike = min(1.0, max(0.0, likeness(stakes)))
    steps, shoes = (exp(min(60.0, one)) for one in (log_step_evidence(stakes), log_shoe_evidence(stakes)))
    least, most = HELD
    by_shoe = (1 - alike) ** 2
    return by_shoe * shoes + (1 - by_shoe) * steps, float(least * (most / least) ** (alike * alike))


def _alarm(state: OfPlayer, seen: Observation, evidence: float, held: float) -> Alarm:
    player = seen.whom["player"]
    high = [one.cents for one in state.stakes if one.count >= 1]
    low = [one.cents for one in state.stakes if one.count < 1]
    means = [sum(part) / len(part) if part else 0.0 for part in (high, low)]
    mean = sum(high + low) / len(high + low)
    return Alarm(
        variant="",
        about={"player": player},
        e_value=evidence,
        sequences=tuple(sequence for subject, _, sequence in state.events if subject == seen.subject),
        expected={"mean_cents_at_any_count": round(mean), "evidence_in_any_order": 1},
        observed={
            "rounds": len(state.stakes),
            "mean_cents_at_count_of_1_or_more": round(means[0]),
            "mean_cents_below": round(means[1]),
            "rounds_at_count_of_1_or_more": len(high),
            "evidence_in_any_order": float(f"{held:.3g}"),
        },
        message=f"{player} staked ${means[0] / 100:,.2f} on average at a true count of 1 or more ({len(high)} rounds) "
        f"and ${means[1] / 100:,.2f} below ({len(low)} rounds); stakes that do not follow the cards would be alike.",
    )


def _standing(state: OfPlayer, whom: dict[str, str], share: float) -> Iterator[Standing]:
    most = (
        float("inf") if state.held else 0.99 / LEVEL
    )  # no alarm, whatever the first look says, before the second
    yield Standing(
        variant="",
        about={"player": whom["player"]},
        e_value=min(most, state.mixture.value() * share),
        highest=min(most, state.mixture.highest * share),
        rounds=state.mixture.rounds,
    )


register(
    Family(
        name="counting",
        variants=("",),
        about=("player",),
        null="a player's stakes, none among them when he sits out, are as likely in any other order",
        statistic="The rank of each stake among the player's so far, against where the true count (High-Low, cards "
        "seen since the shuffle) stands among those of his rounds. All his boxes count together; a round that he sits "
        "out within 40 of his last stake is a stake of nothing.",
        bound="Four bets on ranks, which are uniform and independent under the null, from his first round and from "
        "any stretch of 25 (Ville); the n-th player at a table has 1/(n(n+1)) of the level. Stakes with an order of "
        "their own, as moods, drifts and progressions have, are no such null: so an alarm also waits until a second "
        "look, which leaves the stakes in their order and takes the cards as random, has evidence of 10 to 1,000 "
        "over the latest 300 rounds: the more, the more each stake resembles the one before. For players whose stakes "
        "have such an order this second look alone is what holds: at any one time at most 1 in 10 to 1 in 1,000.",
        innocent=(
            "stakes that rise and fall with what was won or lost, in shoes that happened to go the same way",
            "a player who copies the stakes of another who counts",
            "one who comes and goes with breaks of the table, when shoes are new",
        ),
        blind=(
            "a count of other tags than High-Low, as far as it differs; cards the record does not know",
            "one who stakes alike and only plays by the count",
            "a player's coming before his first stake; who changes tables after each shoe's good part is seen only at "
            "his stakes",
            "shoes that never go far: continuous shuffling, deep cuts; stack games",
        ),
        cost="A rank for each player's round; the second look, some milliseconds, only at an alarm. 300 rounds a "
        "player, some 15 kB.",
        table=AtTable(state=AtOneTable, closed=_closed),
        entity=OfEntity(state=OfPlayer, note=Note, weigh=_weigh, standing=_standing),
    )
)
