"""One plain sentence for each event, without a card that is not open yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dashboards.drawing.cards import spoken
from dashboards.drawing.money import dollars
from schemas import events as e
from schemas.amounts import amount, verb
from schemas.payload import short_name
from schemas.values import BONUS, DEALER, UNKNOWN

_STAKES = {
    "main": "main wager", "double": "double wager", "split": "split wager", "insurance": "insurance",
    "push22": "Push 22 wager", "match_dealer": "Match the Dealer wager", "fortune_bonus": "Fortune bonus wager",
    "progressive": "progressive wager", "five_card_hand": "Five Card Hand wager",
    "six_card_bonus": "Six Card Bonus wager", "lammer": "Free Bet lammer",
}  # fmt: skip
_LAMMERS = {
    "free_double": "a free double lammer",
    "free_split": "a free split lammer",
    "envy": "an envy lammer",
}
_EXPOSED = {
    "in_shoe": "in the shoe", "drawn_in_error": "drawn in error", "hole": "the hole card", "stub": "in the stub"
}  # fmt: skip
_BURNT = {"load": "of a new stack", "new_dealer": "for the new dealer", "reload": "of the reloaded shoe"}
_DEVICES = {"card_reader": "card reader", "masque_reader": "Masque reader"}
_RESULTS = {"no_blackjack": "no Blackjack", "blackjack": "Blackjack"}
_DONE = {
    "stand": "stands", "hit": "asks for a card", "double": "doubles", "split": "splits", "surrender": "surrenders"
}  # fmt: skip
_REASONS = {
    "settled": "after settlement", "bust": "over 21", "blackjack": "a paid Blackjack", "surrender": "surrendered",
    "void": "void", "refused": "a refused card", "boxed": "a card found face up", "accidental": "drawn in error",
    "stub": "the stub", "unwagered": "dealt without a wager", "other": "for another reason",
}  # fmt: skip


def place(spot: str) -> str:
    """A hand, position or spot in words."""
    if spot == DEALER:
        return "the dealer"
    if spot == BONUS:
        return "the Six Card Bonus spot"
    return f"hand {spot}" if "." in spot else f"position {spot}"


def _whose(spot: str) -> str:
    return "the dealer's hand is" if spot == DEALER else f"{place(spot)} is"


def _system(name: str) -> str:
    return name.replace("_", " ")


def _cards(names: Sequence[str]) -> str:
    if all(name == UNKNOWN for name in names):
        return f"{amount(len(names), 'card')} not read"
    return ", ".join(spoken(name) for name in names)


def sentence(data: Any, cleared: bool = False) -> str:
    """One sentence about an event; for `cleared` readers it names hidden cards, where the record does."""
    kind = type(data)
    if kind in _NAMING:
        text = _NAMING[kind](data, cleared)
    elif kind in _TELLERS:
        text = _TELLERS[kind](data)
    else:
        text = _FIXED.get(kind) or f"{short_name(kind).replace('_', ' ')}."
    return text[0].upper() + text[1:]


def _card(name: str, is_open: bool, cleared: bool) -> str:
    if is_open:
        return f"the {spoken(name)}" if name != UNKNOWN else "a card that was not read"
    return f"a card face down ({spoken(name)})" if cleared and name != UNKNOWN else "a card face down"


def _drawn(data: e.CardDrawn, cleared: bool) -> str:
    sealed = ", sealed" if data.seal else ""
    return f"The shoe gives up its next card{_named(data.card, cleared)}{sealed}."


def _named(card: str, cleared: bool) -> str:
    return f", the {spoken(card)}" if cleared and card != UNKNOWN else ""


def _placed(data: e.CardPlaced, cleared: bool) -> str:
    across = ", laid across" if data.sideways is True else ""
    return f"{place(data.hand)} is dealt {_card(data.card, data.face_up, cleared)}{across}."


def _delivered(data: e.StackDelivered, cleared: bool) -> str:
    what = _cards(data.cards) if data.face_up or cleared else f"{amount(len(data.cards), 'card')} face down"
    return f"{place(data.position)} receives a stack: {what}."


def _settled(data: e.WagerSettled) -> str:
    whose = f"{place(data.hand)}" if data.hand else f"seat {data.seat}"
    what = _STAKES.get(data.kind, data.kind)
    odds = f" at {data.odds}" if data.odds else ""
    if data.outcome == "pay":
        return f"{whose}: the {what} is paid ${dollars(data.cents)}{odds}."
    done = "taken" if data.outcome == "collect" else "given back"
    return f"{whose}: ${dollars(data.cents)} of the {what} is {done}."


def _taken_back(data: e.WinningsTakenBack) -> str:
    whose = f"{place(data.hand)}" if data.hand else f"seat {data.seat}"
    return f"{whose}: ${dollars(data.cents)} that was paid for the {_STAKES.get(data.kind, data.kind)} is taken back."


def _wagered(data: e.WagerPlaced) -> str:
    on = f" on hand {data.hand}" if data.hand else ""
    free = ", a free bet unit" if data.free_unit is True else ""
    return f"Seat {data.seat} places ${dollars(data.cents)}, {_STAKES.get(data.kind, data.kind)}{on}{free}."


def _altered(data: e.WagerAltered) -> str:
    what = f"{_STAKES.get(data.kind, data.kind)} of seat {data.seat}"
    return f"The {what} is changed from ${dollars(data.from_cents)} to ${dollars(data.to_cents)} by the {data.by}."


def _racked(data: e.CardsRacked) -> str:
    number = len(data.cards)
    own = data.hand != DEALER or data.reason in ("settled", "void")
    whose = f" of {place(data.hand)}" if own else ""
    goes = verb(number, "goes")
    return f"{amount(number, 'card')}{whose} {goes} to the discard rack, {_REASONS[data.reason]}."


def _decision(data: e.PlayerDecision) -> str:
    into = f" into {data.new_hand}" if data.new_hand else ""
    return f"{place(data.hand)} {_DONE[data.kind]}{into}."


def _read(data: e.HoleCardRead) -> str:
    return f"The {_DEVICES[data.device]} shows {_RESULTS.get(data.result, data.result)}."


def _exposed(data: e.CardExposed) -> str:
    return f"A card is seen that should not be: {spoken(data.card)}, {_EXPOSED[data.where]}."


def _burned(data: e.CardBurned, cleared: bool) -> str:
    return f"The first card {_BURNT[data.reason]} is burnt{_named(data.card, cleared)}."


_FIXED: dict[type, str] = {
    e.StubRemoved: "The rest of the deck leaves the shoe.",
    e.InsuranceOffered: "The dealer offers insurance.",
    e.RoundEnded: "The round is over.",
}
# Sentences that name a card only to those who may see it.
_NAMING: dict[type, Callable[[Any, bool], str]] = {
    e.CardDrawn: _drawn,
    e.CardPlaced: _placed,
    e.StackDelivered: _delivered,
    e.CardBurned: _burned,
}
_TELLERS: dict[type, Callable[[Any], str]] = {
    e.RoundStarted: lambda d: f"Round {d.round} begins: bets are open.",
    e.WagerPlaced: _wagered,
    e.WagerAltered: _altered,
    e.WagerMoved: lambda d: f"The {_STAKES[d.kind]} of {place(d.from_hand)} is laid to {place(d.to_hand)}.",
    e.WagerRefused: lambda d: f"A wager of seat {d.seat} is refused: {d.reason.replace('_', ' ')}.",
    e.CashWagerCalled: lambda d: (
        f"Seat {d.seat} calls a cash wager of ${dollars(d.cents)}"
        f"{', confirmed' if d.confirmed else ', not confirmed'}."
    ),
    e.CashConverted: lambda d: f"${dollars(d.cents)} in cash of seat {d.seat} becomes chips.",
    e.BettingClosed: lambda d: (
        "The dealer announces: no more bets." if d.announced else "Betting closes unannounced."
    ),
    e.SystemWagersLocked: lambda d: f"The {_system(d.system)} system takes no further wagers.",
    e.SystemWagersCounted: lambda d: (
        f"{amount(d.chips, 'chip')} collected for {amount(d.accepted, f'accepted {_system(d.system)} wager')}."
    ),
    e.CardExposed: _exposed,
    e.CardRefused: lambda d: f"Seat {d.seat} refuses the exposed card.",
    e.CardsHandled: lambda d: f"The cards of {place(d.hand)} are touched by a {d.by}.",
    e.CoverCardReached: lambda d: f"The cover card comes out before a card of {place(d.at)}.",
    e.StartingPositionSet: lambda d: f"Dealing starts at {place(d.position)}.",
    e.StackDispensed: lambda d: f"The shoe gives up a stack of {amount(len(d.cards), 'card')}.",
    e.StubCounted: lambda d: (
        f"The dealer counts {amount(d.cards, 'card')} in the stub, face {'down' if d.face_down else 'up'}."
    ),
    e.MisdealDetermined: lambda d: (
        f"The dealer finds that the cards were {'' if d.misdealt else 'not '}misdealt."
    ),
    e.CardsTucked: lambda d: f"The cards of {place(d.hand)} are tucked under the {_STAKES[d.under]}.",
    e.CardsRacked: _racked,
    e.EvenMoneyOffered: lambda d: f"Seat {d.seat} is offered even money.",
    e.EvenMoneyTaken: lambda d: f"Seat {d.seat} takes even money.",
    e.HoleCardRead: _read,
    e.DealerHandPositioned: lambda d: f"The dealer's hand is laid in the {d.area} area.",
    e.HoleCardRevealed: lambda d: f"The hole card is turned: the {spoken(d.card)}.",
    e.PlayerDecision: _decision,
    e.LammerPlaced: lambda d: f"{place(d.hand)} is given {_LAMMERS[d.kind]}.",
    e.LammerCollected: lambda d: f"The dealer takes back {_LAMMERS[d.kind]} from {place(d.hand)}.",
    e.BlackjackAnnounced: lambda d: f"The dealer announces a Blackjack at {place(d.hand)}.",
    e.DealerTotalAnnounced: lambda d: f"The dealer announces {d.total}.",
    e.HandRevealed: lambda d: f"{_whose(d.position)} turned face up: {_cards(d.cards)}.",
    e.WagerSettled: _settled,
    e.WinningsTakenBack: _taken_back,
    e.HandVoided: lambda d: f"{place(d.hand)} is called dead: {d.reason}.",
    e.HandContinued: lambda d: f"{place(d.hand)} is played on, by order of {d.staff}.",
    e.RoundVoided: lambda d: f"The round is void: {d.reason}.",
    e.ShoeLoaded: lambda d: f"Shoe {d.shoe} is loaded with {amount(d.cards, 'card')} of batch {d.batch}.",
    e.ShoeEmptied: lambda d: (
        f"The {amount(len(d.cards), 'card')} left in the shoe {verb(len(d.cards), 'goes')} to the discard rack."
    ),
    e.StackShuffledFromRack: lambda d: f"The discard rack, {amount(d.cards, 'card')}, becomes the new stack.",
    e.FloorpersonNotified: lambda d: f"{d.staff} is called: {d.matter}.",
    e.DealerArrived: lambda d: f"Dealer {d.staff} takes the table.",
    e.DealerLeft: lambda d: f"Dealer {d.staff} leaves the table.",
    e.PlayerArrived: lambda d: f"{d.player} takes seat {d.seat}.",
    e.PlayerLeft: lambda d: f"{d.player} leaves seat {d.seat}.",
    e.DeviceFault: lambda d: f"The {d.device.replace('_', ' ')} fails: {d.fault.replace('_', ' ')}.",
    e.DeviceRestored: lambda d: f"The {d.device.replace('_', ' ')} is back in use: {d.how}.",
}
