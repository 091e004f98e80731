"""Shoes that were not made ready well: known, sorted or repeated orders, weak shuffles, cards too few or too many."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from math import log

from msgspec import Struct, field
from msgspec.structs import replace

from processors.core.folding.preparation import reshuffles_itself
from processors.core.state import Round, Table
from processors.detectors.evidence.logs import log_sum, plain
from processors.detectors.evidence.runs import OrderRun, common_runs, log_e_of_runs, log_expected_runs
from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.mixture import Mixture, fresh, heaviest, how_often, standing_of, weigh
from processors.detectors.shapes import About, Alarm, Closed, EvidenceStanding, Happened
from processors.detectors.shuffling import lacking
from processors.detectors.shuffling.neighbours import NEAR, ODDS, Bets, either_way, followers
from processors.detectors.shuffling.orders import ORDER, Known, References, references
from processors.detectors.shuffling.over_shoes import OverShoes, ToldShoe, in_words, shown
from processors.detectors.shuffling.repeats import Older, again
from processors.detectors.shuffling.seen import as_seen
from schemas import events as e
from schemas.amounts import amount
from schemas.values import UNKNOWN

LENGTHS, WEIGHTS = (7, 9, 12), (0.9, 0.07, 0.03)
"""Lengths of runs that count, and how the level is divided among them; a longer run holds several of each."""
SHARES = {
    "slug": 0.61,
    "repeat": 0.01,
    "sorted": 0.04,
    "forward": 0.07,
    "backward": 0.04,
    "second": 0.02,
    "fourth": 0.02,
    "short": 0.05,
    "migrated": 0.14,
}
RUNS = SHARES["slug"] + SHARES["repeat"]
BEYOND = 20  # cards that may still be dealt after the cover card, to complete the round
STRETCH = 8  # rounds
NEIGHBOURS = 120
"""Cards of a shoe whose neighbours are looked at: a weak shuffle is weak from the first card on."""
_KEPT = 4  # orders
_MOST_RUNS = 64
_LINKS = ("sorted", "forward", "backward", "second", "fourth")
_BACK = (2, 4)
"""A perfect shuffle brings a card between two that lay side by side, and two of them three cards."""


class State(Struct):
    """The known orders of a table, the shoe in play, its runs by the way they lie, and the evidence of neighbours.

    `drawn` are the cards of the shoe so far, `said` of them by the shoe's own word, `looked` at already.
    """

    known: list[Known] = field(default_factory=list)
    shoe: int = 0
    batch: str = ""
    shoes: int = 0
    copies: int = 0
    loaded: int = 0
    fresh: int = 0
    said: int = 0
    drawn: list[str] = field(default_factory=list)
    looked: int = 0
    runs: dict[int, OrderRun] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    unseen: int = 0
    over: OverShoes = field(default_factory=OverShoes)
    rounds: int = 0
    links: dict[str, Mixture] = field(
        default_factory=lambda: {name: fresh(len(ODDS)) for name in _LINKS},
    )
    raised: dict[str, int] = field(default_factory=dict)
    older: Older = field(default_factory=Older)
    decks: lacking.Decks = field(default_factory=lacking.Decks)


def _happened(state: State, happened: Happened) -> Iterator[Alarm]:
    """Learn the orders of a shoe that ends, and what cards it had; begin the next one."""
    table, data = happened.table, happened.event.data
    facts = table.decks
    if type(data) is e.ShoeLoaded:
        lacking.loaded(state.decks)
        whole = table.batches.get(data.batch)
        fits = whole is not None and not reshuffles_itself(table)
        state.shoe, state.batch = data.shoe, data.batch
        state.loaded = data.cards if fits else 0
        state.copies = whole.decks if whole is not None else 0
        cover = facts.cover_in_shoe
        state.fresh = min(data.cards, data.cards - cover + BEYOND) if cover else data.cards
        state.shoes += 1
        state.said, state.drawn, state.looked = 0, [], 0
        state.runs = {}
        state.left, state.unseen = dict.fromkeys(NEAR, state.copies), data.cards
        if fits:
            state.over.begin()
        return
    for said in lacking.happened(state.decks, happened):
        yield from _decks_alarm(state, said, table, (table.shoe.loaded_at, happened.event.sequence))
    batch = facts.batches.get(facts.in_use)
    if batch is None or not batch.orders or state.loaded == 0 or facts.drawn:
        return  # the shoe goes on
    for kind, order in zip(("rack", "draws"), batch.orders, strict=False):
        if order and all(order != one.order for one in state.known):
            state.older.keep(state.known[: 1 - _KEPT])
            state.known = [*state.known[1 - _KEPT :], Known(kind, state.shoe, facts.in_use, order)]


def _decks_alarm(
    state: State, said: lacking.ShoeEvidence, table: Table, sequences: tuple[int, ...]
) -> Iterator[Alarm]:
    evidence = said.e_value * SHARES[said.variant]
    if evidence >= 1 / LEVEL and lacking.newly(state.decks, said):
        yield Alarm(
            variant=said.variant,
            about={"table": table.subject, "shoe": table.shoe.number},
            e_value=evidence,
            sequences=sequences,
            expected=said.expected,
            observed=said.observed,
            message=said.message,
        )


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    table = closed.table
    for found in lacking.closed(state.decks, closed):
        yield from _decks_alarm(state, found, table, (table.shoe.loaded_at, closed.sequence))
    if not state.loaded or table.shoe.number != state.shoe or state.looked >= state.fresh:
        return
    said = table.decks.drawn[state.said :]
    state.said += len(said)
    if not said:
        return
    if not closed.whole and (table.round is None or table.round is closed.round):
        said = as_seen(closed.round, said)
    state.drawn += said[: state.fresh - state.looked]
    state.rounds += 1
    known = references(tuple(state.known), state.batch)
    yield from _slugs(state, closed, state.drawn, known)
    yield from _repeats(state, closed)
    if state.looked < NEIGHBOURS:
        yield from _neighbours(state, closed, state.drawn[:NEIGHBOURS], known)
    state.looked = len(state.drawn)


def _slugs(state: State, closed: Closed, drawn: list[str], known: References) -> Iterator[Alarm]:
    new = common_runs(known.text, drawn, state.looked, LENGTHS[0])
    for run in new:
        if run.diagonal in state.runs or len(state.runs) < _MOST_RUNS:
            state.runs[run.diagonal] = run
    if not new:
        return
    logs = []
    for group in known.groups:
        matched = [run.matched for run in state.runs.values() if known.group_of(run) == group.name]
        expected = [
            log_expected_runs(group.cards, state.fresh, length, state.copies, state.loaded)
            for length in LENGTHS
        ]
        logs.append(log(group.weight) + log_e_of_runs(matched, LENGTHS, expected, WEIGHTS))
    longest = max(state.runs.values(), key=lambda run: (run.matched, -run.first))
    cards = drawn[longest.first : longest.last + 1]
    evidence = _taken(state, _variant(known, longest), "slug", log_sum(logs), cards, longest.matched)
    if evidence >= 1 / LEVEL:
        yield _slug_alarm(state, closed, cards, known, longest, evidence)


def _variant(known: References, run: OrderRun) -> str:
    return "order" if known.group_of(run) == ORDER else "slug"


def _taken(state: State, variant: str, kind: str, log_e: float, cards: list[str], matched: int) -> float:
    """Take what a run of cards says, of the kind's part of the level; the evidence of all shoes then."""
    words = f"{matched} cards: {_listed(cards)}"
    return RUNS * state.over.take(SHARES[kind] / RUNS * plain(log_e), state.shoe, words, variant)


def _listed(cards: list[str]) -> str:
    return f"{' '.join(cards[:12])}{' ...' if len(cards) > 12 else ''}"


def _had_too(before: list[ToldShoe]) -> str:
    return f"; {in_words(before)} had repeated an order, too" if before else ""


def _slug_alarm(
    state: State, closed: Closed, cards: list[str], known: References, longest: OrderRun, evidence: float
) -> Alarm:
    where, shoe = known.said(longest)
    before = state.over.before()
    of_shoe = f" of shoe {shoe}" if shoe else ""
    runs = plain(log_expected_runs(known.cards, state.fresh, LENGTHS[0], state.copies, state.loaded))
    return Alarm(
        variant=_variant(known, longest),
        about={"table": closed.table.subject, "shoe": state.shoe},
        e_value=evidence,
        sequences=_draws(closed.round),
        expected={"runs_of_seven_a_shoe": float(f"{runs:.2g}")},
        observed={
            "run": longest.matched,
            "cards": cards[:60],
            "from_card": longest.first + 1,
            "order": where,
            "of_shoe": shoe,
            "runs": len(state.runs),
            **shown(before),
        },
        message=f"{longest.matched} cards of shoe {state.shoe} came one after the other as they lay in {where}"
        f"{of_shoe}, from card {longest.first + 1} on ({_listed(cards)}){_had_too(before)}; chance brings a run of "
        f"seven in one of {1 / runs:,.0f} shoes.",
    )


def _draws(round_: Round) -> tuple[int, ...]:
    return tuple(one.sequence for one in round_.told(e.CardDrawn))


def _chance(left: dict[str, int], near: tuple[str, ...], unseen: int) -> float:
    """The chance that the next card is one of these; a card that is not of the decks, as a joker, comes by none."""
    return sum(map(left.get, near, repeat(0))) / unseen if unseen > 0 else 1.0


def _neighbours(state: State, closed: Closed, drawn: list[str], known: References) -> Iterator[Alarm]:
    tables = (NEAR, followers(known.own_rack), followers(known.own_reversed))
    bets = [Bets() for _ in _LINKS]
    pairs = tuple(zip(tables, bets, strict=False))
    beside = either_way(known.own_rack, known.own_reversed)
    apart = tuple(zip(_BACK, bets[len(tables) :], strict=True)) if beside else ()
    left, unseen = state.left, state.unseen
    before = drawn[state.looked - 1] if state.looked else UNKNOWN
    for at, card in enumerate(drawn[state.looked :], state.looked):
        if card not in left:
            before = UNKNOWN
            continue
        for follows, one in pairs:
            near = follows.get(before)
            if near:
                one.bet(_chance(left, near, unseen), card in near)
        for back, one in apart:
            near = beside.get(drawn[at - back]) if at >= back else None
            if near:
                one.bet(_chance(left, near, unseen), card in near)
        left[card] = max(0, left[card] - 1)
        unseen -= 1
        before = card
    state.unseen = unseen
    for name, one in zip(_LINKS, bets, strict=True):
        evidence = weigh(state.links[name], one.factors(), STRETCH, 1, (one.hits, one.chance))
        if evidence * SHARES[name] >= 1 / LEVEL and name not in state.raised:
            state.raised[name] = state.shoe
            yield _link_alarm(state, closed, name, evidence * SHARES[name])


def _repeats(state: State, closed: Closed) -> Iterator[Alarm]:
    """Look for the last cards among those of older shoes, and earlier ones of this."""
    found = again(state.older, state.drawn, state.fresh, state.copies, state.loaded)
    if found is None:
        return
    evidence = _taken(state, "order", "repeat", found.log_e, found.cards, len(found.cards))
    if evidence >= 1 / LEVEL:
        before = state.over.before()
        where = f"came in shoe {found.shoe}" if found.shoe else "had come earlier in it"
        way = ", backward" if found.backward else ""
        yield Alarm(
            variant="order",
            about={"table": closed.table.subject, "shoe": state.shoe},
            e_value=evidence,
            sequences=_draws(closed.round),
            expected={"runs_of_twelve_a_shoe": float(f"{plain(-found.log_e):.2g}")},
            observed={
                "cards": found.cards,
                "to_card": len(state.drawn),
                "of_shoe": found.shoe or state.shoe,
                "backward": found.backward,
                **shown(before),
            },
            message=f"{len(found.cards)} cards of shoe {state.shoe} came one after the other as they {where}{way}, up "
            f"to card {len(state.drawn)} ({' '.join(found.cards)}){_had_too(before)}: chance hardly ever does that.",
        )


_SAID = {
    "sorted": "is of its rank, or of its suit and the next rank",
    "forward": "lay above it in the rack when the cards were shuffled",
    "backward": "lay below it in the rack when the cards were shuffled",
    "second": "lay beside the one before it in the rack when the cards were shuffled",
    "fourth": "lay beside the third before it in the rack when the cards were shuffled",
}


def _link_alarm(state: State, closed: Closed, name: str, e_value: float) -> Alarm:
    since = heaviest(state.links[name])
    hits, chance = since.counted
    of, number = ("rounds", since.rounds) if since.later else ("shoes", state.shoes)
    played = f"{since.of('round')} from the front of a shoe" if since.later else amount(number, "shoe")
    return Alarm(
        variant="sorted" if name == "sorted" else f"weak_{name}",
        about={"table": closed.table.subject, "shoe": state.shoe},
        e_value=e_value,
        sequences=_draws(closed.round),
        expected={"neighbours_by_chance": round(chance, 1)},
        observed={"neighbours": hits, of: number},
        message=f"{how_often(hits).capitalize()} in {played} the card after another {_SAID[name]}; chance allows "
        f"{chance:.1f}: the shuffle keeps neighbours together.",
    )


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    yield from _over_shoes(state, subject, state.over, RUNS)
    for name, mixture in state.links.items():
        if not mixture.rounds:
            continue
        yield standing_of(
            mixture,
            "sorted" if name == "sorted" else f"weak_{name}",
            {"table": subject, "shoe": state.raised.get(name, state.shoe)},
            SHARES[name],
        )
    decks = state.decks
    about: About = {"table": subject, "shoe": state.shoe}
    if decks.short.rounds:
        yield standing_of(decks.short, "short", about, SHARES["short"])
    yield from _over_shoes(state, subject, decks.others, SHARES["migrated"])


def _over_shoes(state: State, subject: str, over: OverShoes, share: float) -> Iterator[EvidenceStanding]:
    """The evidence of all shoes, about the last of them that showed something."""
    for last in over.told[-1:]:
        about: About = {"table": subject, "shoe": last.shoe}
        yield replace(standing_of(over.mixture, last.variant, about, share), rounds=state.rounds)


register(
    Family(
        name="shuffle_quality",
        variants=(
            "slug",
            "order",
            "sorted",
            "weak_forward",
            "weak_backward",
            "weak_second",
            "weak_fourth",
            "short",
            "migrated",
        ),
        about=("table", "shoe"),
        null="the cards loaded into a shoe are those of its decks, in an order that is uniformly random, given all "
        "orders seen before; each device misses a card with a chance of at most 1 in 200, and two devices report a "
        "card that is not there with at most 1 in 2,000,000,000, whatever came before",
        statistic="Runs of at least seven cards in which a shoe repeats, forward or reversed, the last rack of the "
        "table, the last rack of its own batch, the rack or the cards of one of the last two shoes, or a new deck. "
        "Among the first 120 cards: how often a card is followed by a card that lay beside it in the rack of its "
        "batch, or that lies beside it in a sorted deck. Neat riffles put such neighbours two and four cards apart, "
        "and these distances count too. The last twelve cards of each round among those of sixty older shoes, and "
        "earlier cards of the same shoe. Once the rest of a shoe is laid open: cards that neither shoe nor rack "
        "reported. At any round: cards that came more often than the decks have them.",
        bound="Runs: seen over their expected number, which is bounded over all pairs of places; 61 of 100 parts of "
        "the level, divided among directions, orders and lengths, and with older orders 1 part. Neighbours: likelihood "
        "ratios given the cards not yet seen, from the first round and from any stretch of eight (Ville); 4, 7, 4, 2 "
        "and 2 parts. Missing cards: likelihood ratios against three rates, from the first shoe and from any later "
        "one; 5 parts. Cards of other decks: seen over expected; 14 parts. Of what runs and cards of other decks say, "
        "1/2, 1/40 and 1/1,000 are bet on each shoe, from the first and from any later one (Ville).",
        innocent=(
            "a shuffler that jammed and was emptied by hand",
            "a rest of the shoe that was put back without a shuffle by order of the floor",
            "a rack that was read in another order than it lay",
            "a worn card that shoe and rack take for another one, shoe after shoe",
        ),
        blind=(
            "a slug of fewer than seven cards that were read, or one that lies behind the cover card",
            "a slug of another table's cards, or one of fewer than some twenty cards of a shoe more than two shoes ago",
            "one short run, or one card of other decks, in a single late shoe: another shoe must show one, too",
            "one or two cards that are missing: devices in order miss as many",
            "tables whose device reshuffles after each round: they have no shoe whose order could be compared",
            "a shuffle that keeps cards near one another, but neither side by side nor with one or three between them, "
            "or so only deep in the shoe",
        ),
        cost="A text search for every third card of the shoe; twenty orders, sixty older ones and six mixtures, under "
        "70 kB a table.",
        table=AtTable(
            state=State,
            closed=_closed,
            reads=(e.ShoeLoaded, e.ShoeEmptied, e.StackShuffledFromRack),
            happened=_happened,
            standing=_standing,
        ),
    )
)
