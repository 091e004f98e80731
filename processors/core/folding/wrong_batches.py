"""A batch that is not whole: said when a device counts it (A72), and with every load until it is put right (A73)."""

from __future__ import annotations

from msgspec import UNSET

from processors.core import conservation
from processors.core.exposure import exposure
from processors.core.facts_decks import STACK_GAMES, Batch
from processors.core.folding.preparation import reshuffles_itself
from processors.core.handlers import Anomalies, Handlers
from processors.core.state import Round, Table
from schemas import events as e
from schemas.amounts import amount, verb

MOST_NAMED = 16  # cards of which some are missing: more are listed by the finding about them alone


def _counted(table: Table, sequence: int, data: e.ShuffleCompleted) -> Anomalies:
    """Hold the number of cards that a shuffler counted against the batch, before a card of it is dealt."""
    batch = table.batches.get(data.batch)
    if batch is None or data.counted is UNSET or table.stacks.faulted or reshuffles_itself(table):
        return ()  # after a fault the device has counted a part; a continuous shuffler never holds all
    should = batch.cards + batch.off
    if data.counted in (batch.cards, should):
        return ()
    batch.off = data.counted - batch.cards
    return conservation.amiss(
        table,
        batch,
        sequence,
        f"The shuffler counted {amount(data.counted, 'card')} in batch {data.batch}; it has {should}.",
        expected={"cards": should},
        observed={"counted": data.counted},
        name="counted",
        since=batch.last_counted,
    )


def _loaded(table: Table, sequence: int, data: e.ShoeLoaded) -> Anomalies:
    """Tell that a wrong batch is loaded again, and the rounds dealt from it so far."""
    batch = table.batches.get(data.batch)
    if batch is None or not batch.cause or conservation.COUNT in table.shoe.reported:
        return ()  # nothing is wrong, or the load has a finding of its own
    if table.config is not None and table.config.ruleset in STACK_GAMES:
        return ()  # each round's stub says so
    dealt = exposure(table, (batch,), batch.since)
    return conservation.amiss(
        table,
        batch,
        sequence,
        f"Batch {batch.name} is loaded though {lacks(batch)}; {_rounds(dealt['round_count'])} dealt from it since.",
        expected={"cards": batch.cards},
        observed={"short": batch.short, "missing": batch.gone, "over": batch.over, "off": batch.off},
        name="dealt on",
        since=batch.since,
        cause=batch.cause,
    )


def lacks(batch: Batch) -> str:
    """What is known to be wrong with a batch, as a part of a sentence."""
    said = []
    if batch.over:
        said.append(f"it has too many of {', '.join(sorted(batch.over))}")
    if batch.short and len(batch.gone) <= MOST_NAMED:
        said.append(f"it lacks {batch.short} of {', '.join(batch.gone)}")
    elif batch.short:
        said.append(f"it lacks {amount(batch.short, 'card')}")
    elif batch.off and not batch.over:
        said.append(f"it has {amount(abs(batch.off), 'card')} too {_few(batch.off)}")
    return " and ".join(said) or "it was found not to be whole"


def _rounds(count: int) -> str:
    return f"{amount(count, 'round')} {verb(count, 'was')}" if count else "no round was"


def _few(off: int) -> str:
    return "few" if off < 0 else "many"


def wrong_batch(table: Table, round_: Round) -> str:
    """What is known to be wrong with the batch that the round was dealt from; empty where nothing is."""
    batch = _dealt_from(table, round_)
    return f"batch {batch.name} is not whole: {lacks(batch)}" if batch is not None else ""


def found_wrong(table: Table, round_: Round) -> tuple[str, ...]:
    """The id of the finding that found it wrong."""
    batch = _dealt_from(table, round_)
    return (batch.cause,) if batch is not None else ()


def _dealt_from(table: Table, round_: Round) -> Batch | None:
    batch = table.batches.get(table.shoe.batch)
    same = batch is not None and bool(batch.cause) and round_.shoe == table.shoe.number
    return batch if same and round_.first_card is not None else None


HANDLERS: Handlers = {e.ShuffleCompleted: _counted, e.ShoeLoaded: _loaded}
