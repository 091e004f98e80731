"""Rounds of a store as if another fold had read them otherwise for a while."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from processors.runtime.store.rows import Owner, Rows, add_rounds
from processors.runtime.store.warehouse import Warehouse
from schemas.rounds import RoundResult, StakeResult
from schemas.warehouse import RELATIONS

Change = Callable[[RoundResult], RoundResult]


@contextmanager
def refolded(store: Warehouse, where: str, change: Change | None = None, **fields: Any) -> Iterator[None]:
    """All rows of some rounds changed; `fields` are of the round, `dealer` is who dealt it."""
    held = store.query(
        f"SELECT record, decided_at, property, dealer, fold_version FROM rounds FINAL WHERE {where}"
    )
    dealer = {"dealer": fields.pop("dealer")} if "dealer" in fields else {}

    def fold_again(after: int, change: Change, dealer: dict[str, str | None]) -> None:
        rows: Rows = {}
        for record, decided_at, owner, dealt, fold in held:
            result = change(msgspec.json.decode(record, type=RoundResult))
            whose = Owner(owner, dealt)._replace(**dealer)
            add_rounds(rows, [result], decided_at, whose, fold + after)
        for name, told in rows.items():
            store.insert(RELATIONS[name], told)

    fold_again(1, change or partial(replace, **fields), dealer)
    try:
        yield
    finally:
        fold_again(2, lambda result: result, {})


def called_off(result: RoundResult) -> RoundResult:
    """The round as void by its last event."""
    return replace(result, status="void", voided=result.last_sequence)


def restaked(which: Callable[[StakeResult], bool], **fields: Any) -> Change:
    """Changes fields of some stakes."""
    return lambda result: replace(
        result, stakes=tuple(replace(one, **fields) if which(one) else one for one in result.stakes)
    )
