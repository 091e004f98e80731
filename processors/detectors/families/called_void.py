"""A dealer whose rounds are called void, again and again, when one side would have lost them: patrons, or the house.

No clause lets a round of Blackjack be void, so each such round is found by itself (A70). What makes a pattern is whom
the calls serve, over all tables where she deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct, field

from processors.detectors.calling.chances import ALTERNATIVES, SharesSoFar, compared
from processors.detectors.calling.results import result_by_cards
from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.mixture import Mixture, fresh, heaviest, since_heaviest, standing_of, weighed
from processors.detectors.shapes import About, Alarm, Closed, Contribution, EvidenceStanding, Observation
from processors.detectors.weighty import WeightyRound, events_of, keep, rows_of
from schemas.amounts import amount, verb

WEIGHTS: Final = {"for_patrons": 0.6, "for_house": 0.4}
"""The share of the level of each variant: rounds that patrons would have lost, and those that they would have won."""
_STRETCH = 4  # rounds called void: she may begin with any such stretch


class Note(Struct, array_like=True, frozen=True):
    """A round that was called void after the cards had decided it.

    outcome, cents, seats: as of `CardsResult`. chances: the highest that patrons lost; lost at every box; won; won at
    every box. beside: of the other rounds with which it is compared, how many came out each way, from lost at every box
    to won at every box.
    """

    outcome: int
    cents: int
    chances: tuple[float, float, float, float]
    beside: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    seats: tuple[int, ...] = ()


class AtOneTable(Struct):
    """How the rounds of a table came out that nobody called void, and which of them may still be compared with."""

    shares: SharesSoFar = field(default_factory=SharesSoFar)


class CalledRound(WeightyRound, frozen=True):
    """A round called void that patrons would have lost, or won: at which seats, and all together how many cents.

    It is the evidence's unit, weighed beside the other rounds with which it is compared. everywhere: so at every box.
    """

    everywhere: bool = False

    def why(self) -> dict[str, Any]:
        """Why it weighs: whether one side would have had every box, and the factor."""
        return {"at_every_box": self.everywhere, **super().why()}


class OfDealer(Struct):
    """One dealer: whom the rounds served that were called void, and by variant those that weigh most."""

    for_patrons: Mixture = field(default_factory=lambda: fresh(ALTERNATIVES))
    for_house: Mixture = field(default_factory=lambda: fresh(ALTERNATIVES))
    rounds: dict[str, list[CalledRound]] = field(default_factory=dict)


def _closed(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    seen = result_by_cards(closed)
    if seen is None:
        return
    if closed.round.voided is None:
        state.shares.take(seen)
    elif closed.dealer:
        lost, lost_everywhere, won, won_everywhere = state.shares.chances(seen.boxes)
        chances = (lost, lost_everywhere, won, won_everywhere)
        all_lost, some_lost, even, some_won, all_won = state.shares.beside(seen.boxes)
        beside = (all_lost, some_lost, even, some_won, all_won)
        yield Contribution(
            {"dealer": closed.dealer}, Note(seen.outcome, seen.cents, chances, beside, seen.seats)
        )


def _weigh(state: OfDealer, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    lost, lost_everywhere, won, won_everywhere = note.chances
    for variant, mixture, sign, some, everywhere in (
        ("for_patrons", state.for_patrons, -1, lost, lost_everywhere),
        ("for_house", state.for_house, 1, won, won_everywhere),
    ):
        outcome = max(0, sign * note.outcome)
        all_against, against, even, other, all_other = note.beside[::-sign]
        beside = (even + other + all_other, against, all_against)
        others = (sum(beside), against + all_against, all_against)
        counted = (int(outcome > 0), int(outcome > 1), max(0, sign * note.cents), *others)
        factors = compared(outcome, some, everywhere, beside)
        value, weight = weighed(mixture, factors, _STRETCH, 1, counted)
        evidence = value * WEIGHTS[variant] * share
        rounds = state.rounds.setdefault(variant, [])
        if outcome and weight > 0:
            place = seen.subject, seen.round, seen.sequence, mixture.rounds
            keep(rounds, CalledRound(*place, weight, note.cents, note.seats, outcome > 1))
        if outcome and evidence >= 1 / LEVEL:
            yield _alarm(variant, mixture, rounds, seen, evidence)


def _alarm(
    variant: str, mixture: Mixture, rounds: list[CalledRound], seen: Observation, evidence: float
) -> Alarm:
    dealer, since = seen.whom["dealer"], heaviest(mixture)
    result = {"for_patrons": "lost", "for_house": "won"}[variant]
    them = "it" if since.rounds == 1 else "them"
    some, everywhere, cents, others, of_others, everywhere_of_others = since.counted
    part = since.rounds / max(1, others)
    most = since_heaviest(mixture, rounds)
    return Alarm(
        variant=variant,
        about={"dealer": dealer},
        e_value=evidence,
        sequences=events_of(most, seen.subject),
        expected={
            "as_of_other_rounds": round(of_others * part, 1),
            "at_every_box_as_of_other_rounds": round(everywhere_of_others * part, 1),
        },
        observed={
            "called_void": since.rounds,
            f"patrons_would_have_{result}": some,
            "at_every_box": everywhere,
            "cents": cents,
            "other_rounds": others,
            f"other_rounds_{result}": of_others,
            "other_rounds_at_every_box": everywhere_of_others,
            "rounds": rows_of(most),
        },
        message=f"Of {since.of('round')} of dealer {dealer} that {verb(since.rounds, 'was')} called void once "
        f"the cards had decided {them}, patrons would have {result} {some} (${cents / 100:,.2f}), {everywhere} of them "
        f"at every box; of {amount(others, 'round')} beside {them} they {result} {of_others}, "
        f"{everywhere_of_others} of them at every box.",
    )


def _standing(state: OfDealer, whom: dict[str, str], share: float) -> Iterator[EvidenceStanding]:
    for variant, mixture in (("for_patrons", state.for_patrons), ("for_house", state.for_house)):
        weighty = state.rounds.get(variant, ())
        about: About = {"dealer": whom["dealer"]}
        yield standing_of(mixture, variant, about, WEIGHTS[variant] * share, weighty=weighty)


register(
    Family(
        name="called_void",
        variants=tuple(WEIGHTS),
        about=("dealer",),
        null="whether a round is called void depends neither on who would have lost it nor on who lost the rounds "
        "before it: of such rounds patrons lose at most the share, whatever it is, that they lose of the table's other "
        "rounds of as many boxes, and so for rounds that they win, and for either at every box",
        statistic="Rounds of Blackjack that were called void after the hole card was shown, when the cards had decided "
        "every stake: whether patrons would have won or lost, all stakes together, and whether at every box.",
        bound="Each such round beside the latest two others of the table and of as many boxes, none of which is used "
        "twice: likelihood ratios of both over that of one share for both (Turner, Ly and Grünwald 2024), so that the "
        "bound holds whatever share patrons lose. The alternatives are three higher odds of such a result, each with "
        "the usual part at every box and with a higher one. They lie above the share of rounds compared before, "
        "and above stated shares: of rounds of four boxes at most .66 lost and .25 at every box, .44 won and .14 at "
        "every box. From the dealer's first such round and from any stretch of four (Ville). The two "
        "variants share the level (3 : 2), and so do the dealers of a table's stream: the n-th has 1/(n(n+1)) of it.",
        innocent=(
            "a floor that calls rounds void where patrons complain: those who lost complain",
            "errors that are seen when winners are paid: they are found in rounds that patrons won",
            "a supervisor who makes the calls while she deals: look who was on the floor",
            "patrons who begin to play worse, or better, between the rounds that are compared",
            "calls that come as soon as the hole card is shown: only those of a dealer who draws no card are counted",
        ),
        blind=(
            "calls before the hole card is shown, or before all stakes are decided",
            "how often rounds are called void: each is found by itself",
            "rounds called void before any other round of as many boxes was played at the table",
            "rounds that are known to lack a word of a device, and rounds with two dealers",
            "stack games, whose rules let a round be void",
        ),
        cost="A sum of what each stake of a round was due; two mixtures of six rates and up to 80 rounds, under 4 kB a "
        "dealer; 25 counts and the results of up to 200 rounds a table.",
        table=AtTable(state=AtOneTable, closed=_closed),
        entity=OfEntity(state=OfDealer, note=Note, weigh=_weigh, standing=_standing),
    )
)
