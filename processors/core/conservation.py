"""Findings about a batch that lacks cards or has too many: each deviation once, and later counts start from it.

A batch's cards are counted when it is loaded, when the rest of its shoe is laid open, and when it leaves the table;
the cards in its rack when a round ends. A finding asserts only cards that were seen; since burnt and hole cards may be
unknown, it lists the cards that may be missing.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from processors.core.anomaly import Anomaly
from processors.core.exposure import exposure, forget
from processors.core.facts_decks import STACK_GAMES, Batch, Shoe
from processors.core.handlers import Anomalies
from processors.core.state import Table
from processors.core.unheard import count_unseen
from schemas import events as e
from schemas.amounts import amount, verb
from schemas.findings import finding_id
from schemas.values import JOKER, RANKS, SUITS, UNKNOWN

CHECK = "integrity.shoe"
CARDS_OF_A_DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
NAMED_A_SHOE = 8  # findings that name a card, for one shoe: a foreign deck is one error, not fifty
COUNT, RACK = "#", "rack"


def nominal(batch: Batch, card: str) -> int:
    """How often the card was in the batch when it was received."""
    return batch.cards - 52 * batch.decks if card == JOKER else batch.decks


def in_doubt(table: Table) -> bool:
    """Whether cards may have moved unseen, so that a count proves nothing of the batch."""
    return bool(table.blind.shoe) or count_unseen(table)


def amiss(
    table: Table,
    batch: Batch,
    sequence: int,
    message: str,
    *,
    expected: Any,
    observed: Any,
    name: str,
    since: int,
    beside: Batch | None = None,
    cause: str = "",
) -> Anomalies:
    """The finding about a batch; with a `cause`, the id of an earlier finding, it is only a consequence of that."""
    anomaly = Anomaly(
        check=CHECK,
        message=message,
        sequences=(table.shoe.loaded_at or batch.received, sequence),
        expected=expected,
        observed=observed,
        verdict="indeterminate" if cause and beside is None else "breached",
        because_of=cause,
        discriminator=name,
        exposure=exposure(table, (batch,) if beside is None else (batch, beside), since),
    )
    if not in_doubt(table) and not batch.cause:
        batch.cause = cause or finding_id(table.subject, CHECK, sequence, name)
        batch.since = since
    return (anomaly,)


def too_many(table: Table, batch: Batch, card: str, sequence: int) -> Anomalies:
    """Name a card that has left the shoe more often than the batch holds it, for at most `NAMED_A_SHOE` cards."""
    shoe, seen = table.shoe, table.shoe.out[card]
    named = len([name for name in shoe.reported if name != COUNT])
    follows = bool(shoe.reported) or batch.off > sum(batch.over.values())
    limit = nominal(batch, card) + batch.over.get(card, 0)
    shoe.reported.append(card)
    if not in_doubt(table):
        batch.over[card] = seen - nominal(batch, card)
    if named >= NAMED_A_SHOE:
        return ()
    for donor in _others(table, batch):
        if card in donor.gone and card not in donor.paired:
            return _moved(table, donor, batch, card, sequence)
    return amiss(
        table,
        batch,
        sequence,
        f"Card {card} has left the shoe {_times(seen)} by now; batch {shoe.batch} holds it {_times(limit)}.",
        expected={"card": card, "at_most": limit},
        observed={"card": card, "seen": seen},
        name=card,
        since=batch.last_whole,
        cause=batch.cause if follows else "",
    )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _others(table: Table, batch: Batch) -> list[Batch]:
    return [other for other in table.batches.values() if other is not batch]


def _mirrored_in_another(table: Table, batch: Batch, differs: int) -> str:
    """The finding that another batch has just the cards too many that this one lacks, or the reverse; else empty."""
    for other in _others(table, batch):
        more = other.off or sum(other.over.values()) or -other.short
        if other.cause and more == -differs:
            return other.cause
    return ""


def _moved(table: Table, donor: Batch, taker: Batch, card: str, sequence: int) -> Anomalies:
    """Name a card that went from one batch to the other."""
    for one in (donor, taker):
        one.paired.append(card)
    since = min(donor.last_whole, taker.last_whole)
    return amiss(
        table,
        taker,
        sequence,
        f"Card {card} has moved from batch {donor.name} to batch {taker.name}: {taker.name} holds one too many, "
        f"{donor.name} is short of one. Both were last whole before round {since}.",
        expected={"card": card, donor.name: nominal(donor, card), taker.name: nominal(taker, card)},
        observed={"card": card, "from": donor.name, "to": taker.name, "candidates": donor.gone},
        name=f"moved:{card}",
        since=since,
        beside=donor,
        cause=donor.cause or taker.cause,
    )


def loaded(table: Table, batch: Batch, data: e.ShoeLoaded, sequence: int) -> Anomalies:
    """Compare a load with the cards the batch has to load; a deviation that is known already is not reported again."""
    shoe = table.shoe
    bare = batch.cards - shoe.beside
    should = bare + batch.off
    if data.cards == should:
        return ()
    if data.cards == bare:
        shoe.slack = batch.off  # made whole again, or nobody counted
        return ()
    shoe.slack = should - data.cards
    batch.off = data.cards - bare
    if table.stacks.known == (data.batch, data.cards):
        return ()  # the last stub count showed it; whether such a deck may stay is for a check of the law
    shoe.reported.append(COUNT)
    return amiss(
        table,
        batch,
        sequence,
        f"Shoe {data.shoe} was loaded with {amount(data.cards, 'card')}; batch {data.batch} has {should} to load.",
        expected={"cards": should},
        observed={"cards": data.cards},
        name="load",
        since=batch.last_counted,
        cause=_mirrored_in_another(table, batch, data.cards - should),
    )


def overdrawn(table: Table, sequence: int) -> Anomalies:
    """Name a shoe that gave up more cards than were loaded, once a shoe.

    Not in the stack games: a stub that is too big is an irregularity, and 670a.10(e) and 657a.8(h) say what follows.
    """
    if table.config is not None and table.config.ruleset in STACK_GAMES:
        return ()
    shoe = table.shoe
    batch = table.batches.get(shoe.batch)
    if shoe.emptied:
        return ()  # cards of a stack that nobody loaded: a check of the law says so
    if batch is None or not shoe.loaded or COUNT in shoe.reported or shoe.remaining >= -max(shoe.slack, 0):
        return ()
    cause = batch.cause if shoe.reported else ""
    shoe.reported.append(COUNT)
    return amiss(
        table,
        batch,
        sequence,
        f"Shoe {shoe.number} was loaded with {amount(shoe.loaded, 'card')} and has given up more.",
        expected={"loaded": shoe.loaded},
        observed={"drawn": shoe.loaded - shoe.remaining},
        name="count",
        since=batch.last_counted,
        cause=cause,
    )


def laid_open(table: Table, count: int, sequence: int) -> Anomalies:
    """Compare the opened rest of a shoe, its cards counted already, with the batch: by count, then by card."""
    shoe = table.shoe
    batch = table.batches.get(shoe.batch)
    if batch is None or not shoe.loaded or in_doubt(table):
        return ()
    differs = count - shoe.remaining
    doubtful = -shoe.doubtful <= differs < 0
    lacking, extra = _against(batch, shoe)
    if not doubtful:
        batch.off = shoe.loaded + shoe.beside + differs - batch.cards - shoe.lost
    short = max(0, sum(lacking.values()) - shoe.out_unknown - shoe.doubtful)
    again = [card for card in batch.gone if card in lacking]
    if not extra and not short and not batch.off and not again:
        _whole(batch, shoe, list(lacking), table.last_round + 1)
        return ()
    before = batch.short
    if extra or not shoe.out_unknown:
        batch.over = extra
    batch.short = max(short, before) if again else short
    batch.gone = (again or list(lacking)) if batch.short else []
    known = (
        differs in (0, shoe.slack)
        or doubtful
        or COUNT in shoe.reported
        or (bool(shoe.reported) and sum(extra.values()) >= differs > 0)
    )
    if known and short <= before:
        return ()
    return _rest_differs(table, batch, count, sequence, known=known, short=short)


def _against(batch: Batch, shoe: Shoe) -> tuple[dict[str, int], dict[str, int]]:
    """The cards seen less often than the batch should hold them, and those seen more often."""
    lacking: dict[str, int] = {}
    extra: dict[str, int] = {}
    for card in (*CARDS_OF_A_DECK, JOKER):
        more = shoe.out.get(card, 0) - nominal(batch, card)
        if more < 0:
            lacking[card] = -more
        elif more:
            extra[card] = more
    return lacking, extra


def _rest_differs(
    table: Table, batch: Batch, count: int, sequence: int, *, known: bool, short: int
) -> Anomalies:
    shoe, gone = table.shoe, batch.gone
    for taker in _others(table, batch):
        card = next((over for over in taker.over if over in gone and over not in taker.paired), None)
        if card is not None:
            return _moved(table, batch, taker, card, sequence)
    which = f"; gone {verb(short, 'is')} {short} of {', '.join(gone)}" if short else ""
    if known:
        message = f"Shoe {shoe.number} is short of {amount(short, 'card')} of batch {batch.name}"
    else:
        left = f"{amount(count, 'card')} {verb(count, 'was')} left"
        message = f"{left} in shoe {shoe.number}; by count there should be {shoe.remaining}"
    cause = batch.cause
    if not (known or shoe.reported):
        cause = _mirrored_in_another(table, batch, count - shoe.remaining)
    return amiss(
        table,
        batch,
        sequence,
        message + which + ".",
        expected={"left": shoe.remaining, "short": 0},
        observed={"left": count, "short": short, "missing": gone, "unknown": shoe.out_unknown},
        name="missing" if known else "rest",
        since=_since(batch, by_count=not known and short <= abs(count - shoe.remaining)),
        cause=cause,
    )


def _since(batch: Batch, *, by_count: bool) -> int:
    """The first round that may have been dealt from the batch as it is now."""
    if batch.cause:
        return batch.since
    return batch.last_counted if by_count else batch.last_whole


def _whole(batch: Batch, shoe: Shoe, unseen: list[str], following: int) -> None:
    """Note a shoe without deviation; a card that it never showed may be missing until a later shoe shows it.

    `following` is the first round that may be dealt from a batch that is whole no more.
    """
    both = [card for card in unseen if card in batch.unseen]
    if not unseen:
        batch.last_whole = following
    elif batch.unseen and not both:
        batch.last_whole = batch.unseen_from
    batch.unseen, batch.unseen_from = both or unseen, shoe.first_round
    batch.last_counted = following
    batch.over, batch.gone, batch.paired = {}, [], []
    batch.short, batch.cause = 0, ""
    forget(batch)


def counted_stub(table: Table, stub: int) -> None:
    """Take the number of cards of a stack game's deck from its stub count, whatever the checks say of it."""
    round_ = table.round
    batch = table.batches.get(table.shoe.batch)
    if round_ is None or batch is None or table.config is None or table.config.ruleset not in STACK_GAMES:
        return
    dealt = sum(len(hand.cards) for hand in round_.hands.values()) + len(table.shoe.loose)
    batch.off = dealt + stub - batch.cards
    if not batch.off:
        batch.last_counted = table.last_round


def rack_differs(table: Table, sequence: int) -> Anomalies:
    """Name the cards that left the shoe and do not lie in the rack when the layout is empty."""
    shoe, round_ = table.shoe, table.round
    batch = table.batches.get(shoe.batch)
    should = shoe.loaded + shoe.beside - shoe.remaining
    if batch is None or not shoe.loaded or shoe.in_rack == should:
        return ()
    lies, shoe.in_rack = shoe.in_rack, should
    stacks = table.config is not None and table.config.ruleset in STACK_GAMES
    if in_doubt(table) or shoe.doubtful or stacks:
        return ()
    shoe.lost += should - lies
    missing: Counter[str] = Counter()
    for hand in round_.hands.values() if round_ is not None else ():
        if hand.racked is not None:
            missing.update(Counter(hand.cards) - Counter(hand.racked_cards))
    missing.pop(UNKNOWN, None)
    found = amiss(
        table,
        batch,
        sequence,
        f"{amount(lies, 'card')} {verb(lies, 'lies')} in the discard rack; "
        f"{should} {verb(should, 'has')} left shoe {shoe.number}"
        + (f" ({', '.join(missing)} did not reach the rack)." if missing and lies < should else "."),
        expected={"in_rack": should},
        observed={"in_rack": lies, "missing": dict(missing)},
        name=RACK,
        since=table.last_round,
    )
    cause = round_.first_breach if round_ is not None else ""
    if not cause:
        return found
    # The batch is known to be wrong by this finding all the same: the breach may turn out to be none.
    return tuple(replace(one, verdict="indeterminate", because_of=cause) for one in found)


def removed(table: Table, data: e.DecksRemoved, sequence: int) -> Anomalies:
    """Compare a batch that leaves the table with the number of cards it is known to have."""
    batch = table.batches.get(data.batch)
    if batch is None or data.cards in (batch.cards, batch.cards + batch.off):
        return ()
    should = batch.cards + batch.off
    return amiss(
        table,
        batch,
        sequence,
        f"Batch {data.batch} left the table with {amount(data.cards, 'card')}; it has {should}.",
        expected={"cards": should},
        observed={"cards": data.cards},
        name="removed",
        since=batch.last_counted,
    )
