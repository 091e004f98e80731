"""Cuts and cover cards whose place follows the cards: the count of the last shoe, or the order of the one to come.

People cut by habit, and a narrow or a drifting habit is no sign of anything. So the cards are what is random here, and
the places are what is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from operator import attrgetter
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from processors.core.folding.preparation import reshuffles_itself
from processors.core.state import Table, seat_of
from processors.detectors.cutting.named import MadeReady, SteeredAct
from processors.detectors.cutting.places import (
    NOTHING,
    SHIFTS,
    Act,
    begun,
    correlation_of,
    ratios,
    standard,
    usual,
    weights,
)
from processors.detectors.family import LEVEL, AtTable, Family, register, share_of
from processors.detectors.following.steps import DECK, TAGS
from processors.detectors.mixture import Mixture, heaviest, standing_of, weighed
from processors.detectors.shapes import About, Alarm, EvidenceStanding, Happened
from processors.detectors.weighty import MOST, events_of, heaviest_since, keep, rows_of
from schemas import events as e
from schemas.values import DEALER, UNKNOWN

SHARES: Final = {"follows_count": 0.55, "hides_cards": 0.3, "patron": 0.15}
"""The share of the level of each variant; within one, the n-th dealer or patron has 1/(n(n+1)) of it."""
KINDS: Final = {"cover_card": 0.5, "cut": 0.25, "cards_to_come": 0.25}
"""What may go together: cover card and last count, cut and last count, cover card and the cards of this shoe's rear."""
HABITS: Final = {"cover_card": (0.29, 0.025), "cut": (0.5, 0.22), "cards_to_come": (0.29, 0.025)}
"""Where people put cover cards, of which a quarter of the stack must lie below (5(d)), and cuts: mean and deviation."""
PARTS: Final = ("behind", "front")
"""Cards behind the cover card, and the first quarter of the shoe."""
_STRETCH = 4  # shoes
_SEEN = 0.9  # of a shoe's cards: with fewer their places are not known
_PEOPLE = 24
_BATCHES = 8
_KEPT = 40
_NAMED = 2 * MOST  # acts of one kind kept as those that weigh most: a table has up to 48 people


class Person(Struct):
    """One who cuts or puts the cover card in: how many-th he was, the evidence, and the latest acts of each kind.

    dealer: of a patron's alarm, who dealt when it rose. steered: by kind the acts that weigh most, placed by the number
    of all that were weighed. ready: the shoes that weigh most for `hides`, beside which counts of `PARTS` are summed.
    """

    nth: int
    follows: Mixture
    dealer: str = ""
    hides: Mixture = field(default_factory=lambda: begun([1 / (2 * len(SHIFTS))] * (2 * len(SHIFTS))))
    acts: dict[str, list[Act]] = field(default_factory=dict)
    steered: dict[str, list[SteeredAct]] = field(default_factory=dict)
    ready: list[MadeReady] = field(default_factory=list)


class Placed(Struct, array_like=True, frozen=True):
    """A cut or a cover card: dealer on duty, patron who cut (empty: the dealer did), place, cards below, event.

    round: the one before it.
    """

    dealer: str
    patron: str
    place: float
    below: int
    sequence: int
    round: int = 0


class State(Struct):
    """One table: the stack that is made ready, the cover card of the shoe in play, and who has cut.

    ends: of each batch the count at the end of its last shoe. dealers, patrons: the latest of them; `met` counts all.
    """

    cut: Placed | None = None
    cover: Placed | None = None
    in_play: Placed | None = None
    shoe: int = 0
    ends: dict[str, float] = field(default_factory=dict)
    dealers: dict[str, Person] = field(default_factory=dict)
    patrons: dict[str, Person] = field(default_factory=dict)
    met: dict[str, int] = field(default_factory=dict)


def _happened(state: State, happened: Happened) -> Iterator[Alarm]:
    data, table = happened.event.data, happened.table
    if happened.round is not None:  # a reload in mid-round
        state.cut = state.cover = state.in_play = None
    elif type(data) is e.CutMade:
        state.cut = _cut(table, data, happened.event.sequence)
    elif type(data) is e.CoverCardInserted:
        place = data.cards_below / data.stack if data.stack > DECK else 0.0
        at = happened.event.sequence, table.last_round
        placed = Placed(table.dealer, "", round(place, 4), data.cards_below, *at)
        state.cover = placed if place and table.dealer else None
    elif type(data) is e.ShoeLoaded:
        yield from _loaded(state, table, data)
    elif type(data) is e.ShoeEmptied:
        yield from _emptied(state, table, len(data.cards))


def _cut(table: Table, data: e.CutMade, sequence: int) -> Placed | None:
    if data.stack <= DECK or not table.dealer:
        return None
    patron = "" if data.by == DEALER else table.players.get(seat_of(data.by), "")
    if data.by != DEALER and not patron:
        return None
    place = round(data.cards_on_top / data.stack, 4)
    return Placed(table.dealer, patron, place, 0, sequence, table.last_round)


def _loaded(state: State, table: Table, data: e.ShoeLoaded) -> Iterator[Alarm]:
    """Hold the places of cut and cover card against the count with which this batch was taken from play."""
    cut, cover, count = state.cut, state.cover, state.ends.get(data.batch)
    state.cut = state.cover = None
    state.in_play, state.shoe = cover, data.shoe
    if count is None or reshuffles_itself(table):
        return
    if cover is not None:
        person = _person(state, "dealers", cover.dealer)
        yield from _held(person, "cover_card", Act(data.shoe, cover.place, count), cover, table)
    if cut is not None:
        person = (
            _person(state, "patrons", cut.patron) if cut.patron else _person(state, "dealers", cut.dealer)
        )
        yield from _held(person, "cut", Act(data.shoe, cut.place, count), cut, table)


def _emptied(state: State, table: Table, rest: int) -> Iterator[Alarm]:
    """Learn the count of a shoe, and what its cover card brought about."""
    facts, shoe, cover = table.decks, table.shoe, state.in_play
    batch = facts.batches.get(facts.in_use)
    if batch is None or len(batch.orders) < 2 or facts.drawn or shoe.number != state.shoe or shoe.beside:
        return
    order = batch.orders[1]
    cards = (order[at : at + 2] for at in range(0, len(order), 2))
    tags = [TAGS.get(card) if card != UNKNOWN else None for card in cards]
    state.in_play, state.shoe = None, 0
    if len(tags) < _SEEN * shoe.loaded:
        state.ends.pop(facts.in_use, None)
        return
    end, quarter, below = len(tags), shoe.loaded // 4, cover.below if cover is not None else 0
    seen, rear, behind, front = standard(
        tags, (0, end - rest), (end - quarter, end), (end - below, end), (0, quarter)
    )
    state.ends[facts.in_use] = seen
    if len(state.ends) > _BATCHES:
        del state.ends[next(iter(state.ends))]
    if cover is None:
        return
    person, parts = _person(state, "dealers", cover.dealer), (behind, front)
    yield from _held(person, "cards_to_come", Act(shoe.number, cover.place, rear), cover, table)
    yield from _hidden(person, shoe.number, cover, table.subject, parts)


def _hidden(
    person: Person, shoe: int, cover: Placed, subject: str, parts: tuple[float, float]
) -> Iterator[Alarm]:
    """Weigh the counts of a shoe's `PARTS`."""
    factors = [exp(shift * part - shift * shift / 2) for part in parts for shift in SHIFTS]
    told = [round(one, 2) for one in parts]
    value, weight = weighed(person.hides, factors, _STRETCH, 1, told)
    if weight > 0:
        place = subject, cover.round, cover.sequence, person.hides.rounds
        keep(person.ready, MadeReady(*place, weight, shoe=shoe, behind=told[0], front=told[1]), _NAMED)
    evidence = value * SHARES["hides_cards"] * share_of(person.nth)
    if evidence >= 1 / LEVEL:
        yield _hides_alarm(person, cover.dealer, subject, evidence)


def _person(state: State, kind: str, name: str) -> Person:
    people = state.dealers if kind == "dealers" else state.patrons
    person = people.pop(name, None)
    if person is None:
        state.met[kind] = state.met.get(kind, 0) + 1
        parts = KINDS.values() if kind == "dealers" else (1.0,)
        person = Person(state.met[kind], begun(weights(parts)))
        if len(people) >= _PEOPLE:
            del people[next(iter(people))]  # the one who has been away longest
    people[name] = person
    return person


def _held(person: Person, kind: str, act: Act, placed: Placed, table: Table) -> Iterator[Alarm]:
    """Hold the place of one act against its count."""
    acts = person.acts.setdefault(kind, [])
    before = [one.place for one in acts]
    person.acts[kind] = [*acts[1 - _KEPT :], act]
    off = usual(HABITS[kind], before, act.place)
    these = ratios(off, len(before), act.count)
    factors = these if placed.patron else [x for one in KINDS for x in (these if one == kind else NOTHING)]
    variant = "patron" if placed.patron else "follows_count"
    rounds = 0 if kind == "cards_to_come" else 1
    counted = [int(one == kind) for one in KINDS]
    value, weight = weighed(person.follows, factors, _STRETCH, rounds, counted)
    if weight > 0:
        at = table.subject, placed.round, placed.sequence, _taken(person)
        named = SteeredAct(*at, weight, kind=kind, shoe=act.shoe, place=act.place, count=act.count)
        keep(person.steered.setdefault(kind, []), named, _NAMED)
    evidence = value * SHARES[variant] * share_of(person.nth)
    if evidence >= 1 / LEVEL:
        yield _follows_alarm(variant, person, kind, placed, table.subject, evidence)


def _taken(person: Person) -> int:
    """How many acts were weighed, of every kind."""
    return int(sum(person.follows.counted))


_SAID = {
    "cover_card": ("puts the cover card", "the count with which the cards were taken from play"),
    "cut": ("cuts", "the count with which the cards were taken from play"),
    "cards_to_come": ("puts the cover card", "the cards in the last quarter of the shoe that is made ready"),
}


def _follows_alarm(
    variant: str, person: Person, kind: str, placed: Placed, subject: str, evidence: float
) -> Alarm:
    mixture, size, kinds = person.follows, len(NOTHING), list(KINDS)
    places = range(len(mixture.whole))
    if not placed.patron:
        sums = [one + other for one, other in zip(mixture.whole, mixture.since, strict=True)]
        kind = max(KINDS, key=lambda name: sum(sums[kinds.index(name) * size :][:size]))
        places = places[kinds.index(kind) * size :][:size]
    since = heaviest(mixture, places)
    acts = person.acts.get(kind, [])
    told = acts[-int(since.counted[kinds.index(kind)]) :]
    since = since._replace(later=since.later or len(told) < since.counted[kinds.index(kind)])
    of_these = [one for one in person.steered.get(kind, ()) if one.shoe >= told[0].shoe]
    most = heaviest_since(of_these, _taken(person) - sum(since.counted))
    how, what = _SAID[kind]
    about: About = {"dealer": placed.dealer, "table": subject}
    if placed.patron:
        person.dealer = person.dealer or placed.dealer
        about = _patron(person, placed.patron, subject)
    who = f"Patron {placed.patron}" if placed.patron else f"Dealer {placed.dealer}"
    together = correlation_of(told)
    return Alarm(
        variant=variant,
        about=about,
        e_value=evidence,
        sequences=events_of(most, subject),
        expected={"correlation": 0},
        observed={
            "of": kind,
            "shoes": len(told),
            "correlation": round(together, 2),
            "rounds": rows_of(most),
        },
        message=f"{who} {how} by {what}: over {since.of('shoe', len(told))} the correlation is {together:.2f}, where "
        "chance has none.",
    )


def _hides_alarm(person: Person, dealer: str, subject: str, evidence: float) -> Alarm:
    size = len(SHIFTS)
    sums = [one + other for one, other in zip(person.hides.whole, person.hides.since, strict=True)]
    place = int(sum(sums[size:]) > sum(sums[:size]))
    since = heaviest(person.hides, range(place * size, (place + 1) * size))
    mean = since.counted[place] / since.rounds
    most = heaviest_since(person.ready, person.hides.rounds - since.rounds)
    what = "small cards" if mean > 0 else "tens and aces"
    where = ("behind the cover card", "first in the shoe")[place]
    return Alarm(
        variant="hides_cards",
        about={"dealer": dealer, "table": subject},
        e_value=evidence,
        sequences=events_of(most, subject),
        expected={"mean_in_deviations": 0},
        observed={
            "of": PARTS[place],
            "shoes": since.rounds,
            "mean_in_deviations": round(mean, 2),
            "rounds": rows_of(most),
        },
        message=f"In {since.of('shoe')} that dealer {dealer} made ready, more {what} lay {where} than "
        f"chance puts there: {abs(mean):.1f} standard deviations a shoe on average.",
    )


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    for name, person in state.dealers.items():
        about: About = {"dealer": name, "table": subject}
        if person.follows.rounds:
            yield _follows_standing("follows_count", about, person)
        if person.hides.rounds:
            share = SHARES["hides_cards"] * share_of(person.nth)
            yield standing_of(person.hides, "hides_cards", about, share, weighty=person.ready)
    for name, person in state.patrons.items():
        if person.follows.rounds:
            yield _follows_standing("patron", _patron(person, name, subject), person)


def _patron(person: Person, name: str, subject: str) -> About:
    about: About = {"table": subject, "player": name}
    if person.dealer:
        about["dealer"] = person.dealer
    return about


def _follows_standing(variant: str, about: About, person: Person) -> EvidenceStanding:
    acts = sorted((one for of_kind in person.steered.values() for one in of_kind), key=attrgetter("at"))
    standing = standing_of(
        person.follows, variant, about, SHARES[variant] * share_of(person.nth), weighty=acts
    )
    return replace(standing, mark=_taken(person))


register(
    Family(
        name="cut_steering",
        variants=tuple(SHARES),
        about=("dealer", "table", "player"),
        null="where somebody cuts or puts the cover card does not depend on which cards came out of the batch in its "
        "last shoe, and the cards of the shoe lie in random order, whatever habit the places follow",
        statistic="The place of each cover card, and of each cut, among the person's own before it, held against the "
        "High-Low count with which the batch was taken from play; and the cover card's against the cards that lie in "
        "the last quarter of the shoe, once that is laid open. Beside it whether the cards behind the dealer's cover "
        "cards, or the first quarters of the shoes that the dealer made ready, are rich or poor in tens and aces.",
        bound="Likelihood ratios of the count given the place, for six correlations and for either side of the usual "
        "place, and of the count of a part of the shoe, for six shifts of its mean, from the first shoe and from any "
        "stretch of four (Ville); the count of cards in random order is taken to be normal. Places have 11/20 of the "
        "level, parts 6/20, patrons' cuts 3/20; the n-th dealer, or patron, of a table has 1/(n(n+1)) of it.",
        innocent=(
            "a shuffle that leaves the cards behind the cover card together, and a dealer who always cuts there",
            "a floor that asks for deeper cover cards after some shoes, such as those in which patrons won",
        ),
        blind=(
            "a place that depends on who sits at the table or how much is staked, and not on the cards: habits drift, "
            "patrons come and stay, and no promise can be given of what goes together then",
            "a place that is always the same, unless it brings rich or poor cards to the front or behind",
            "a slug of cards whose count is even, such as one of pictures and small cards",
            "in the first shoe of a batch, places that follow a count: there is none yet",
            "shoes whose rest is never laid open",
            "devices that shuffle after each round, reloads in mid-round, and stacks of one deck",
        ),
        cost="A pass over the cards of a shoe at its end; under 10 kB each for the latest 24 dealers and 24 patrons.",
        table=AtTable(
            state=State,
            reads=(e.CutMade, e.CoverCardInserted, e.ShoeLoaded, e.ShoeEmptied),
            happened=_happened,
            standing=_standing,
        ),
    )
)
