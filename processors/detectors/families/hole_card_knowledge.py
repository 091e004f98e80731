"""A player whose decisions follow the hole card, which nobody but the reader has seen.

Whatever a player decides by, well or badly, by a count or at whim, by what he won or by his neighbour: as long as it is
public, the hole card is still one of the cards that nobody has seen, each as likely as the other. So the hole card is
what is random here and the player's decisions are what is given: no model of honest play is needed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp
from typing import Final

from msgspec import Struct, field

from processors.core.state import Hand, Round, Table
from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.mixture import Mixture, fresh, weigh
from processors.detectors.shapes import Alarm, Closed, Contribution, Observation, Standing
from processors.games.blackjack.hands import player_hands
from processors.games.blackjack.rules import rules_in_force
from processors.games.totals import POINTS, is_natural
from processors.play.composition import ENDLESS, IN_A_DECK, VALUES
from processors.play.dealer import RANGES, holes_of
from processors.play.game import Game, game_of
from processors.play.hands import CHIPS, LAMMER, Choice, Held, play_of
from processors.play.situation import Situation, held
from schemas.values import DEALER


class Knower(Struct, frozen=True):
    """An alternative: what somebody knows of the hole card, in which share of the rounds, and what he uses it for.

    bold: he makes every play that the card orders, also one that gives him away, as a split of tens or a card to a hard
    19; else he uses it to draw or to stand where plain players do either.
    """

    share: float
    bold: bool = False
    ten_only: bool = False
    plays: bool = True
    insures: bool = True
    weight: float = 0.06


KNOWERS: Final = (
    Knower(0.95, weight=0.4),
    Knower(0.7, weight=0.24),
    Knower(0.35),
    Knower(0.8, ten_only=True),
    Knower(0.85, insures=False),
    Knower(0.9, plays=False),
    Knower(0.95, bold=True),
    Knower(0.5, bold=True),
)
_SLIP = 0.04  # how often a knower does anything at all
_PLAIN_SLIP = 0.15
_CLOSE = 0.04  # choices whose worths are this near, in wagers, are hard to tell apart
_PLAIN_INSURES = 0.1
_STRETCH = 25
_KEPT = 30
_SUITED = {value: {10: "T", 11: "A"}.get(value, str(value)) + "s" for value in VALUES}


class Note(Struct, array_like=True, frozen=True):
    """One round of a player: the factor of each alternative, and for people how his decisions fit the hole card.

    asked: decisions that the hole card changes. fits: those that it orders. chance: how many any other unseen card in
    its place would have ordered on average.
    """

    factors: tuple[float, ...]
    asked: int
    fits: int
    chance: float


class AtOneTable(Struct):
    """The game that the table's rules make, and since which configuration and day."""

    game: Game | None = None
    configured_at: int = 0
    day: dt.date | None = None


class Fitting(Struct, array_like=True, frozen=True):
    """A round that speaks for knowledge: table, round, event, and the largest factor of an alternative."""

    subject: str
    round: int
    sequence: int
    factor: float


def _mixture() -> Mixture:
    mixture = fresh(len(KNOWERS))
    whole = sum(mixture.whole)
    mixture.whole = [whole * knower.weight for knower in KNOWERS]
    return mixture


class OfPlayer(Struct):
    """One player: the evidence, the decisions that the hole card changes, and the rounds that weigh most."""

    mixture: Mixture = field(default_factory=_mixture)
    asked: int = 0
    fits: int = 0
    chance: float = 0.0
    rounds: list[Fitting] = field(default_factory=list)


def _closed(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    round_, table = closed.round, closed.table
    game = _game(state, table)
    if game is None or not closed.whole or round_.reloads or table.shoe.number != round_.shoe:
        return
    dealer = round_.hands.get(DEALER)
    if dealer is None or round_.hole_revealed is None or len(dealer.cards) < 2 or round_.hole_index != 1:
        return
    up, hole = POINTS.get(dealer.cards[0], 0), POINTS.get(dealer.cards[1], 0)
    decided = max((at for hand in round_.hands.values() for _, at in hand.decisions), default=0)
    if not (up and hole) or decided > round_.hole_revealed:
        return
    yield from _players(game, closed, up, hole)


def _players(game: Game, closed: Closed, up: int, hole: int) -> Iterator[Contribution]:
    round_, table = closed.round, closed.table
    light = round_.reader[1] if round_.reader is not None and round_.reader[1] in RANGES else None
    of: dict[str, list[tuple[Hand, int]]] = {}
    for hand in player_hands(round_):
        name = _player(round_, table, hand.seat)
        if name:
            of.setdefault(name, []).append((hand, hand.seat))
    counts: tuple[int, ...] | None = None
    for name, hands in of.items():
        offered = up == 11 and round_.insurance_offered is not None
        asked = [one for hand, _ in hands for one in _decisions(game, round_, hand, up, light)]
        if not (offered or asked):
            continue
        if counts is None:
            counts = unseen(table, round_)
        if counts[hole - 2] <= 0:
            return
        insured = _insured(round_, {seat for _, seat in hands}) if offered else None
        note = judged(counts, up, hole, light, insured, asked)
        if note is not None:
            yield Contribution({"player": name}, note)


def _game(state: AtOneTable, table: Table) -> Game | None:
    if state.configured_at != table.configured_at or state.day != table.gaming_day:
        rules = rules_in_force(table)
        state.game = None if rules is None else game_of(rules)
        state.configured_at, state.day = table.configured_at, table.gaming_day
    return state.game


def _player(round_: Round, table: Table, seat: int) -> str:
    stake = round_.stakes.get(f"{seat}:main:{seat}.1")
    return (stake.player if stake is not None else "") or table.players.get(seat, "")


def _insured(round_: Round, seats: set[int]) -> bool:
    return any(
        stake.kind == "insurance" and stake.seat in seats and stake.cents for stake in round_.stakes.values()
    ) or any(hand.even_money is not None and hand.seat in seats for hand in round_.hands.values())


def unseen(table: Table, round_: Round) -> tuple[int, ...]:
    """The cards nobody had seen when the hole card was turned up, it included, by value 2 to 11."""
    batch = table.batches.get(table.shoe.batch)
    decks = batch.decks if batch is not None else 6
    counts = [decks * count for count in IN_A_DECK]
    for card, number in table.shoe.out.items():
        if card in POINTS:
            counts[POINTS[card] - 2] -= number
    for card in round_.hands[DEALER].cards[1:]:
        if card in POINTS:
            counts[POINTS[card] - 2] += 1
    return tuple(max(count, 0) for count in counts)


class Orders(Struct, frozen=True):
    """How likely one decision is for who knows each hole card, in the order of `holes_of`, and for who does not.

    card, ten: of who draws or stands by the card, or by whether it counts ten or more; None where he plays as others
    do. bold: of who follows the card in all. best: whether the hole card orders the decision.
    """

    card: tuple[float, ...] | None
    ten: tuple[float, ...] | None
    bold: tuple[float, ...]
    plain: float
    best: tuple[bool, ...]


@lru_cache(maxsize=50_000)
def orders(game: Game, up: int, light: str | None, hand: Held, kind: Choice) -> Orders | None:
    """How a decision follows the hole card; None where every hole card orders the same, or the rules do not have it."""
    play = play_of(game, ENDLESS)
    holes = holes_of(up, light)
    worths = [play.against(up, (hole,)).worths(hand) for hole in holes]
    if kind not in worths[0] or len(worths[0]) < 2:
        return None
    best = [max(worth, key=worth.__getitem__) for worth in worths]
    if len(set(best)) == 1:
        return None
    blind = play.against(up, holes).worths(hand)
    card = ten = None
    if kind in _DRAW_OR_STAND and _quiet(hand, blind):
        groups = [tuple(one for one in holes if (one >= 10) == (hole >= 10)) for hole in holes]
        card = tuple(_chance(worth, kind, _SLIP, _DRAW_OR_STAND) for worth in worths)
        ten = tuple(
            _chance(play.against(up, group).worths(hand), kind, _SLIP, _DRAW_OR_STAND) for group in groups
        )
    return Orders(
        card,
        ten,
        tuple(_chance(worth, kind, _SLIP) for worth in worths),
        _chance(blind, kind, _PLAIN_SLIP),
        tuple(one == kind for one in best),
    )


_DRAW_OR_STAND: Final[tuple[Choice, ...]] = ("stand", "hit")


def _quiet(hand: Held, blind: dict[Choice, float]) -> bool:
    """Whether players draw to such a hand and stand on it alike, and do neither double nor split it."""
    stiff = 12 <= hand.total <= (18 if hand.soft else 17)
    return stiff and max(blind, key=blind.__getitem__) in _DRAW_OR_STAND


def _chance(worths: dict[Choice, float], kind: Choice, slip: float, among: Sequence[Choice] = ()) -> float:
    """How likely somebody is to choose who nearly always takes what is worth most, and slips at times."""
    choices = among or tuple(worths)
    most = max(worths[choice] for choice in choices)
    weights = {choice: exp((worths[choice] - most) / _CLOSE) for choice in choices}
    return slip / len(weights) + (1 - slip) * weights[kind] / sum(weights.values())


def _decisions(game: Game, round_: Round, hand: Hand, up: int, light: str | None) -> Iterator[Orders]:
    """The decisions of a hand that the hole card changes, each with the cards that the hand then had."""
    for kind, at in hand.decisions:
        cards = [card for card, seen in zip(hand.cards, hand.sequences, strict=True) if seen < at]
        children = sorted(
            one.split_at
            for one in round_.hands.values()
            if one.seat == hand.seat and one.parent and one.split_at
        )
        if kind == "split":
            cards = [
                hand.cards[0],
                *(
                    one.cards[0]
                    for one in round_.hands.values()
                    if one.cards and one.split_at == at and one is not hand
                ),
            ]
        split = hand.parent is not None or any(
            one.parent == hand.name and one.split_at is not None and one.split_at < at
            for one in round_.hands.values()
        )
        if len(cards) < 2 or any(card not in POINTS for card in cards) or (is_natural(cards) and not split):
            continue
        free = game.free_splits and hand.parent is not None and POINTS[hand.cards[0]] != 10
        asked = Situation(
            cards=tuple(cards),
            up=_SUITED[up],
            split=split,
            hands=1 + sum(one < at for one in children),
            money=LAMMER if free else CHIPS,
        )
        found = orders(game, up, light, held(game, asked), kind)
        if found is not None:
            yield found


def judged(
    counts: Sequence[int],
    up: int,
    hole: int,
    light: str | None,
    insured: bool | None,
    asked: Sequence[Orders],
) -> Note | None:
    """The factors of a round: how well each alternative fits the hole card, by all that might have lain there.

    counts: unseen cards by value, the hole card among them. insured: None where it was not offered. A factor is 1 on
    average over the hole cards, whatever was decided.
    """
    holes = holes_of(up, light)
    blackjack = up == 11 and hole == 10
    if hole not in holes and not blackjack:
        return None
    ten = counts[8] / sum(counts)
    weights = [counts[one - 2] for one in holes]
    whole = sum(weights)
    factors = []
    for knower in KNOWERS:
        share, factor = knower.share, 1.0
        if insured is not None and knower.insures:
            share, factor = _after_insurance(share, insured, blackjack, ten)
        if knower.plays and not blackjack and asked:
            factor *= _after_play(knower, share, weights, holes.index(hole), asked)
        factors.append(round(factor, 6))
    fits, chance = 0, 0.0
    if not blackjack:
        for one in asked:
            fits += one.best[holes.index(hole)]
            chance += sum(weight for weight, best in zip(weights, one.best, strict=True) if best) / whole
    number = 0 if blackjack else len(asked)
    if insured is not None:
        number += 1
        fits += insured == blackjack
        chance += ten if insured else 1 - ten
    return Note(tuple(factors), number, fits, round(chance, 4)) if number else None


def _after_insurance(share: float, insured: bool, blackjack: bool, ten: float) -> tuple[float, float]:
    """The share of knowing that is left after the wager on a ten beneath the ace, and the factor."""
    plain = (1 - share) * (_PLAIN_INSURES if insured else 1 - _PLAIN_INSURES)
    fits, fails = share * (1 - _SLIP / 2), share * _SLIP / 2
    with_ten = plain + (fits if insured else fails)
    without = plain + (fails if insured else fits)
    this = with_ten if blackjack else without
    return (this - plain) / this, this / (ten * with_ten + (1 - ten) * without)


def _after_play(
    knower: Knower, share: float, weights: Sequence[int], hole: int, asked: Sequence[Orders]
) -> float:
    """The factor of the decisions: how likely they are for the hole card, by how likely for all that may lie there."""
    plain, known = 1 - share, [share] * len(weights)
    for one in asked:
        by = one.bold if knower.bold else one.ten if knower.ten_only else one.card
        if by is not None:
            plain *= one.plain
            known = [before * chance for before, chance in zip(known, by, strict=True)]
    mean = sum(weight * chance for weight, chance in zip(weights, known, strict=True)) / sum(weights)
    return (plain + known[hole]) / (plain + mean)


def _weigh(state: OfPlayer, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    state.asked += note.asked
    state.fits += note.fits
    state.chance += note.chance
    most = max(note.factors)
    if most > 1:
        state.rounds.append(Fitting(seen.subject, seen.round, seen.sequence, round(most, 3)))
        if len(state.rounds) > _KEPT:
            state.rounds.remove(min(state.rounds, key=lambda one: one.factor))
    evidence = weigh(state.mixture, note.factors, _STRETCH) * share
    if evidence >= 1 / LEVEL:
        yield _alarm(state, seen, evidence)


def _alarm(state: OfPlayer, seen: Observation, evidence: float) -> Alarm:
    player = seen.whom["player"]
    heaviest = sorted(state.rounds, key=lambda one: one.factor, reverse=True)[:10]
    return Alarm(
        variant="",
        about={"player": player},
        e_value=evidence,
        sequences=tuple(one.sequence for one in state.rounds if one.subject == seen.subject),
        expected={"decisions_that_fit": round(state.chance, 1)},
        observed={
            "decisions": state.asked,
            "decisions_that_fit": state.fits,
            "rounds": [{"table": one.subject, "round": one.round, "factor": one.factor} for one in heaviest],
        },
        message=f"Of {state.asked} decisions of {player} that the hole card changes, {state.fits} were what the hidden "
        f"card orders; from the cards that nobody had seen, chance allows {state.chance:.1f}.",
    )


def _standing(state: OfPlayer, whom: dict[str, str], share: float) -> Iterator[Standing]:
    yield Standing(
        variant="",
        about={"player": whom["player"]},
        e_value=state.mixture.value() * share,
        highest=state.mixture.highest * share,
        rounds=state.mixture.rounds,
    )


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
            "decisions that are best whatever lies there; rounds in which every hand is a Blackjack or pat",
            "rounds that could not be decided, or of which a device's word is missing",
            "Down Under: what the lit range says is public, only what lies within it tells",
        ),
        cost="The decisions of a round looked up in exact play; eight products a player, some 3 kB.",
        table=AtTable(state=AtOneTable, closed=_closed),
        entity=OfEntity(state=OfPlayer, note=Note, weigh=_weigh, standing=_standing),
    )
)
