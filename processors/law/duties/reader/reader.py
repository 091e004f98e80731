"""The reader and the hole card (7(g), 7(h), 12(i), 12(j), 685a.7(h), 685a.12(i))."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Indeterminate, Judgment, Moment, check
from processors.law.clauses import BLACKJACK, SECTIONS
from schemas.events import (
    BlackjackAnnounced,
    CardDrawn,
    CardExposed,
    FloorpersonNotified,
    HoleCardRead,
    HoleCardRevealed,
    PlayerDecision,
    WagerSettled,
)
from schemas.values import DEALER

OFFER = {"free_bet_590": "590.7(f)", "free_bet_672a": "672a.7(f)#1", "down_under_685a": "685a.7(g)#1"}
READ = {"free_bet_590": "590.7(g)#1", "free_bet_672a": "672a.7(g)#1", "down_under_685a": "685a.7(h)#1"}
_HIDDEN = {"free_bet_590": "590.7(g)#2", "free_bet_672a": "672a.7(g)#2", "down_under_685a": "685a.7(h)#2"}
_SHOWN = {"free_bet_590": "590.7(k)", "free_bet_672a": "672a.7(k)", "down_under_685a": "685a.7(l)"}
_NO_MORE = {"free_bet_590": "590.7(g)#3", "free_bet_672a": "672a.7(g)#3", "down_under_685a": "685a.7(h)#8"}
_NEEDLESS = {"free_bet_590": "590.13(i)", "free_bet_672a": "672a.12(i)"}
ACTION = (PlayerDecision, BlackjackAnnounced)


def one_each(table: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Provisions by ruleset from a table that names one clause for each."""
    return {ruleset: (clause,) for ruleset, clause in table.items()}


def section_8(*clauses: str) -> dict[str, tuple[str, ...]]:
    """The same clauses of section 8 in every Blackjack chapter."""
    return {
        ruleset: tuple(f"{SECTIONS[ruleset]['ch']}.8{clause}" for clause in clauses) for ruleset in BLACKJACK
    }


def early_surrender(moment: Moment, data: object) -> bool:
    """A 590 surrender under an ace or ten may be signalled before the peek (590.9(a)(2), reading A26)."""
    _, rules = moment.play
    return rules.surrender and isinstance(data, PlayerDecision) and data.kind == "surrender"


@check(
    "reader.used",
    decides=(
        "insurance.lost_collected", "reader.hole_card_checked", "reader.hole_card_hidden",
        "reader.masque_hidden", "reader.range_assigned", "reader.range_found", "action.hole_card_revealed",
        "action.surrender_marked", "action.hole_card_turned",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "reader",
    ),
    turns_on=("cards",),
    reads=(*ACTION, HoleCardRevealed, WagerSettled),
    alters=True,
)  # fmt: skip
def the_hole_card_is_read_before_the_action(moment: Moment, data: object) -> Iterator[Judgment]:
    """Under an ace or ten-value card (Down Under: always) the hole card is read before anybody acts."""
    round_, rules = moment.play
    if "reader:used" in round_.reported:
        return
    if round_.reader is not None:
        yield UPHELD
        return
    surrendered = isinstance(data, WagerSettled) and rules.surrender and _settles_a_surrender(round_, data)
    if isinstance(data, WagerSettled) and data.kind != "insurance" and not surrendered:
        return
    up = moment.dealer.up
    if up is None or up not in POINTS or len(round_.hands[DEALER].cards) < 2 or early_surrender(moment, data):
        return
    if not rules.down_under and POINTS[up] < 10:
        return
    insurance = isinstance(data, WagerSettled) and data.kind == "insurance"
    seen = isinstance(data, HoleCardRevealed) and not _acted(round_)
    yield Breach(
        clauses=(
            READ[rules.name],
            *(("685a.3(e)",) if rules.down_under else ()),
            *((f"{rules.chapter}.8(d)",) if insurance else ()),
            *((_HIDDEN[rules.name], _SHOWN[rules.name]) if seen else ()),
            *(("590.9(a)(2)#1",) if surrendered else ()),
        ),
        message=f"The dealer shows {up}, but the hole card was not read before play went on.",
        expected={"hole_card_read": True},
        observed={"hole_card_read": False},
        hand=DEALER,
        discriminator="reader:used",
    )


def _acted(round_: Round) -> bool:
    """Whether a hand was served before now, early surrenders apart."""
    return any(getattr(entry.data, "kind", "") != "surrender" for entry in round_.told(*ACTION))


def _settles_a_surrender(round_: Round, data: WagerSettled) -> bool:
    hand = round_.hands.get(data.hand or f"{data.seat}.1")
    return data.kind == "main" and hand is not None and hand.surrendered is not None


def _halves_a_surrender(round_: Round, data: WagerSettled) -> bool:
    stake = round_.stakes.get(f"{data.seat}:main:{data.hand or f'{data.seat}.1'}")
    return _settles_a_surrender(round_, data) and stake is not None and data.cents < stake.cents


@check(
    "reader.device",
    decides=(
        "reader.tells_blackjack_alone", "reader.masque_hidden", "reader.masque_lights", "reader.range_found",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "reader",
    ),
    turns_on=("cards",),
    reads=(HoleCardRead,),
)  # fmt: skip
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
    clauses: tuple[str, ...] = (f"{rules.chapter}.1:card_reader_device",)
    if rules.down_under:
        clauses = ("685a.1:masque_card_reader_device",)
        if data.device != "masque_reader":
            clauses += ("685a.7(h)#1", "685a.7(h)#2")
    yield Breach(
        clauses=clauses,
        message=f"A {data.device.replace('_', ' ')} said {data.result.replace('_', ' ')}; this game's cannot say that.",
        expected={"device": "masque_reader" if rules.down_under else "card_reader"},
        observed={"device": data.device, "result": data.result},
        hand=DEALER,
    )


@check(
    "reader.when",
    decides=(
        "reader.hole_card_checked",
        "reader.range_found",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "reader",
    ),
    turns_on=("cards",),
    reads=(HoleCardRead,),
    alters=True,
    follows=True,
)
def the_reader_comes_after_the_deal(moment: Moment, data: HoleCardRead) -> Iterator[Judgment]:
    """The hole card is read after the deal and the offers, before any decision but an early surrender."""
    round_, rules = moment.play
    acted = next(
        (
            entry.sequence
            for entry in round_.told(*ACTION)
            if not (rules.surrender and getattr(entry.data, "kind", "") == "surrender")
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
        clauses=(READ[rules.name],),
        message="The hole card was read "
        + ("after players had acted." if acted is not None else "before the first deal was over."),
        expected={"read": "after the deal, before any decision"},
        observed={"after_decision": acted},
        sequences=(acted,) if acted is not None else (),
        hand=DEALER,
        discriminator="reader:used",
    )


@check(
    "reader.needless",
    decides=("reader.needless_reported",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "reader",
    ),
    turns_on=("cards",),
    reads=(*ACTION, HoleCardRevealed, CardDrawn),
    follows=True,
    after=(HoleCardRead,),
)
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
    if round_.last(FloorpersonNotified) > read:
        yield UPHELD
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


@check(
    "reader.truth",
    decides=(
        "reader.tells_blackjack_alone",
        "reader.hole_card_checked",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "reader",
    ),
    turns_on=("cards",),
    reads=(HoleCardRevealed,),
    alters=True,
    follows=True,
)
def the_card_reader_told_the_truth(moment: Moment, data: HoleCardRevealed) -> Iterator[Judgment]:
    """What the card reader said of a Blackjack is what the hole card shows."""
    round_, rules = moment.play
    up = moment.dealer.up
    if rules.down_under or round_.reader is None or up is None:
        return
    if up not in POINTS or data.card not in POINTS:
        yield Indeterminate(
            clauses=(READ[rules.name],),
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
        clauses=(READ[rules.name], f"{rules.chapter}.1:card_reader_device"),
        message=f"The reader said {'Blackjack' if said else 'no Blackjack'}, but the dealer has {up} {data.card}.",
        expected={"result": "blackjack" if blackjack else "no_blackjack"},
        observed={"result": round_.reader[1], "cards": [up, data.card]},
        sequences=(round_.reader[2],),
        hand=DEALER,
    )


@check(
    "reader.no_more_cards",
    decides=(
        "reader.hole_card_checked", "reader.blackjack_ends_deal", "reader.range_found",
        "settlement.surrender_to_blackjack",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "reader",
    ),
    turns_on=("cards",),
    reads=(CardDrawn, *ACTION, WagerSettled),
    alters=True,
    follows=True,
    after=(HoleCardRead, HoleCardRevealed),
)  # fmt: skip
def no_card_is_dealt_after_a_dealer_blackjack(moment: Moment, data: object) -> Iterator[Judgment]:
    """When the reader says that the dealer has Blackjack, or it shows, play ends and no further card is dealt."""
    round_, rules = moment.play
    shown = round_.hole_revealed is not None
    if not (round_.reader or shown) or "reader:no_more" in round_.reported:
        return
    if not moment.dealer.blackjack:
        return
    if shown and not isinstance(data, CardDrawn):
        yield UPHELD
        return
    halved = isinstance(data, WagerSettled) and rules.surrender and _halves_a_surrender(round_, data)
    if (
        isinstance(data, WagerSettled)
        and (data.kind, data.outcome) != ("insurance", "collect")
        and not halved
    ):
        return
    yield Breach(
        clauses=(
            _NO_MORE[rules.name],
            *(() if shown else (READ[rules.name],)),
            *(("590.9(a)(2)#2",) if halved else ()),
        ),
        message="A card was drawn although the dealer has Blackjack."
        if shown
        else "The reader said Blackjack, but the hole card was not shown and play went on.",
        expected={"cards": 0},
        observed={"event": type(data).__name__},
        hand=DEALER,
        discriminator="reader:no_more",
    )


@check(
    "reader.hole_hidden",
    decides=(
        "reader.hole_card_hidden",
        "reader.masque_hidden",
    ),
    formerly="hole.hidden",
    rests_on=(
        "console",
        "placements",
        "shoe",
    ),
    reads=(HoleCardRevealed, CardExposed),
    alters=False,
)
def the_hole_card_stays_hidden(moment: Moment, data: HoleCardRevealed | CardExposed) -> Iterator[Judgment]:
    """Nobody sees the hole card before it may be turned up; when it may be, is judged with the action."""
    round_, rules = moment.play
    if isinstance(data, HoleCardRevealed):
        yield UPHELD
    elif data.where == "hole" and round_.hole_revealed is None:
        yield Breach(
            clauses=(_HIDDEN[rules.name],),
            message=f"The hole card {data.card} was seen before it was turned up.",
            expected={"exposed": False},
            observed={"exposed": True},
            hand=DEALER,
        )
