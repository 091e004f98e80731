"""A dealer and a player together, beyond each alone: her mistakes fall on him, or he knows her hole card.

A dealer who pays everybody too much alike is careless, and who knows the hole card whoever deals may know it alone:
both are other families' matters. What is looked at here is on whom the mistakes fall, and whether a player decides as
the hole card orders while she deals and not while others do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct, field

from processors.core.state import Hand
from processors.detectors.evidence.logs import plain
from processors.detectors.evidence.rates import rate_ratios
from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.favouring.decided import (
    WEIGHT,
    PairDecisions,
    standing_of_decisions,
    weigh_decisions,
)
from processors.detectors.favouring.lots import exchanged, hands_of, mispaid_lots, players_of
from processors.detectors.favouring.shares import FAVOURS, POWERS, log_factors, share
from processors.detectors.favouring.signals import Signalling, Signals, follow
from processors.detectors.knowing.told import told
from processors.detectors.mixture import Mixture, count, fresh, heaviest, log_ratio, weigh, weighed
from processors.detectors.shapes import About, Alarm, Closed, Contribution, EvidenceStanding, Observation
from processors.detectors.weighty import WeightyRound, events_of, heaviest_since, keep, rows_of
from schemas.amounts import amount, verb

WEIGHTS: Final = {"overpaid": 0.85, "exchanged": 0.09, "decisions": WEIGHT}
"""The share of the level of each variant."""
HONEST: Final = 1 / 1000
"""Null: at most this share of a player's hands is mispaid for him, and of his rounds with several hands, exchanged."""
OFTEN: Final = (6.0, 25.0, 130.0)
EXCHANGED_OFTEN: Final = (20.0, 100.0, 800.0)
_FAVOURED = (0.75, 0.25)
STRETCH: Final = 4
"""Notes from which a pattern may begin. The quiet rounds before a note are weighed with it, so that a beginning within
them could not be told from one at the note; and honest play makes few notes, so that beginnings at notes cost little.
"""
_PAIRS = 64


class Note(Struct, array_like=True, frozen=True):
    """One round of a pair in which the dealer mispaid somebody, or the player's hands exchanged cards.

    factors: how well the mispaid hands fit a favoured player, by power of the stake and favour, as logs. his, hers: how
    many mispaid hands were the player's, and how many she mispaid in all; share: how many of these fall on him on
    average. cents: what he got too much. exchanged: whether his hands did so in this round. hands, several: the hands
    he played with her, and his rounds with several, since the note before. first: it is the first at this table.
    signals: what is said of his decisions; such a note says nothing else. seats: his, in this round.
    """

    factors: list[float] = []
    his: int = 0
    hers: int = 0
    share: float = 0.0
    cents: int = 0
    exchanged: bool = False
    hands: int = 0
    several: int = 0
    first: bool = False
    signals: Signals | None = None
    seats: tuple[int, ...] = ()


class Since(Struct):
    """What a pair has played since its last note: hands, and rounds in which the player had several."""

    hands: int = 0
    several: int = 0


class AtOneTable(Struct):
    """The pairs of which anything was said at the table, each as dealer, a line break, and player; who follows whom."""

    pairs: dict[str, Since] = field(default_factory=dict)
    signalling: Signalling = field(default_factory=Signalling)


def _on_whom() -> list[Mixture]:
    return [fresh(_FAVOURED) for _ in POWERS]


class OfPair(Struct):
    """One dealer and one player: on whom her mistakes fall, how often on him; how often his hands exchange cards.

    Beside the evidence of mistakes there are counted her mistakes, his part of them, that by chance, cents and notes;
    of exchanges, these, his rounds with several hands, cents, those in a first note, and notes. rounds: by variant,
    those that weigh most, placed by the notes.
    """

    favoured: list[Mixture] = field(default_factory=_on_whom)
    often: Mixture = field(default_factory=lambda: fresh(len(OFTEN)))
    exchanged: Mixture = field(default_factory=lambda: fresh(len(EXCHANGED_OFTEN)))
    notes: int = 0
    peaks: list[float] = field(default_factory=lambda: [0.0, 0.0])
    rounds: dict[str, list[WeightyRound]] = field(default_factory=dict)
    decided: PairDecisions = field(default_factory=PairDecisions)


def _closed(state: AtOneTable, closed: Closed) -> Iterable[Contribution]:
    if not (closed.dealer and closed.whole):
        return ()
    found: list[Contribution] = []
    if state.pairs or closed.round.breached:
        found.extend(_looked_at(state, closed))
    dealer, place = closed.dealer, (closed.round.number, closed.sequence)
    for player, judged in told(closed):
        for whom, signals in follow(state.signalling, dealer, player, judged, place):
            found.append(Contribution({"dealer": whom, "player": player}, Note(signals=signals)))
    return found


def _looked_at(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    players = players_of(closed.round, closed.table)
    hands = hands_of(closed.round, players)
    for player, his in hands.items():
        since = state.pairs.get(f"{closed.dealer}\n{player}")
        if since is not None:
            since.hands += len(his)
            since.several += len(his) > 1
    if closed.round.breached:
        yield from _charged(state, closed, players, hands)


def _charged(
    state: AtOneTable, closed: Closed, players: dict[int, str], hands: dict[str, list[Hand]]
) -> Iterator[Contribution]:
    lots = list(mispaid_lots(closed, players))
    notes: list[tuple[bool, str, Note]] = []
    for player, his in hands.items():
        swapped = len(his) > 1 and exchanged(closed, his)
        if not (lots or swapped):
            continue
        factors = [0.0] * (len(POWERS) * len(FAVOURS))
        for lot in lots:
            factors = [one + more for one, more in zip(factors, log_factors(lot, player), strict=True)]
        got = [wrong for lot in lots for wrong in lot.got(player)]
        since = state.pairs.pop(f"{closed.dealer}\n{player}", None)
        counted = since or Since(len(his), int(len(his) > 1))
        note = Note(
            factors=[round(one, 6) for one in factors],
            his=len(got),
            hers=sum(lot.mispaid for lot in lots),
            share=round(sum(share(lot, player) for lot in lots), 4),
            cents=sum(got),
            exchanged=swapped,
            hands=counted.hands,
            several=counted.several,
            first=since is None,
            seats=tuple(sorted({hand.seat for hand in his})),
        )
        notes.append((not (got or swapped), player, note))
    # Whom a mistake fell on is spoken of first: who is tried earlier has a larger share of the level.
    for _, player, note in sorted(notes, key=lambda one: one[:2]):
        state.pairs[f"{closed.dealer}\n{player}"] = Since()
        yield Contribution({"dealer": closed.dealer, "player": player}, note)
    while len(state.pairs) > _PAIRS:
        del state.pairs[next(iter(state.pairs))]


def _weigh(state: OfPair, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    if note.signals is not None:
        yield from weigh_decisions(state.decided, seen, note.signals)
        return
    state.notes += 1
    weight = _weigh_mistakes(state, note)
    if note.his:
        _keep(state, "overpaid", seen, note, weight)
    weight = _weigh_exchanges(state, note)
    if note.exchanged:
        _keep(state, "exchanged", seen, note, weight)
    evidence = _evidence(state, share)
    state.peaks = [max(one, now) for one, now in zip(state.peaks, evidence.values(), strict=True)]
    for variant, due in (("overpaid", note.his), ("exchanged", note.exchanged)):
        if due and evidence[variant] >= 1 / LEVEL:
            yield _alarm(variant, state, seen, evidence[variant])


def _weigh_mistakes(state: OfPair, note: Note) -> float:
    """Weigh on whom her mistakes fall, and how often on him; the log by which that raised the evidence."""
    on_whom, many = (note.hers, note.his, note.share, note.cents, 1), len(FAVOURS)
    said: list[tuple[Mixture, Sequence[float]]] = [
        (mixture, [plain(one) for one in note.factors[at * many :][:many]])
        for at, mixture in enumerate(state.favoured)
    ]
    # Of the round that brought a pair to notice it is not weighed that it happened: only what came after is.
    often = () if note.first else rate_ratios(OFTEN, HONEST, note.his, note.hands)
    said.append((state.often, often))
    before, after = _least(state).value(), min(mixture.value(factors) for mixture, factors in said)
    for mixture, factors in said:
        if factors:
            weigh(mixture, factors, STRETCH, 1, on_whom)
        else:
            count(mixture, on_whom)
    return log_ratio(after, before)


def _weigh_exchanges(state: OfPair, note: Note) -> float:
    """Weigh whether his hands exchanged cards; the log by which that raised the evidence."""
    exchanged = int(note.exchanged)
    swapped = (0, 0, note.cents, exchanged, 1) if note.first else (exchanged, note.several, note.cents, 0, 1)
    if note.first or not note.several:
        count(state.exchanged, swapped)
        return 0.0
    factors = rate_ratios(EXCHANGED_OFTEN, HONEST, exchanged, note.several)
    return weighed(state.exchanged, factors, STRETCH, 1, swapped)[1]


def _keep(state: OfPair, variant: str, seen: Observation, note: Note, weight: float) -> None:
    place = seen.subject, seen.round, seen.sequence, state.notes
    keep(state.rounds.setdefault(variant, []), WeightyRound(*place, weight, note.cents, note.seats))


def _least(state: OfPair) -> Mixture:
    """The mixture that says least of her mistakes: it decides."""
    return min((state.often, *state.favoured), key=Mixture.value)


def _evidence(state: OfPair, share: float) -> dict[str, float]:
    """The evidence of each variant; her mistakes have to fall on him at any power, and beyond honest errors.

    Each of the four mixtures is a test supermartingale under a part of the null, and the null says that a part holds.
    The least of the four values is never above the value of the part that holds, so Ville's bound holds for the least.
    """
    overpaid = _least(state).value()
    return {
        "overpaid": overpaid * WEIGHTS["overpaid"] * share,
        "exchanged": state.exchanged.value() * WEIGHTS["exchanged"] * share,
    }


def _alarm(variant: str, state: OfPair, seen: Observation, evidence: float) -> Alarm:
    dealer, player = seen.whom["dealer"], seen.whom["player"]
    since = heaviest(_least(state) if variant == "overpaid" else state.exchanged)
    most = heaviest_since(state.rounds[variant], state.notes - since.counted[4])
    if variant == "overpaid":
        hers, his, by_chance, cents, _ = since.counted
        expected: dict[str, object] = {"of_these_by_chance": round(by_chance, 1)}
        observed: dict[str, object] = {
            "mispaid_for_patrons": hers,
            "for_this_player": his,
            "for_this_player_cents": cents,
            "rounds": rows_of(most),
        }
        those = "that" if his == 1 else "those"
        message = (
            f"Of {since.of('hand', hers)} that dealer {dealer} overpaid or left uncollected while {player} played, "
            f"{his} {verb(his, 'was')} {those} of {player} (${cents / 100:,.2f}); by his part of the hands, "
            f"chance allows {by_chance:.1f}."
        )
    else:
        after, several, cents, at_first, _ = since.counted
        exchanges = after if since.later else after + at_first
        allowed, money = f"chance allows {several * HONEST:.2g}", f"(${cents / 100:,.2f} too much)"
        expected = {"rounds_with_exchanged_cards_at_most": "1 in 1,000"}
        observed = {
            "rounds": rows_of(most),
            "exchanged": exchanges,
            "rounds_with_several_hands": several,
        }
        message = (
            f"In {since.part(exchanges, 'round', several)} in which {player} had several hands while dealer {dealer} "
            f"dealt, cards changed places between them {money}; {allowed}."
            if since.later
            else f"In {amount(exchanges, 'round')} that dealer {dealer} dealt, cards changed places between the hands "
            f"of {player} {money}; after the first he had several hands in {amount(several, 'round')}, of which "
            f"{allowed}."
        )
    return Alarm(
        variant=variant,
        about={"dealer": dealer, "player": player},
        e_value=evidence,
        sequences=events_of(most, seen.subject),
        expected=expected,
        observed=observed,
        message=message,
    )


def _standing(state: OfPair, whom: dict[str, str], share: float) -> Iterator[EvidenceStanding]:
    about: About = {"dealer": whom["dealer"], "player": whom["player"]}
    if state.notes:
        for (variant, now), peak in zip(_evidence(state, share).items(), state.peaks, strict=True):
            yield EvidenceStanding(
                variant=variant, about=about, e_value=now, highest=peak, rounds=state.notes,
                weighty=state.rounds.get(variant, ()), mark=state.notes,
            )  # fmt: skip
    yield from standing_of_decisions(state.decided, about)


register(
    Family(
        name="collusion",
        variants=tuple(WEIGHTS),
        about=("dealer", "player"),
        null="a dealer's mistakes for patrons fall on a player by his part of the hands, or of the stakes or their "
        "square roots, with odds up to 1.1 times that, or befall at most 1 of his hands in 1,000; and the hands of a "
        "player exchange cards in at most 1 in 1,000 rounds in which he has several; and his decisions follow the "
        "hole card with no dealer, or from some round on with all alike in more than half of the rounds",
        statistic="Of the hands of a round that a dealer overpaid or left uncollected, which are this player's, "
        "against all hands of the round; side wagers of a kind only against one another. Rounds in which a player's "
        "hands hold together what was dealt to them together, but not each: by the rack, with more paid than was due, "
        "or by the layout against the shoe. Decisions that the hole card changes, held against it while this dealer "
        "deals and while others do, at the tables where she deals.",
        bound="Mistakes: likelihood ratios of who was mispaid, given how many were, against odds of 8 and of 200; the "
        "least over three powers of the stake counts, and that against 1 in 1,000 hands if it is less. Exchanges: "
        "likelihood ratios against three rates. Both from the first such round and from any stretch of four (Ville). "
        "Decisions: the chance of the hole cards for who knows them with this dealer only, in five ways, from the "
        "first round and from any stretch of 24, over the highest for who knows them in one of six ways with all "
        "dealers, from any six such rounds on (universal inference, Ville); a table speaks of it once it is 30. The "
        "three share the level (85 : 9 : 6), and so do the pairs of a table's stream: the n-th has 1/(n(n+1)) of it; "
        "for decisions all that played count.",
        innocent=(
            "a seat that the dealer sees or reaches badly, and at which this player always sits",
            "a player who plays by a rule that the dealer reads otherwise, such as one who splits or doubles more",
            "a player who claims what he is not due, and a dealer who gives in: only he may be at fault",
            "a layout that takes two boxes one for the other",
            "a dealer who lets her hole card be seen from one seat and does not know it: look who sits there",
            "a player who knows the card now and then whoever deals, by luck most often while she did",
            "a player who knew the card by himself for one turn of hers, and then gave it up",
        ),
        blind=(
            "rounds that the player plays alone: nothing then tells favour from carelessness",
            "a player with nearly all stakes of the table, by whose part nearly all mistakes should be his",
            "rounds that are void, could not be decided, or are known to lack a word of a device; rounds with two "
            "dealers; stack games",
            "what passes between them and changes no decision that the hole card tells of: palmed chips, next cards",
            "decisions as long as no other dealer has dealt to the player, and at tables where she never dealt",
            "a player who changes his pseudonym",
        ),
        cost="In a round without a breach a count of hands while a pair is known, and eight sums for each player whose "
        "decisions tell of the hole card; at most 8 kB a pair and 40 kB a table.",
        table=AtTable(state=AtOneTable, closed=_closed),
        entity=OfEntity(state=OfPair, note=Note, weigh=_weigh, standing=_standing),
    )
)
