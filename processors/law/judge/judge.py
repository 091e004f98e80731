"""Holds an event against the duties that read it, and a breach against the rival readings that would not see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

import msgspec

from processors.core.devices.words import SPEAKS
from processors.core.state import Table
from processors.games.blackjack.rules import RulesInForce
from processors.games.readings import otherwise, resolve
from processors.law import duties as _registered  # noqa: F401 - importing registers every check
from processors.law.check import Check, Said
from processors.law.citations import cite
from processors.law.finding.evidence import not_judged
from processors.law.finding.finding import HeldJudgment, hold
from processors.law.judge.dispatch import Dispatch, dispatch_table
from processors.law.judgments import UPHELD, Breach, Indeterminate, Judgment, Upheld
from processors.law.moment import Moment
from schemas.events.envelope import Envelope
from schemas.payload import Payload

_JUDGMENTS = frozenset(get_args(Judgment))


class Judge:
    """The duties in force at one table, with its rules and readings."""

    __slots__ = ("_between", "_chosen", "_moment", "_policies", "_rivals", "_within", "rules")

    def __init__(self, readings: Mapping[str, str] | None = None) -> None:
        """`readings` chooses policies over the table's own."""
        self.rules = RulesInForce(readings)
        self._chosen = dict(readings or {})
        self._policies = resolve({}, self._chosen)
        self._rivals: dict[tuple[str, str], RulesInForce] = {}
        self._within: dict[type[Payload], Dispatch] = {}
        self._between: dict[type[Payload], Dispatch] = {}
        self._moment: Moment | None = None

    def adopt(self, table: Table) -> None:
        """Take the duties and readings of the table's configuration, and forget what hung on another gaming day."""
        config = table.config
        if config is None:
            return
        self._within = dispatch_table(config.ruleset)
        self._between = dispatch_table(config.ruleset, in_round=False)
        self._policies = resolve(config.readings or {}, self._chosen)
        self._rivals.clear()
        self._moment = None

    def forget(self) -> None:
        """Forget what was worked out of the round: it was changed by more than its events."""
        self._moment = None

    def judge(self, table: Table, event: Envelope) -> list[HeldJudgment]:
        """What the duties hold against the table at an event that is not folded in yet; every upheld one is silent."""
        data = event.data
        kind = type(data)
        round_ = table.round
        dispatch = (self._between if round_ is None else self._within).get(kind)
        if dispatch is None or not (checks := dispatch.asked(table, data)):
            return []
        moment, sequence = self._moment, event.sequence
        if moment is None or moment.round is not round_ or moment.table is not table:
            rules = self.rules.on(table, round_.day) if round_ is not None else None
            moment = self._moment = Moment(table, event, rules, self._policies)
        else:
            moment.go_on(event)
        blind = table.blind
        quiet = bool(table.silent or blind.shoe or blind.day) or (round_ is not None and bool(round_.unheard))
        found: list[HeldJudgment] = []
        for entry in checks:
            if quiet and not_judged(table, entry):
                continue
            try:
                said = entry.function(moment, data)
                if said is None or said is UPHELD:
                    continue
                for judgment in each(said):
                    if not isinstance(judgment, Upheld):
                        if entry.readings and isinstance(judgment, Breach):
                            judgment = self._read_otherwise(entry, moment, event, judgment)
                        found.append(hold(table, entry, judgment, sequence, SPEAKS.get(kind)))
            except Exception as error:
                # A defect of one check must not end the audit of a table, nor pass for compliance.
                found.append(hold(table, entry, _failed(entry, table, error), sequence))
        return found

    def _read_otherwise(self, entry: Check, moment: Moment, event: Envelope, breach: Breach) -> Breach:
        """The breach, with the place named whose rival reading would not see it (A51)."""
        for reading, policy in otherwise(self._policies, entry.readings):
            policies = {**self._policies, reading.id: policy}
            if (reading.id, policy) not in self._rivals:
                self._rivals[reading.id, policy] = RulesInForce(policies)
            rules = (
                self._rivals[reading.id, policy].standing(moment.table) if moment.round is not None else None
            )
            rival = Moment(moment.table, event, rules, policies)
            if not any(_same(judgment, breach) for judgment in each(entry.function(rival, event.data))):
                return msgspec.structs.replace(breach, reading=reading.id, verdict=reading.departing)
        return breach


def each(said: Said) -> Iterable[Judgment]:
    """The judgments of a check that said one, several or none."""
    if said is None:
        return ()
    return (said,) if type(said) in _JUDGMENTS else said  # type: ignore[return-value]  # no type narrows by a set


def _same(judgment: Judgment, breach: Breach) -> bool:
    """Whether a judgment finds fault with the same thing."""
    if isinstance(judgment, Upheld):
        return False
    return (judgment.discriminator, judgment.seat, judgment.hand) == (
        breach.discriminator,
        breach.seat,
        breach.hand,
    )


def _failed(entry: Check, table: Table, error: Exception) -> Indeterminate:
    """The judgment of a check that broke down: the duty is not decided, and why."""
    ruleset = table.config.ruleset if table.config is not None else ""
    return Indeterminate(
        roles=tuple(role for role in entry.decides if cite(ruleset, (role,)))[:1],
        message=f"Check {entry.id} could not judge this event: a defect of the check, not of the table.",
        missing=(f"a working check ({type(error).__name__}: {error})"[:200],),
        discriminator="failed",
    )
