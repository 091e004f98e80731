"""A player whose decisions follow the hole card, which nobody but the reader has seen.

Whatever a player decides by, well or badly, by a count or at whim, by what he won or by his neighbour: as long as it is
public, the hole card is still one of the cards that nobody has seen, each as likely as the other. So the hole card is
what is random here and the player's decisions are what is given: no model of honest play is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.knowing.judged import KNOWERS, RoundNote
from processors.detectors.knowing.told import told
from processors.detectors.mixture import Mixture, heaviest, leaning, since_heaviest, standing_of, weighed
from processors.detectors.shapes import Alarm, Closed, Contribution, EvidenceStanding, Observation
from processors.detectors.weighty import WeightyRound, events_of, keep, rows_of
from schemas.amounts import verb

_STRETCH = 25


class OfPlayer(Struct):
    """One player: the evidence, with the decisions that the hole card changes, and the rounds that weigh most."""

    mixture: Mixture = field(default_factory=lambda: leaning([knower.weight for knower in KNOWERS]))
    rounds: list[WeightyRound] = field(default_factory=list)


class Nothing(Struct):
    """A table keeps nothing for the family: each round speaks for itself."""


def _closed(_: Nothing, closed: Closed) -> Iterable[Contribution]:
    return [Contribution({"player": player}, note) for player, note in told(closed)]


def _weigh(state: OfPlayer, seen: Observation, note: RoundNote, share: float) -> Iterator[Alarm]:
    counted = (note.asked, note.fits, note.chance)
    value, weight = weighed(state.mixture, note.factors, _STRETCH, 1, counted)
    evidence = value * share
    if weight > 0:
        place = seen.subject, seen.round, seen.sequence, state.mixture.rounds
        keep(state.rounds, WeightyRound(*place, weight, note.cents, note.seats))
    if evidence >= 1 / LEVEL:
        yield _alarm(state, seen, evidence)


def _alarm(state: OfPlayer, seen: Observation, evidence: float) -> Alarm:
    player, since = seen.whom["player"], heaviest(state.mixture)
    asked, fits, chance = since.counted
    most = since_heaviest(state.mixture, state.rounds)
    return Alarm(
        variant="",
        about={"player": player},
        e_value=evidence,
        sequences=events_of(most, seen.subject),
        expected={"decisions_that_fit": round(chance, 1)},
        observed={
            "decisions": asked,
            "decisions_that_fit": fits,
            "rounds": rows_of(most),
        },
        message=f"Of {since.of('decision', asked)} of {player} that the hole card changes, {fits} {verb(fits, 'was')} "
        f"what the hidden card orders; from the cards that nobody had seen, chance allows {chance:.1f}.",
    )


def _standing(state: OfPlayer, whom: dict[str, str], share: float) -> Iterator[EvidenceStanding]:
    yield standing_of(state.mixture, "", {"player": whom["player"]}, share, weighty=state.rounds)


register(
    Family(
        name="hole_card_knowledge",
        variants=("",),
        about=("player",),
        null="what a player decides does not follow the hole card, which is any of the unseen cards alike",
        statistic="Decisions and insurance where the hole card changes what is best (exact play), held against that "
        "card and against every other that might have lain there by the cards seen since the shuffle.",
        bound="The chance of a round's decisions for one who knows the card, wholly or only whether it is a ten or an "
        "ace, in 7 to 19 of 20 rounds, over its mean for all cards that might lie there: 1 on average, however the "
        "player decides. Eight such alternatives, from his first round and from any stretch of 25 (Ville); the n-th "
        "player at a table has 1/(n(n+1)) of the level.",
        innocent=(
            "a dealer who shows the hole card: it is the dealer's fault, and the player need have done nothing",
            "a decision entered at the console after the hole card was turned",
            "a partner who signals: look who sits where the card can be seen",
        ),
        blind=(
            "a player who uses the card for his stakes on other boxes, or hardly ever",
            "decisions that are best whatever lies there; rounds in which every hand is a Blackjack or pat; stack "
            "games",
            "rounds that are void, could not be decided, or are known to lack a word of a device",
            "Down Under: what the lit range says is public, only what lies within it tells",
        ),
        cost="The decisions of a round looked up in exact play; eight products: under 5 kB a player.",
        table=AtTable(state=Nothing, closed=_closed),
        entity=OfEntity(state=OfPlayer, note=RoundNote, weigh=_weigh, standing=_standing),
    )
)
