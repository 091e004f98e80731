"""The Masque reader: a wrong light remedied, the area of the light taken, Large under Large shown (reading A25)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from processors.core.state import Hand, Round, hand_named
from processors.games.blackjack.hands import has_blackjack
from processors.games.totals import POINTS, is_large, range_of
from processors.law.check import UPHELD, Breach, Judged, Moment, check, of
from processors.law.duties.reader.reader import ACTION
from processors.law.marks import AREA_AMISS, LARGE_PAIR_AMISS, RANGE_UNREMEDIED, READING_AMISS
from schemas import events as e
from schemas.values import DEALER

_LIGHT = {
    "small": ("reader.small_shown_blue", "reader.light_blue", "reader.range_small"),
    "medium": ("reader.medium_shown_red", "reader.light_red", "reader.range_medium"),
    "large": ("reader.large_shown_yellow", "reader.light_yellow", "reader.range_large"),
}
masque_check = partial(check, turns_on=("steps", "draws", "places", "stakes", "reading", "faces"))
"""Registers a duty that needs the wagers too."""


def wrong_range(round_: Round, hole: str) -> tuple[str, str | None, str | None] | None:
    """The hole card's true range, the light and the area, where one of the two is wrong."""
    true = range_of(hole)
    light = round_.reader[1] if round_.reader is not None else None
    area = round_.area[0] if round_.area is not None else None
    if true is None or (light in (None, true) and area in (None, true)):
        return None
    return true, light, area


def _lights(true: str, light: str | None) -> tuple[str, ...]:
    """The roles of the light that a hole card is due, and of the one that it got."""
    return (*_LIGHT[true], *_LIGHT.get(str(light), ()))


@masque_check(
    "reader.masque_remedy", decides=(
        "reader.range_large", "reader.range_medium", "reader.range_small", "reader.small_shown_blue",
        "reader.medium_shown_red", "reader.large_shown_yellow", "reader.light_blue", "reader.light_red",
        "reader.light_yellow", "reader.range_area", "reader.wrong_range_remedied", "reader.wrong_range_choice",
        "reader.wrong_range_busts",
    ),
    reads=(e.CardDrawn, of(e.WagerSettled, "main"), e.RoundEnded),
    alters=True, follows=True, after=(e.HoleCardRevealed,),
)  # fmt: skip
def a_wrong_light_is_put_right_hand_by_hand(moment: Moment, data: object) -> Judged:
    """After a wrong light or area every hand plays on by order of the floor or is dead with its wager back.

    It is decided when play goes on after the hole card shows: at the next card, main settlement or round end.
    """
    round_, _ = moment.play
    if round_.hole_revealed is None or RANGE_UNREMEDIED.on(round_):
        return None
    if isinstance(data, e.WagerSettled) and _is_remedy(round_, data):
        return None
    hole = moment.dealer.cards[round_.hole_index] if round_.hole_index < len(moment.dealer.cards) else "??"
    wrong = wrong_range(round_, hole)
    if wrong is None:
        return None
    open_ = next((hand.name for hand in round_.hands.values() if _has_no_remedy(round_, hand)), None)
    return _unremedied(round_, hole, wrong, open_) if open_ is not None else UPHELD


def _unremedied(round_: Round, hole: str, wrong: tuple[str, str | None, str | None], hand: str) -> Breach:
    true, light, area = wrong
    some_dead = any(one.voided is not None for one in round_.hands.values())
    said = f"the light said {light}" if light != true else f"it lay in the area {area}"
    return Breach(
        roles=(
            "reader.wrong_range_remedied",
            "reader.wrong_range_choice",
            *(("reader.wrong_range_busts",) if some_dead else ()),
            *(_lights(true, light) if light not in (None, true) else ()),
            *(("reader.range_area",) if light is not None and area not in (None, light) else ()),
        ),
        message=f"The hole card {hole} is {true}, but {said}; "
        f"hand {hand} was neither ordered to play on nor called dead.",
        expected={"range": true},
        observed={"light": light, "area": area},
        sequences=tuple(filter(None, (round_.reader[2] if round_.reader else None, round_.hole_revealed))),
        discriminator=RANGE_UNREMEDIED.of(),
    )


def _is_remedy(round_: Round, data: e.WagerSettled) -> bool:
    hand = round_.hands.get(hand_named(data.seat, data.hand))
    return hand is not None and (hand.voided is not None or hand.continued is not None)


def _has_no_remedy(round_: Round, hand: Hand) -> bool:
    """Whether a player's hand was neither called dead nor ordered to play on, nor paid as Blackjack in its turn."""
    if not hand.seat or not hand.cards or hand.voided is not None or hand.continued is not None:
        return False
    stake = round_.main_stake(hand.seat, hand.name)
    paid = stake is not None and any(move.outcome == "pay" for move in stake.moves)
    return not (paid and has_blackjack(hand))


@masque_check(
    "reader.masque_area", decides=("reader.range_area",),
    reads=(e.HoleCardRead, e.DealerHandPositioned, e.HoleCardRevealed, *ACTION), after=(e.HoleCardRead,),
)  # fmt: skip
def the_dealers_hand_lies_in_its_range_area(moment: Moment, data: object) -> Judged:
    """After the light the dealer lays his hand in the area of that range, before anybody acts.

    A hand in another area than the light's is one thing with the wrong light, and judged when the hole card shows.
    """
    round_, _ = moment.play
    if isinstance(data, e.HoleCardRead):
        late = READING_AMISS.on(round_)  # the breach of a late reading says it all
        if round_.area is None or round_.reader is not None or late:
            return None
        return _area_amiss(
            round_.area[1],
            f"The dealer's hand was laid in the area {round_.area[0]} before the reader had shown its range.",
            {"laid": "after the light"},
            {"laid": "before the light"},
        )
    if round_.reader is None or AREA_AMISS.on(round_):
        return None
    light = round_.reader[1]
    if isinstance(data, e.DealerHandPositioned):
        return UPHELD if data.area == light else None
    if round_.area is not None:
        return None
    breach = _area_amiss(
        round_.reader[2],
        f"The light said {light}, but the dealer's hand was not laid in that area before play went on.",
        {"area": light},
        {"area": None},
    )
    return replace(breach, unheard="console")


def _area_amiss(since: int, message: str, expected: object, observed: object) -> Breach:
    return Breach(
        message=message,
        expected=expected,
        observed=observed,
        sequences=(since,),
        hand=DEALER,
        discriminator=AREA_AMISS.of(),
    )


@masque_check(
    "reader.masque_shown", decides=(
        "reader.masque_hidden", "reader.range_large", "reader.range_medium", "reader.range_small",
        "reader.small_shown_blue", "reader.medium_shown_red", "reader.large_shown_yellow", "reader.light_blue",
        "reader.light_red", "reader.light_yellow", "reader.large_pair_shown", "action.hole_card_turned",
    ),
    reads=(*ACTION, e.HoleCardRevealed, of(e.WagerSettled, "main", "insurance")),
    alters=True, follows=True, after=(e.HoleCardRead,),
)  # fmt: skip
def large_and_large_is_shown_before_the_action(moment: Moment, data: object) -> Judged:
    """With a Large up card and a yellow light the hole card is shown before the action, and only then."""
    round_, _ = moment.play
    up, shown = moment.dealer.up, round_.hole_revealed
    if round_.reader is None or up is None or up not in POINTS or LARGE_PAIR_AMISS.on(round_):
        return None
    light = round_.reader[1]
    both = is_large(up) and light == "large"
    if isinstance(data, e.HoleCardRevealed):
        return UPHELD if both else None
    if isinstance(data, e.WagerSettled) and not both:
        return None
    if both and shown is None:
        return Breach(
            roles=("reader.large_pair_shown",),
            message=f"The dealer shows {up} and the light was yellow, but the hole card was not shown before play "
            "went on.",
            expected={"hole_card": "shown"},
            observed={"hole_card": "hidden"},
            sequences=(round_.reader[2],),
            hand=DEALER,
            discriminator=LARGE_PAIR_AMISS.of(),
            unheard="placements",
        )
    if not both and shown is not None and not any(entry.sequence < shown for entry in round_.told(*ACTION)):
        return _shown_too_early(moment, up, light, shown)
    return None if isinstance(data, e.WagerSettled) else UPHELD


def _shown_too_early(moment: Moment, up: str, light: str, shown: int) -> Breach:
    round_, _ = moment.play
    hole = moment.dealer.cards[round_.hole_index]
    wrong = wrong_range(round_, hole)
    return Breach(
        roles=(
            "reader.large_pair_shown",
            "reader.masque_hidden",
            "action.hole_card_turned",
            *(_lights(wrong[0], wrong[1]) if wrong is not None else ()),
        ),
        message=f"The hole card {hole} was shown before anybody acted, but it is shown so early only where up card "
        f"and light are both Large; the dealer shows {up} and the light said {light}.",
        expected={"hole_card": "hidden"},
        observed={"hole_card": "shown"},
        sequences=(shown,),
        hand=DEALER,
        discriminator=LARGE_PAIR_AMISS.of(),
    )
