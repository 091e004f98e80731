"""The Masque reader and Match-the-Dealer (685a.3(e), 685a.7(f), 685a.7(h), 685a.12(h); readings A11, A25)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round
from processors.games.blackjack.hands import has_blackjack
from processors.games.totals import POINTS, is_large, range_of
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.duties.reader.reader import ACTION
from schemas.events import (
    CardDrawn,
    DealerHandPositioned,
    HoleCardRead,
    HoleCardRevealed,
    RoundEnded,
    WagerSettled,
)
from schemas.values import DEALER


def wrong_range(round_: Round, hole: str) -> tuple[str, str | None, str | None] | None:
    """The hole card's true range, the light and the area, where one of the two is wrong."""
    true = range_of(hole)
    light = round_.reader[1] if round_.reader is not None else None
    area = round_.area[0] if round_.area is not None else None
    if true is None or (light in (None, true) and area in (None, true)):
        return None
    return true, light, area


_LIGHT = {
    "small": ("685a.3(e)(1)", "685a.7(h)#3", "685a.1:small"),
    "medium": ("685a.3(e)(2)", "685a.7(h)#4", "685a.1:medium"),
    "large": ("685a.3(e)(3)", "685a.7(h)#5", "685a.1:large"),
}


@check(
    "reader.masque_remedy",
    decides=(
        "reader.range_large", "reader.range_medium", "reader.range_small", "reader.small_shown_blue",
        "reader.medium_shown_red", "reader.large_shown_yellow", "reader.light_blue", "reader.light_red",
        "reader.light_yellow", "reader.range_area", "reader.wrong_range_remedied", "reader.wrong_range_choice",
        "reader.wrong_range_busts",
    ),
    formerly="masque.remedy",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    reads=(CardDrawn, WagerSettled, RoundEnded),
    alters=True,
    follows=True,
    after=(HoleCardRevealed,),
)  # fmt: skip
def a_wrong_light_is_put_right_hand_by_hand(moment: Moment, data: object) -> Iterator[Judgment]:
    """After a wrong light or area every hand plays on by order of the floor or is dead with its wager back.

    It is decided when play goes on after the hole card shows: at the next card, main settlement or round end.
    """
    round_, _ = moment.play
    if round_.hole_revealed is None or "masque:remedy" in round_.reported:
        return
    if isinstance(data, WagerSettled) and data.kind != "main":
        return
    hole = moment.dealer.cards[round_.hole_index] if round_.hole_index < len(moment.dealer.cards) else "??"
    wrong = wrong_range(round_, hole)
    if wrong is None:
        return
    true, light, area = wrong
    if isinstance(data, WagerSettled) and _is_remedy(round_, data):
        return
    open_ = [
        hand.name
        for hand in round_.hands.values()
        if hand.seat
        and hand.cards
        and hand.voided is None
        and hand.continued is None
        and not _closed(round_, hand.name)
    ]
    if not open_:
        yield UPHELD
        return
    some_dead = any(hand.voided is not None for hand in round_.hands.values())
    yield Breach(
        clauses=(
            "685a.12(h)#1",
            "685a.12(h)#2",
            *(("685a.12(h)#3",) if some_dead else ()),
            *((*_LIGHT[true], *_LIGHT.get(str(light), ())) if light not in (None, true) else ()),
            *(("685a.7(h)#6",) if light is not None and area not in (None, light) else ()),
        ),
        message=f"The hole card {hole} is {true}, but "
        + (f"the light said {light}; " if light != true else f"it lay in the area {area}; ")
        + f"hand {open_[0]} was neither ordered to play on nor called dead.",
        expected={"range": true},
        observed={"light": light, "area": area},
        sequences=tuple(filter(None, (round_.reader[2] if round_.reader else None, round_.hole_revealed))),
        discriminator="masque:remedy",
    )


def _is_remedy(round_: Round, data: WagerSettled) -> bool:
    hand = round_.hands.get(data.hand or f"{data.seat}.1")
    return hand is not None and (hand.voided is not None or hand.continued is not None)


def _closed(round_: Round, name: str) -> bool:
    """A hand paid as Blackjack in its turn is off the table and unaffected."""
    hand = round_.hands[name]
    stake = round_.stakes.get(f"{hand.seat}:main:{name}")
    return (
        bool(has_blackjack(hand)) and stake is not None and any(move.outcome == "pay" for move in stake.moves)
    )


@check(
    "reader.masque_area",
    decides=("reader.range_area",),
    formerly="masque.area",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    reads=(HoleCardRead, DealerHandPositioned, HoleCardRevealed, *ACTION),
    after=(HoleCardRead,),
)
def the_dealers_hand_lies_in_its_range_area(moment: Moment, data: object) -> Iterator[Judgment]:
    """After the light the dealer lays his hand in the area of that range, before anybody acts."""
    round_, _ = moment.play
    if isinstance(data, HoleCardRead):
        late = "reader:used" in round_.reported  # a light that came after the action is told by that
        if round_.area is not None and round_.reader is None and not late:
            yield _laid_before_the_light(round_.area)
        return
    if "masque:area" in round_.reported or round_.reader is None:
        return
    light = round_.reader[1]
    if isinstance(data, DealerHandPositioned):
        if data.area == light:
            yield UPHELD
            return
        return  # a hand in another area than lit is one thing with the wrong light: it is judged at the reveal
    if round_.area is not None:
        return
    yield Breach(
        clauses=("685a.7(h)#6",),
        message=f"The light said {light}, but the dealer's hand was not laid in that area before play went on.",
        expected={"area": light},
        observed={"area": None},
        sequences=(round_.reader[2],),
        hand=DEALER,
        discriminator="masque:area",
    )


def _laid_before_the_light(area: tuple[str, int]) -> Breach:
    return Breach(
        clauses=("685a.7(h)#6",),
        message=f"The dealer's hand was laid in the area {area[0]} before the reader had shown its range.",
        expected={"laid": "after the light"},
        observed={"laid": "before the light"},
        sequences=(area[1],),
        hand=DEALER,
        discriminator="masque:area",
    )


@check(
    "reader.masque_shown",
    decides=(
        "reader.masque_hidden", "reader.range_large", "reader.range_medium", "reader.range_small",
        "reader.small_shown_blue", "reader.medium_shown_red", "reader.large_shown_yellow", "reader.light_blue",
        "reader.light_red", "reader.light_yellow", "reader.large_pair_shown", "action.hole_card_turned",
    ),
    formerly="masque.shown",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    reads=(*ACTION, HoleCardRevealed, WagerSettled),
    alters=True,
    follows=True,
    after=(HoleCardRead,),
)  # fmt: skip
def large_and_large_is_shown_before_the_action(moment: Moment, data: object) -> Iterator[Judgment]:
    """With a Large up card and a yellow light the hole card is shown before the action, and only then."""
    round_, _ = moment.play
    up = moment.dealer.up
    if round_.reader is None or up is None or up not in POINTS or "masque:shown" in round_.reported:
        return
    both = is_large(up) and round_.reader[1] == "large"
    if isinstance(data, HoleCardRevealed):
        if both:
            yield UPHELD
        return
    if isinstance(data, WagerSettled) and (not both or data.kind not in ("main", "insurance")):
        return
    if both and round_.hole_revealed is None:
        yield Breach(
            clauses=("685a.7(h)#7",),
            message=f"Up card {up} and a yellow light: the hole card is shown before anybody acts, but play went on.",
            expected={"hole_card": "shown"},
            observed={"hole_card": "hidden"},
            sequences=(round_.reader[2],),
            hand=DEALER,
            discriminator="masque:shown",
        )
    elif not both and round_.hole_revealed is not None and not _acted_before(round_, round_.hole_revealed):
        hole = moment.dealer.cards[round_.hole_index]
        wrong = wrong_range(round_, hole)
        light = (*_LIGHT[wrong[0]], *_LIGHT.get(str(wrong[1]), ())) if wrong is not None else ()
        yield Breach(
            clauses=("685a.7(h)#7", "685a.7(h)#2", "685a.7(l)", *light),
            message=f"The hole card {hole} was shown before the action although up card {up} and a light that said "
            f"{round_.reader[1]} do not make both Large.",
            expected={"hole_card": "hidden"},
            observed={"hole_card": "shown"},
            sequences=(round_.hole_revealed,),
            hand=DEALER,
            discriminator="masque:shown",
        )
    elif not isinstance(data, WagerSettled):
        yield UPHELD


def _acted_before(round_: Round, sequence: int) -> bool:
    return any(entry.sequence < sequence for entry in round_.told(*ACTION))
