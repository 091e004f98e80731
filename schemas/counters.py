"""What the analyst counts, as a message of its topic and a row of the relation `counters`."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct


class CounterMessage(Struct, frozen=True, kw_only=True):
    """What the rounds of one gaming day, table, ruleset and dealer come to: a row of the relation `counters`.

    Fields and their order are the relation's columns. It says the whole, never a difference: a later one of the
    same key replaces it, and the one that `covers` more is the later.
    """

    property: str
    gaming_day: dt.date
    subject: str
    ruleset: str
    dealer: str
    rounds: int = 0
    rounds_breached: int = 0
    rounds_indeterminate: int = 0
    rounds_void: int = 0
    hands: int = 0
    stakes: int = 0
    handle_cents: int = 0
    paid_cents: int = 0
    collected_cents: int = 0
    net_cents: int = 0
    judged: int = 0
    overpaid: int = 0
    overpaid_cents: int = 0
    underpaid: int = 0
    underpaid_cents: int = 0
    paces: int = 0
    pace_ms: int = 0
    breached: int = 0
    indeterminate: int = 0
    interpretation: int = 0
    suspected: int = 0
    last_sequence: int = 0
    covers: int = 0
