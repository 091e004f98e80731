"""Insurance, even money, and the reader (7(f)-(h), 8, 12(i), 12(j), 685a.3(e), 685a.12(h), 685a.12(i))."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round
from processors.games.blackjack.hands import has_blackjack
from processors.games.totals import POINTS, is_large, range_of
from processors.provisions.check import UPHELD, Breach, Indeterminate, Judgment, Moment, check
from processors.provisions.clauses import BLACKJACK, FREE_BET, SECTIONS
from schemas.events import (
    BlackjackAnnounced,
    CardDrawn,
    CardExposed,
    DealerHandPositioned,
    DeviceFault,
    DeviceRestored,
    EvenMoneyOffered,
    EvenMoneyTaken,
    FloorpersonNotified,
    HoleCardRead,
    HoleCardRevealed,
    InsuranceOffered,
    PlayerDecision,
    RoundEnded,
    WagerPlaced,
    WagerSettled,
)
from schemas.values import DEALER

_OFFER = {"free_bet_590": "590.7(f)", "free_bet_672a": "672a.7(f)#1", "down_under_685a": "685a.7(g)#1"}
_READ = {"free_bet_590": "590.7(g)#1", "free_bet_672a": "672a.7(g)#1", "down_under_685a": "685a.7(h)#1"}
_HIDDEN = {"free_bet_590": "590.7(g)#2", "free_bet_672a": "672a.7(g)#2", "down_under_685a": "685a.7(h)#2"}
_NO_MORE = {"free_bet_590": "590.7(g)#3", "free_bet_672a": "672a.7(g)#3", "down_under_685a": "685a.7(h)#8"}
_FAULT = {"free_bet_590": "590.13(j)", "free_bet_672a": "672a.12(j)", "down_under_685a": "685a.12(i)"}
_NEEDLESS = {"free_bet_590": "590.13(i)", "free_bet_672a": "672a.12(i)"}
ACTION = (PlayerDecision, BlackjackAnnounced)


def _one(table: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {ruleset: (clause,) for ruleset, clause in table.items()}


def _eight(*clauses: str) -> dict[str, tuple[str, ...]]:
    return {
        ruleset: tuple(f"{SECTIONS[ruleset]['ch']}.8{clause}" for clause in clauses) for ruleset in BLACKJACK
    }


def _early_surrender(moment: Moment, data: object) -> bool:
    """A 590 surrender under an ace or ten may be signalled before the peek (590.9(a)(2), reading A26)."""
    _, rules = moment.play
    return rules.surrender and isinstance(data, PlayerDecision) and data.kind == "surrender"


@check("insurance.offered", provisions=_one(_OFFER), reads=(InsuranceOffered, HoleCardRead, *ACTION))
def insurance_is_offered_under_an_ace(moment: Moment, data: object) -> Iterator[Judgment]:
    """Insurance is offered when and only when the dealer shows an ace, after the deal and before the reader."""
    round_, rules = moment.play
    up = moment.dealer.up
    if up is None or up not in POINTS or "insurance:offer" in round_.reported:
        return
    ace = up[0] == "A"
    if isinstance(data, InsuranceOffered):
        if ace and round_.reader is None and len(round_.hands[DEALER].cards) >= 2:
            yield UPHELD
            return
        why = "the dealer shows no ace" if not ace else "it comes too late or before the deal is over"
        yield Breach(
            clauses=(_OFFER[rules.name],),
            message=f"Insurance was offered although {why}.",
            expected={"up_card": "ace"},
            observed={"up_card": up},
            hand=DEALER,
            discriminator="insurance:offer",
        )
    elif ace and round_.insurance_offered is None and not (_early_surrender(moment, data)):
        yield Breach(
            clauses=(_OFFER[rules.name],),
            message=f"The dealer shows {up}, but insurance was not offered.",
            expected={"insurance_offered": True},
            observed={"insurance_offered": False},
            hand=DEALER,
            discriminator="insurance:offer",
        )


@check("insurance.when", provisions=_eight("(a)#1", "(b)#3"), reads=(WagerPlaced,), alters=True)
def insurance_is_placed_under_an_ace_before_the_reader(
    moment: Moment, data: WagerPlaced
) -> Iterator[Judgment]:
    """Insurance is taken by players in the round, under a dealer ace, before the hole card is read."""
    round_, rules = moment.play
    if data.kind != "insurance":
        return
    up = moment.dealer.up
    eight = f"{rules.chapter}.8"
    if f"{data.seat}:main:{data.seat}.1" not in round_.stakes:
        clause, why = f"{eight}(a)#1", f"seat {data.seat} has no wager in the round"
    elif up is None or up[0] != "A":
        clause, why = f"{eight}(a)#1", "the dealer shows no ace"
    elif round_.reader is not None or round_.hole_revealed is not None:
        clause, why = f"{eight}(b)#3", "the hole card had already been read"
    else:
        yield UPHELD
        return
    yield Breach(
        clauses=(clause,),
        message=f"Seat {data.seat} placed insurance although {why}.",
        expected={"insurance": "under an ace, before the reader"},
        observed={"up_card": up, "read": round_.reader is not None},
        sequences=(round_.reader[2],) if round_.reader is not None else (),
        seat=data.seat,
    )


@check("insurance.collected", provisions=_eight("(d)"), reads=(CardDrawn, PlayerDecision), follows=True)
def lost_insurance_is_collected_at_once(
    moment: Moment, data: CardDrawn | PlayerDecision
) -> Iterator[Judgment]:
    """Losing insurance is collected right after the reader excludes Blackjack, before the next card."""
    round_, rules = moment.play
    if round_.reader is None or moment.dealer.blackjack is not False:
        return
    if isinstance(data, PlayerDecision) and rules.chapter == "590" and data.kind == "surrender":
        return
    for key, stake in round_.stakes.items():
        if stake.kind != "insurance" or stake.moves or f"late:{key}" in round_.reported:
            continue
        if isinstance(data, PlayerDecision) and data.kind != "stand":
            continue  # the card that follows decides it
        yield Breach(
            clauses=(f"{rules.chapter}.8(d)",),
            message=f"Seat {stake.seat} lost its insurance, but it was not collected before play went on.",
            expected={"collected": True},
            observed={"collected": False},
            sequences=(stake.placed, round_.reader[2]),
            seat=stake.seat,
            discriminator=f"late:{key}",
        )


@check(
    "even_money.when",
    provisions={
        "free_bet_672a": ("672a.8(e)#1", "672a.8(e)#2", "672a.7(f)#2"),
        "down_under_685a": ("685a.7(g)#2",),
    },
    reads=(EvenMoneyOffered, EvenMoneyTaken),
    alters=True,
)
def even_money_is_offered_as_selected(
    moment: Moment, data: EvenMoneyOffered | EvenMoneyTaken
) -> Iterator[Judgment]:
    """Even money is offered only where selected, to a Blackjack under a dealer ace, before the hole card is read."""
    round_, rules = moment.play
    hand = round_.hands.get(f"{data.seat}.1")
    up = moment.dealer.up
    if not rules.even_money:
        why = "the rules submission does not select it"
    elif up is None or up[0] != "A":
        why = "the dealer shows no ace"
    elif hand is None or not has_blackjack(hand):
        why = "the hand is no Blackjack"
    elif round_.reader is not None:
        why = "the hole card had already been read"
    else:
        yield UPHELD
        return
    down_under = ("685a.7(g)#2",)
    yield Breach(
        clauses=down_under if rules.down_under else ("672a.8(e)#1", "672a.7(f)#2"),
        message=f"Seat {data.seat} was offered even money although {why}.",
        expected={"even_money": False},
        observed={"even_money": True},
        seat=data.seat,
        hand=f"{data.seat}.1",
        discriminator=f"even:{data.seat}" if isinstance(data, EvenMoneyOffered) else "",
    )


@check(
    "even_money.unknown", provisions={"free_bet_590": ("590.12(a)#2",)}, reads=(EvenMoneyTaken,), alters=True
)
def free_bet_590_has_no_even_money(moment: Moment, data: EvenMoneyTaken) -> Iterator[Judgment]:
    """Chapter 590 knows no even money: a Blackjack is paid 3 to 2."""
    yield Breach(
        clauses=("590.12(a)#2",),
        message=f"Seat {data.seat} took even money, which chapter 590 does not know.",
        expected={"even_money": False},
        observed={"even_money": True},
        seat=data.seat,
        hand=f"{data.seat}.1",
    )


@check("reader.used", provisions=_one(_READ), reads=(*ACTION, HoleCardRevealed))
def the_hole_card_is_read_before_the_action(moment: Moment, data: object) -> Iterator[Judgment]:
    """Under an ace or ten-value card (Down Under: always) the hole card is read before anybody acts."""
    round_, rules = moment.play
    if round_.reader is not None or "reader:used" in round_.reported:
        return
    up = moment.dealer.up
    if (
        up is None
        or up not in POINTS
        or len(round_.hands[DEALER].cards) < 2
        or _early_surrender(moment, data)
    ):
        return
    if not rules.down_under and POINTS[up] < 10:
        return
    yield Breach(
        clauses=(_READ[rules.name], *(("685a.3(e)",) if rules.down_under else ())),
        message=f"The dealer shows {up}, but the hole card was not read before play went on.",
        expected={"hole_card_read": True},
        observed={"hole_card_read": False},
        hand=DEALER,
        discriminator="reader:used",
    )


@check(
    "reader.device",
    provisions={
        **{ruleset: (f"{SECTIONS[ruleset]['ch']}.1:card_reader_device",) for ruleset in FREE_BET},
        "down_under_685a": ("685a.1:masque_card_reader_device",),
    },
    reads=(HoleCardRead,),
)
def the_reader_is_the_games_own(moment: Moment, data: HoleCardRead) -> Iterator[Judgment]:
    """The card reader says Blackjack or not; the Masque reader says small, medium or large."""
    _, rules = moment.play
    fits = (
        data.device == ("masque_reader" if rules.down_under else "card_reader")
        and (data.result in ("small", "medium", "large")) == rules.down_under
    )
    if fits:
        yield UPHELD
        return
    clause = (
        "685a.1:masque_card_reader_device" if rules.down_under else f"{rules.chapter}.1:card_reader_device"
    )
    yield Breach(
        clauses=(clause,),
        message=f"A {data.device.replace('_', ' ')} said {data.result.replace('_', ' ')}; this game's cannot say that.",
        expected={"device": "masque_reader" if rules.down_under else "card_reader"},
        observed={"device": data.device, "result": data.result},
        hand=DEALER,
    )


@check("reader.when", provisions=_one(_READ), reads=(HoleCardRead,))
def the_reader_comes_after_the_deal(moment: Moment, data: HoleCardRead) -> Iterator[Judgment]:
    """The hole card is read after the deal and the offers, before any decision but an early surrender."""
    round_, rules = moment.play
    acted = next(
        (
            entry.sequence
            for entry in round_.log
            if isinstance(entry.data, ACTION)
            and not (rules.surrender and getattr(entry.data, "kind", "") == "surrender")
        ),
        None,
    )
    dealer = round_.hands.get(DEALER)
    if "reader:used" in round_.reported:
        return
    if acted is None and dealer is not None and len(dealer.cards) >= 2:
        yield UPHELD
        return
    yield Breach(
        clauses=(_READ[rules.name],),
        message="The hole card was read "
        + ("after players had acted." if acted is not None else "before the first deal was over."),
        expected={"read": "after the deal, before any decision"},
        observed={"after_decision": acted},
        sequences=(acted,) if acted is not None else (),
        hand=DEALER,
        discriminator="reader:used",
    )


@check("reader.needless", provisions=_one(_NEEDLESS), reads=(*ACTION, HoleCardRevealed, CardDrawn))
def a_needless_reading_is_notified(moment: Moment, data: object) -> Iterator[Judgment]:
    """Reading the hole card without an ace or ten up is told to a floorperson before play goes on."""
    round_, rules = moment.play
    up = moment.dealer.up
    if (
        round_.reader is None
        or up is None
        or POINTS.get(up, 10) >= 10
        or "reader:needless" in round_.reported
    ):
        return
    read = round_.reader[2]
    if any(isinstance(entry.data, FloorpersonNotified) and entry.sequence > read for entry in round_.log):
        return
    yield Breach(
        clauses=(_NEEDLESS[rules.name],),
        message=f"The hole card was read under {up}, and no floorperson was told before play went on.",
        expected={"floorperson_notified": True},
        observed={"floorperson_notified": False},
        sequences=(read,),
        hand=DEALER,
        discriminator="reader:needless",
    )


@check("reader.truth", provisions=_one(_READ), reads=(HoleCardRevealed,), alters=True)
def the_card_reader_told_the_truth(moment: Moment, data: HoleCardRevealed) -> Iterator[Judgment]:
    """What the card reader said of a Blackjack is what the hole card shows."""
    round_, rules = moment.play
    up = moment.dealer.up
    if rules.down_under or round_.reader is None or up is None:
        return
    if up not in POINTS or data.card not in POINTS:
        yield Indeterminate(
            clauses=(_READ[rules.name],),
            message="Whether the reader told the truth cannot be said: a dealer card is unknown.",
            missing=("a card of the dealer's hand",),
            hand=DEALER,
        )
        return
    blackjack = {POINTS[up], POINTS[data.card]} == {10, 11}
    said = round_.reader[1] == "blackjack"
    if blackjack == said:
        yield UPHELD
        return
    yield Breach(
        clauses=(_READ[rules.name], f"{rules.chapter}.1:card_reader_device"),
        message=f"The reader said {'Blackjack' if said else 'no Blackjack'}, but the dealer has {up} {data.card}.",
        expected={"result": "blackjack" if blackjack else "no_blackjack"},
        observed={"result": round_.reader[1], "cards": [up, data.card]},
        sequences=(round_.reader[2],),
        hand=DEALER,
    )


@check("reader.no_more_cards", provisions=_one(_NO_MORE), reads=(CardDrawn,))
def no_card_is_dealt_after_a_dealer_blackjack(moment: Moment, data: CardDrawn) -> Iterator[Judgment]:
    """When the dealer has Blackjack no further card is dealt."""
    round_, rules = moment.play
    if not round_.reader and round_.hole_revealed is None:
        return
    if not moment.dealer.blackjack or "reader:no_more" in round_.reported:
        return
    yield Breach(
        clauses=(_NO_MORE[rules.name],),
        message="A card was drawn although the dealer has Blackjack.",
        expected={"cards": 0},
        observed={"card": data.card},
        hand=DEALER,
        discriminator="reader:no_more",
    )


@check("hole.hidden", provisions=_one(_HIDDEN), reads=(HoleCardRevealed, CardExposed), alters=False)
def the_hole_card_stays_hidden(moment: Moment, data: HoleCardRevealed | CardExposed) -> Iterator[Judgment]:
    """Nobody sees the hole card before it may be turned up; when it may be, is judged with the action."""
    round_, rules = moment.play
    if isinstance(data, CardExposed) and data.where == "hole" and round_.hole_revealed is None:
        yield Breach(
            clauses=(_HIDDEN[rules.name],),
            message=f"The hole card {data.card} was seen before it was turned up.",
            expected={"exposed": False},
            observed={"exposed": True},
            hand=DEALER,
        )


@check("reader.fault", provisions=_one(_FAULT), reads=(CardDrawn,))
def no_dealing_while_the_reader_is_out_of_order(moment: Moment, data: CardDrawn) -> Iterator[Judgment]:
    """With its reader defective a table does not deal until it is repaired or replaced (here: within a round)."""
    round_, rules = moment.play
    device = "masque_reader" if rules.down_under else "card_reader"
    fault: int | None = None
    for entry in reversed(round_.log):
        if isinstance(entry.data, DeviceRestored) and entry.data.device == device:
            return
        if isinstance(entry.data, DeviceFault) and entry.data.device == device:
            fault = entry.sequence
            break
    if fault is None or "reader:fault" in round_.reported:
        return
    yield Breach(
        clauses=(_FAULT[rules.name],),
        message=f"A card was drawn while the {device.replace('_', ' ')} was out of order.",
        expected={"dealing": "stopped until the reader is restored"},
        observed={"fault_at": fault},
        sequences=(fault,),
        discriminator="reader:fault",
    )


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
    "masque.remedy",
    provisions={
        "down_under_685a": (
            "685a.12(h)#1", "685a.12(h)#2", "685a.12(h)#3",
            *(clause for clauses in _LIGHT.values() for clause in clauses),
        )
    },
    reads=(CardDrawn, WagerSettled, RoundEnded),
    alters=True,
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
    spoken = light if light not in (None, true) else area
    yield Breach(
        clauses=(
            "685a.12(h)#1",
            "685a.12(h)#2",
            "685a.12(h)#3",
            *_LIGHT[true],
            *_LIGHT[str(spoken)],
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
    "masque.area",
    provisions={"down_under_685a": ("685a.7(h)#6", "685a.3(e)")},
    reads=(DealerHandPositioned, *ACTION),
)
def the_dealers_hand_lies_in_its_range_area(moment: Moment, data: object) -> Iterator[Judgment]:
    """After the light the dealer lays his hand in the area of that range, before anybody acts."""
    round_, _ = moment.play
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


@check("masque.shown", provisions={"down_under_685a": ("685a.7(h)#7",)}, reads=(*ACTION, HoleCardRevealed))
def large_and_large_is_shown_before_the_action(moment: Moment, data: object) -> Iterator[Judgment]:
    """With a Large up card and a yellow light the hole card is shown before the action, and only then."""
    round_, _ = moment.play
    up = moment.dealer.up
    if round_.reader is None or up is None or up not in POINTS or "masque:shown" in round_.reported:
        return
    both = is_large(up) and round_.reader[1] == "large"
    if isinstance(data, HoleCardRevealed):
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
    elif not both and round_.hole_revealed is not None and round_.reader[1] != "large":
        yield Breach(
            clauses=("685a.7(h)#7", "685a.7(h)#2"),
            message="The hole card was shown before the action although the two cards are not both Large.",
            expected={"hole_card": "hidden"},
            observed={"hole_card": "shown"},
            sequences=(round_.hole_revealed,),
            hand=DEALER,
            discriminator="masque:shown",
        )


@check(
    "match.when",
    provisions={"down_under_685a": ("685a.7(f)#1",)},
    reads=(InsuranceOffered, HoleCardRead, *ACTION),
    follows=True,
)
def match_the_dealer_is_settled_at_once(moment: Moment, data: object) -> Iterator[Judgment]:
    """Match-the-Dealer is settled right after the second cards, before insurance, reader and any card (reading A11)."""
    round_, _ = moment.play
    for key, stake in round_.stakes.items():
        if stake.kind == "match_dealer" and not stake.moves and f"late:{key}" not in round_.reported:
            yield Breach(
                clauses=("685a.7(f)#1",),
                message=f"Seat {stake.seat}'s Match-the-Dealer wager was still open when play went on.",
                expected={"settled": True},
                observed={"settled": False},
                sequences=(stake.placed,),
                seat=stake.seat,
                discriminator=f"late:{key}",
            )


@check("match.order", provisions={"down_under_685a": ("685a.7(f)#2",)}, reads=(WagerSettled,), follows=True)
def match_the_dealer_is_settled_counterclockwise(moment: Moment, data: WagerSettled) -> Iterator[Judgment]:
    """Match-the-Dealer wagers are settled counterclockwise from the dealer's right."""
    round_, _ = moment.play
    if data.kind != "match_dealer":
        return
    settled = [
        (stake.moves[-1].sequence, stake.seat)
        for stake in round_.stakes.values()
        if stake.kind == "match_dealer" and stake.moves
    ]
    if not settled:
        yield UPHELD
        return
    last = max(settled)
    if data.seat <= last[1]:
        yield UPHELD
        return
    yield Breach(
        clauses=("685a.7(f)#2",),
        message=f"Seat {data.seat}'s Match-the-Dealer wager was settled after seat {last[1]}'s.",
        expected={"order": "counterclockwise from the dealer's right"},
        observed={"after_seat": last[1], "seat": data.seat},
        sequences=(last[0],),
        seat=data.seat,
    )
