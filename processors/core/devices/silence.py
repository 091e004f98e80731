"""Devices that fall silent: a witness reported nothing although the others show that it had something to report (A66).

The shoe reports the cards that leave it, the layout cards laid and wagers, the rack the cards that enter it, the reader
the hole card, the console decisions and steps. A silent witness is one finding for the whole stretch. Checks that rest
on its reports alone are not made until a round begins after it spoke again, or until it speaks in a round of which the
record shows that it lost no word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from processors.core.anomaly import Anomaly
from processors.core.cards import all_fit
from processors.core.devices import health
from processors.core.devices.accounts import ACCOUNTS, reason_for, unheard_by
from processors.core.devices.thresholds import APART, IN_A_ROW
from processors.core.devices.words import WORDS
from processors.core.handlers import Anomalies, Handler, Handlers
from processors.core.sights import BIT
from processors.core.state import Root, Round, Table
from processors.core.unheard import COUNT_WITNESSES
from processors.core.witnesses import MOST_REASONS, Witness
from schemas import events as e
from schemas.events.envelope import Envelope
from schemas.findings import finding_id
from schemas.payload import Payload
from schemas.values import DEALER, UNKNOWN

CHECK = "integrity.device"
NOT_LAID = frozenset({"boxed", "accidental", "refused", "stub"})  # racked without ever lying with a hand
_TENS_AND_ACES = frozenset("TJQKA")


def shoe_goes_on(table: Table) -> None:
    """Cloud the count that a load begins if a witness of the count is still silent."""
    for witness, reason in table.silent.items():
        if witness in COUNT_WITNESSES:
            _cloud(table, reason, table.blind.shoe)


def _cloud(table: Table, reason: str, *scopes: list[str]) -> None:
    """Note what is lacking by a silent device; a scope that has reasons enough still takes the first of each device."""
    witness = unheard_by(reason)
    for scope in scopes:
        named = any(unheard_by(one) == witness for one in scope)
        table.blind.cloud(reason, scope, most=MOST_REASONS + (0 if named else len(ACCOUNTS)))


def listen(table: Table, event: Envelope) -> Anomalies:
    """Note which witness reports an event, and name a witness that should have reported before it and did not.

    Also devices that lose words, speak late, or are well again. The pipeline calls it before the checks, so that none
    of them blames a person for what a silent device left out.
    """
    data, sequence, now, before = event.data, event.sequence, event.time, table.time
    kind = type(data)
    found: Anomalies = ()
    if table.lacking and "placements" in table.lacking and kind not in _LAYS:
        found = _not_laid(table, sequence)
    speaker, hear = _HEARD.get(kind, _UNHEARD)
    if speaker is not None:
        if table.lacking:
            table.lacking.pop(speaker, None)
        tally = table.health.get(speaker)
        if tally is None or tally.stretch is not None or table.silent:
            _end(table, speaker, data)
            found += health.heard(table, speaker, sequence)
        else:
            tally.due += 1
    if hear is not None:
        shown = hear(table, sequence, data)
        if shown:
            found += shown
    if before is not None and (table.out_of_time or now < before):
        if now < before:
            table.lives.disordered = sequence
        if table.out_of_time or before - now > APART:
            found += health.out_of_time(table, now, event.source, sequence)
    return found


def _end(table: Table, witness: Witness, word: Payload) -> None:
    """End the silence of a witness that speaks, also for the round under way if it lost no word of that round."""
    silent, round_ = table.silent.pop(witness, ""), table.round
    if silent and round_ is not None and _lost_none(table, round_, witness, word):
        round_.unheard.pop(witness, None)
        stretch = health.finding_about(table, witness)
        round_.roots = [one for one in round_.roots if one.finding_id != stretch]


def _lost_none(table: Table, round_: Round, witness: Witness, *now: Payload) -> bool:
    """Whether the record shows that a witness which speaks again has lost no word of the round so far.

    The shoe speaks before any other device names a card of the round, the layout lays the one card that was drawn. The
    reader says one word a round. Nothing shows as much of wagers, of the rack and of the console. A word that it says
    `now` is not in the round's log yet.
    """
    match witness:
        case "shoe":
            shown = "placements" not in round_.unheard and not round_.seen & _NAMES_CARDS
        case "placements":
            drawn = [word.data for word in round_.told(*_DRAWS)]
            laid = [*(word.data for word in round_.told(*_LAYS)), *now]
            alone = "shoe" not in round_.unheard and len(drawn) == 1 and bool(laid)
            shown = alone and all_fit(_cards(drawn[0]), _cards(laid[0]))
        case "reader":
            shown = bool(now) or round_.reader is not None
        case _:
            shown = False
    return shown and not table.blind.round


def _cards(word: Any) -> Sequence[str]:
    """The cards that a word of shoe or layout names."""
    return (word.card,) if type(word) in (e.CardDrawn, e.CardPlaced) else word.cards


def speaks_again(table: Table, witness: Witness, missed: Sequence[int]) -> None:
    """Note a witness that speaks again in the round under way, and was not found silent although it lost several words.

    What it missed in that round nobody knows, so what rests on its word alone is not judged there. Events in `missed`
    show the lost words, in order.
    """
    round_ = table.round
    if round_ is None or round_.first_sequence >= table.chain.next_sequence - 1:
        return
    if missed[-1] >= round_.first_sequence or not _lost_none(table, round_, witness):
        _came_back(table, round_, witness, missed[0])


def _came_back(table: Table, round_: Round, witness: Witness, since: int) -> None:
    reason = reason_for(witness, since)
    round_.unheard.setdefault(witness, reason)
    if witness in COUNT_WITNESSES:  # which cards moved meanwhile stays unknown until the next load
        _cloud(table, reason, table.blind.shoe)


def goes_on(table: Table, round_: Round) -> None:
    """Carry the witnesses that are still silent into the round that begins."""
    for witness, reason in table.silent.items():
        round_.unheard[witness] = reason
        if witness == "reader":  # what people did without a reading may follow from the missing reading
            round_.roots.append(Root(health.finding_about(table, witness), None, unheard=witness))


def round_is_over(table: Table, data: Any) -> bool:
    """Whether a main wager comes after all cards of the round were racked: its end and the next start are missing."""
    round_ = table.round
    if type(data) is not e.WagerPlaced or data.kind != "main" or round_ is None or not round_.racked:
        return False
    dealer = round_.hands.get(DEALER)
    if dealer is None or dealer.racked is None:
        return False
    return all(hand.racked is not None for hand in round_.hands.values() if hand.cards)


def _lacks(
    table: Table, witness: Witness, sequence: int, *, since: int = 0, needed: int = IN_A_ROW, words: int = 1
) -> Anomalies:
    """Count one more missing report, due at this event or `since` an earlier one.

    The finding comes once `needed` are missing in a row.
    With `needed=1` the round itself proves the silence; count at least `words` lost words, once a round.
    """
    if witness in table.silent:
        if needed > 1 or not health.lacks_already(table, witness):
            health.covered(table, witness, words)
        return ()
    lacking = table.lacking.setdefault(witness, [])
    lacking.append(since or sequence)
    if len(lacking) < needed:
        return ()
    found = _silent(table, witness, tuple(table.lacking.pop(witness)), sequence)
    health.covered(table, witness, words - 1)
    return found


def _silent(table: Table, witness: Witness, evidence: tuple[int, ...], sequence: int) -> Anomalies:
    account, since = ACCOUNTS[witness], evidence[0]
    reason = reason_for(witness, since)
    found = finding_id(table.subject, CHECK, sequence, witness)
    beside = health.fell_with(table, witness)
    table.silent[witness] = reason
    said = not health.begin(table, witness, since, found, beside, apart=False)
    health.covered(table, witness, words=len(evidence) - 1)
    if table.round is not None:
        health.covers_rounds(table, witness, sum(one < table.round.first_sequence for one in evidence))
        table.round.unheard[witness] = reason
    if witness in COUNT_WITNESSES:  # which cards moved meanwhile stays unknown until the next load
        _cloud(table, reason, table.blind.shoe)
    if witness in ("shoe", "console"):
        _cloud(table, reason, table.blind.day)
    if witness == "console":
        _cloud(table, reason, table.blind.seats)
    if said or beside:  # a stretch of lost words goes on, or the device broke as a whole, which is said once
        return ()
    return (
        Anomaly(
            check=CHECK,
            message=f"{account.name} since event {since}: {account.shown.format(count=len(evidence))}. "
            "What rests on its word alone is not judged until it speaks again.",
            sequences=evidence,
            expected={"event": account.word},
            observed={"silent_since": since},
            discriminator=witness,
        ),
    )


def _not_laid(table: Table, sequence: int) -> Anomalies:
    """Name the layout silent if an event follows three drawn cards of which it reported none laid.

    If the layout named no wager in this round either, it is silent on wagers too.
    """
    drawn, round_ = table.lacking["placements"], table.round
    if "placements" in table.silent:
        health.covered(table, "placements", len(table.lacking.pop("placements")))
        return ()
    if len(drawn) < IN_A_ROW:
        return ()
    found = _silent(table, "placements", tuple(table.lacking.pop("placements")), sequence)
    if round_ is not None and _nothing_wagered(round_):
        found += _lacks(table, "wagers", sequence, since=drawn[0], needed=1)
    return found


def _drawn(table: Table, sequence: int, data: e.CardDrawn | e.StackDispensed) -> Anomalies:
    round_ = table.round
    if round_ is None:
        return ()
    found: Anomalies = ()
    if table.blind.round and _betting_unheard(round_):
        found = _lacks(table, "console", sequence, since=round_.first_sequence, needed=1)
    if table.shoe.owed:  # the layout spoke of the card before the shoe did
        return found
    table.lacking.setdefault("placements", []).append(sequence)
    if table.silent and "placements" in table.silent and _nothing_wagered(round_):
        found += _lacks(table, "wagers", sequence, needed=1)
    return found


def _betting_unheard(round_: Round) -> bool:
    """Whether wagers were laid and cards are drawn in a round of which the console has said nothing at all."""
    return bool(round_.stakes) and not round_.seen & _CONSOLE


def _laid(table: Table, sequence: int, data: e.CardPlaced | e.StackDelivered) -> Anomalies:
    found: Anomalies = ()
    if type(data) is e.CardPlaced and data.face_up:
        read = data.card != UNKNOWN or any(one.card != UNKNOWN for one in table.shoe.loose)
        found = _face(table, sequence, read)
    round_ = table.round
    if round_ is None:
        return found
    if not round_.stakes and _nothing_wagered(round_) and not _is_dealers(data):
        found += _lacks(table, "wagers", sequence, needed=1)
        if len({one.sequence for one in table.shoe.loose}) > 1:  # cards were laid unseen as well
            _came_back(table, round_, "placements", sequence)
    if not table.shoe.loose:
        found += _lacks(table, "shoe", sequence)
    return found


def _rests_on_wagers(table: Table, sequence: int, data: Any) -> Anomalies:
    """Hear an event that needs a wager: an Envy lammer, or the progressive system locking its wagers."""
    round_ = table.round
    unseen = round_ is not None and _nothing_wagered(round_)
    return _lacks(table, "wagers", sequence, needed=1) if unseen else ()


def _nothing_wagered(round_: Round) -> bool:
    return not round_.stakes and round_.betting_closed is not None


def _is_dealers(data: e.CardPlaced | e.StackDelivered) -> bool:
    return (data.hand if isinstance(data, e.CardPlaced) else data.position) == DEALER


def _revealed(table: Table, sequence: int, data: e.HandRevealed) -> Anomalies:
    return _face(table, sequence, UNKNOWN not in data.cards)


def _face(table: Table, sequence: int, read: bool) -> Anomalies:
    """Count faces that were to be read, and those that neither the shoe nor the layout read."""
    if read:
        return health.heard(table, health.FACES, sequence)
    return health.lost(table, health.FACES, sequence, sequence)


def _racked(table: Table, sequence: int, data: e.CardsRacked) -> None:
    if data.reason in NOT_LAID:
        table.lacking.pop("placements", None)


def _not_for_a_hand(table: Table, sequence: int, data: Any) -> None:
    """The card drawn last was burnt or shown in the shoe: it was not to be laid."""
    table.lacking.pop("placements", None)


def _wagered(table: Table, sequence: int, data: e.WagerPlaced) -> Anomalies:
    return _lacks(table, "console", sequence, needed=1) if round_is_over(table, data) else ()


def _begins_anew(table: Table, sequence: int, data: Any) -> None:
    """A round begins, ends, or takes no more wagers: cards that were missed before are not missed in a row."""
    table.lacking.pop("placements", None)
    table.lacking.pop("shoe", None)


def _ended(table: Table, sequence: int, data: e.RoundEnded) -> Anomalies:
    round_ = table.round
    _begins_anew(table, sequence, data)
    found = health.rest(table, sequence)
    if round_ is None or round_.voided is not None:
        return found
    dealt = round_.seen & (_DEALT | BIT[e.CardDrawn] | BIT[e.StackDispensed])
    if dealt and not round_.racked:
        hands = sum(bool(hand.cards) for hand in round_.hands.values())
        since = round_.first_sequence
        found += _lacks(table, "rack", sequence, since=since, needed=1, words=max(hands, 1))
    if round_.hole_revealed is not None and round_.reader is None and _must_be_read(round_):
        found += _lacks(table, "reader", sequence)
    return found


def _must_be_read(round_: Round) -> bool:
    """Whether the hole card had to be read: a check missed the reading, or the up card requires it in every ruleset."""
    if "reader:used" in round_.reported:
        return True
    dealer = round_.hands.get(DEALER)
    if dealer is None or len(dealer.cards) < 2:
        return False
    up = dealer.cards[0 if round_.hole_index else 1]
    return up[0] in _TENS_AND_ACES


_DRAWS = (e.CardDrawn, e.StackDispensed)
_LAYS = (e.CardPlaced, e.StackDelivered)
_CONSOLE = BIT[e.RoundStarted] | BIT[e.BettingClosed] | BIT[e.PlayerDecision]
_DEALT = BIT[e.CardPlaced] | BIT[e.StackDelivered]
_NAMES_CARDS = _DEALT | BIT[e.CardBurned] | BIT[e.CardExposed] | BIT[e.CardsRacked]
_SHOWS: Handlers = {
    e.CardDrawn: _drawn,
    e.StackDispensed: _drawn,
    e.CardPlaced: _laid,
    e.StackDelivered: _laid,
    e.CardsRacked: _racked,
    e.WagerPlaced: _wagered,
    e.BettingClosed: _begins_anew,
    e.RoundStarted: _begins_anew,
    e.RoundEnded: _ended,
    e.CardBurned: _not_for_a_hand,
    e.CardExposed: _not_for_a_hand,
    e.HandRevealed: _revealed,
    e.LammerPlaced: _rests_on_wagers,
    e.SystemWagersLocked: _rests_on_wagers,
}
"""By type of event, what the event shows of the words of other devices."""
_COUNTED = {kind: word.device for kind, word in WORDS.items() if word.counts}
_HEARD: dict[type, tuple[Witness | None, Handler | None]] = {
    kind: (_COUNTED.get(kind), _SHOWS.get(kind)) for kind in (*_COUNTED, *_SHOWS)
}
"""By type of event, the device for which the event is counted, if there is one, and what the event shows."""
_UNHEARD: tuple[None, None] = (None, None)
