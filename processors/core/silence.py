"""Devices that fall silent: which witness has said nothing where the others show that it must have spoken (A66).

Each card, stake and step has a witness: the shoe says what left it, the layout what was laid and wagered, the rack
what entered it, the reader that the hole card was read, the console what the dealer and the players decided. A
silent witness is one finding for the whole stretch; what rests on its word alone is not judged until the first round
that begins after it spoke again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from processors.core.anomaly import Anomaly
from processors.core.sights import BIT
from processors.core.state import Root, Round, Silence, Table, Witness
from schemas import events as e
from schemas.findings import finding_id
from schemas.values import DEALER

CHECK = "integrity.device"
IN_A_ROW = 3  # A66: one lost word is no silence, three that follow each other are
NOT_LAID = frozenset({"boxed", "accidental", "refused", "stub"})  # racked without ever lying with a hand
CARD_WITNESSES: frozenset[Witness] = frozenset({"placements", "shoe", "console"})
COUNT_WITNESSES: frozenset[Witness] = CARD_WITNESSES | {"rack"}
_TENS_AND_ACES = frozenset("TJQKA")


class _Account(NamedTuple):
    """How a witness is spoken of: itself, the event it owes, what shows that it owes it, what a round lacks by it."""

    name: str
    word: str
    shown: str
    lacks: str


_ACCOUNTS: dict[Witness, _Account] = {
    "placements": _Account(
        "The layout has named no card",
        "card_placed",
        "{count} cards in a row left the shoe and none was placed",
        "cards on the layout",
    ),
    "wagers": _Account(
        "The layout has named no wager",
        "wager_placed",
        "a round was played for which no wager is on record",
        "wagers on the layout",
    ),
    "rack": _Account(
        "The discard rack has named no card",
        "cards_racked",
        "a whole round was dealt and nothing entered the rack",
        "cards of the discard rack",
    ),
    "shoe": _Account(
        "The shoe has named no card",
        "card_drawn",
        "{count} times in a row cards were placed that it had not given up",
        "cards that left the shoe",
    ),
    "reader": _Account(
        "The card reader has said nothing",
        "hole_card_read",
        "in {count} rounds in a row the dealer showed an ace or a ten-value card and no reading is on record",
        "readings of the hole card",
    ),
    "console": _Account(
        "The console has named no start or end of a round",
        "round_started, round_ended",
        "the other devices show play of a round that is not on record",
        "starts and ends of rounds",
    ),
}


def cards_unheard(table: Table) -> bool:
    """Whether a witness of cards is silent in the round under way: then cards may have moved unseen."""
    round_ = table.round
    return round_ is not None and any(witness in CARD_WITNESSES for witness in round_.unheard)


def count_unheard(table: Table) -> bool:
    """Whether a witness of where cards go, the rack among them, is silent: then nothing is learnt from a count."""
    round_ = table.round
    return round_ is not None and any(witness in COUNT_WITNESSES for witness in round_.unheard)


def shoe_goes_on(table: Table) -> None:
    """A load begins a new count: it is in doubt as long as a witness of the count is still silent."""
    for witness, silence in table.silent.items():
        if witness in COUNT_WITNESSES:
            table.blind.shoe.append(silence.reason)


def listen(table: Table, sequence: int, data: Any) -> tuple[Anomaly, ...]:
    """Note which witness speaks at an event, and name one that must have spoken before it and did not.

    It comes before the event is judged, so that nobody is charged at it with what a silent witness did not say.
    """
    kind = type(data)
    found: tuple[Anomaly, ...] = ()
    if "placements" in table.lacking and kind not in _LAYS:
        found = _not_laid(table)
    hear = _HEAR.get(kind)
    return found + hear(table, sequence, data) if hear is not None else found


def goes_on(table: Table, round_: Round) -> None:
    """A round begins: witnesses that are still silent are silent in it too."""
    for witness, silence in table.silent.items():
        round_.unheard[witness] = silence.reason
        if witness == "reader":  # what was done without a reading may be no more than its consequence
            round_.roots.append(Root(silence.finding_id, None))


def round_is_over(table: Table, data: Any) -> bool:
    """Whether a main wager comes after all cards of the round were racked: its end and the next start are missing."""
    round_ = table.round
    if type(data) is not e.WagerPlaced or data.kind != "main" or round_ is None or not round_.racked:
        return False
    dealer = round_.hands.get(DEALER)
    if dealer is None or dealer.racked is None:
        return False
    return all(hand.racked is not None for hand in round_.hands.values() if hand.cards)


def _speaks(table: Table, witness: Witness) -> None:
    if witness in table.lacking:
        del table.lacking[witness]
    if witness in table.silent:
        del table.silent[witness]


def _lacks(table: Table, witness: Witness, sequence: int, *, needed: int = IN_A_ROW) -> tuple[Anomaly, ...]:
    """One more word is missing; the finding once there are enough of them."""
    if witness in table.silent:
        return ()
    lacking = table.lacking.setdefault(witness, [])
    lacking.append(sequence)
    if len(lacking) < needed:
        return ()
    return _silent(table, witness, tuple(table.lacking.pop(witness)))


def _silent(table: Table, witness: Witness, evidence: tuple[int, ...]) -> tuple[Anomaly, ...]:
    account, since = _ACCOUNTS[witness], evidence[0]
    reason = f"{account.lacks} since event {since}"
    table.silent[witness] = Silence(since, reason, finding_id(table.subject, CHECK, evidence[-1], witness))
    if table.round is not None:
        table.round.unheard[witness] = reason
    if witness in COUNT_WITNESSES:  # what moved meanwhile is not known before the next load
        table.blind.shoe.append(reason)
    if witness in ("shoe", "console"):
        table.blind.day.append(reason)
    return (
        Anomaly(
            check=CHECK,
            cites=CHECK,
            message=f"{account.name} since event {since}: {account.shown.format(count=len(evidence))}. "
            "What rests on its word alone is not judged until it speaks again.",
            sequences=evidence,
            expected={"event": account.word},
            observed={"silent_since": since},
            discriminator=witness,
        ),
    )


def _not_laid(table: Table) -> tuple[Anomaly, ...]:
    """Something else follows the cards that were drawn last: when they are three, the layout says nothing of cards.

    If it has named no wager in this round either, it says nothing of wagers.
    """
    drawn, round_ = table.lacking["placements"], table.round
    if len(drawn) < IN_A_ROW:
        return ()
    found = _silent(table, "placements", tuple(table.lacking.pop("placements")))
    if round_ is not None and _nothing_wagered(round_):
        found += _lacks(table, "wagers", drawn[0], needed=1)
    return found


def _drawn(table: Table, sequence: int, data: e.CardDrawn | e.StackDispensed) -> tuple[Anomaly, ...]:
    _speaks(table, "shoe")
    round_ = table.round
    if round_ is None:
        return ()
    if "placements" in table.silent:
        return _lacks(table, "wagers", sequence, needed=1) if _nothing_wagered(round_) else ()
    table.lacking.setdefault("placements", []).append(sequence)
    return ()


def _laid(table: Table, sequence: int, data: e.CardPlaced | e.StackDelivered) -> tuple[Anomaly, ...]:
    _speaks(table, "placements")
    round_ = table.round
    if round_ is None:
        return _outside_a_round(table, sequence)
    found: tuple[Anomaly, ...] = ()
    if _nothing_wagered(round_) and not _is_dealers(data):
        found = _lacks(table, "wagers", sequence, needed=1)
    if not table.shoe.loose:
        found += _lacks(table, "shoe", sequence)
    return found


def _rests_on_wagers(table: Table, sequence: int, data: Any) -> tuple[Anomaly, ...]:
    """What only a wager brings about: an Envy lammer, chips locked or counted by the progressive system."""
    round_ = table.round
    unseen = round_ is not None and _nothing_wagered(round_)
    return _lacks(table, "wagers", sequence, needed=1) if unseen else ()


def _nothing_wagered(round_: Round) -> bool:
    return not round_.stakes and round_.betting_closed is not None


def _outside_a_round(table: Table, sequence: int) -> tuple[Anomaly, ...]:
    """Play that belongs to a round, and none was begun."""
    return _lacks(table, "console", sequence) if table.config is not None else ()


def _is_dealers(data: e.CardPlaced | e.StackDelivered) -> bool:
    return (data.hand if isinstance(data, e.CardPlaced) else data.position) == DEALER


def _racked(table: Table, sequence: int, data: e.CardsRacked) -> tuple[Anomaly, ...]:
    _speaks(table, "rack")
    if data.reason in NOT_LAID:
        table.lacking.pop("placements", None)
    return ()


def _not_for_a_hand(table: Table, sequence: int, data: Any) -> tuple[Anomaly, ...]:
    """The card drawn last was burnt or shown in the shoe: it was not to be laid."""
    table.lacking.pop("placements", None)
    return ()


def _wagered(table: Table, sequence: int, data: e.WagerPlaced) -> tuple[Anomaly, ...]:
    _speaks(table, "wagers")
    if table.round is None:
        return _outside_a_round(table, sequence)
    return _lacks(table, "console", sequence, needed=1) if round_is_over(table, data) else ()


def _read(table: Table, sequence: int, data: e.HoleCardRead) -> tuple[Anomaly, ...]:
    _speaks(table, "reader")
    return ()


def _console_heard(table: Table, sequence: int, data: e.PlayerDecision) -> tuple[Anomaly, ...]:
    _speaks(table, "console")
    return ()


def _console_speaks(table: Table, sequence: int, data: Any) -> tuple[Anomaly, ...]:
    _speaks(table, "console")
    table.lacking.pop("placements", None)
    table.lacking.pop("shoe", None)
    return ()


def _ended(table: Table, sequence: int, data: e.RoundEnded) -> tuple[Anomaly, ...]:
    round_ = table.round
    found = _console_speaks(table, sequence, data)
    if round_ is None or round_.voided is not None:
        return found
    dealt = round_.seen & (_DEALT | BIT[e.CardDrawn] | BIT[e.StackDispensed])
    if dealt and not round_.racked:
        found += _lacks(table, "rack", round_.first_sequence, needed=1)
    if round_.hole_revealed is not None and round_.reader is None and _must_be_read(round_):
        found += _lacks(table, "reader", sequence)
    return found


def _must_be_read(round_: Round) -> bool:
    """Whether the hole card had to be read: its duty missed it, or the up card orders it under every ruleset."""
    if "reader:used" in round_.reported:
        return True
    dealer = round_.hands.get(DEALER)
    if dealer is None or len(dealer.cards) < 2:
        return False
    up = dealer.cards[0 if round_.hole_index else 1]
    return up[0] in _TENS_AND_ACES


_LAYS = (e.CardPlaced, e.StackDelivered)
_DEALT = BIT[e.CardPlaced] | BIT[e.StackDelivered]
_HEAR: dict[type, Callable[[Table, int, Any], tuple[Anomaly, ...]]] = {
    e.CardDrawn: _drawn,
    e.StackDispensed: _drawn,
    e.CardPlaced: _laid,
    e.StackDelivered: _laid,
    e.CardBurned: _not_for_a_hand,
    e.CardExposed: _not_for_a_hand,
    e.CardsRacked: _racked,
    e.BettingClosed: _console_speaks,
    e.PlayerDecision: _console_heard,
    e.WagerPlaced: _wagered,
    e.LammerPlaced: _rests_on_wagers,
    e.SystemWagersLocked: _rests_on_wagers,
    e.HoleCardRead: _read,
    e.RoundStarted: _console_speaks,
    e.RoundEnded: _ended,
}
