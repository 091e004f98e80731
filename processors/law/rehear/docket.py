"""The docket: the one place where it is decided what becomes of findings that wait.

A breach that a word may explain waits for that word (`waiting`), by unread faces for the rack (`faces`). What rests on
a missing word alone waits for its device (`awaiting`). Breaches after a pause (`pauses`), and of money that may be put
right (`put_right`), are told when their round is over. A finding goes through these one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable

from processors.core.folding.lingering import is_unfinished, stays_open
from processors.core.folding.unracked import shown_beyond
from processors.core.state import Logged, Round, Table
from processors.law.finding.awaiting import pointing, told
from processors.law.finding.finding import anomaly_findings
from processors.law.finding.pauses import breached_after, doubted
from processors.law.judge.judge import Judge
from processors.law.rehear.put_right import put_right
from processors.law.rehear.rehearing import Rehearing
from processors.law.rehear.waiting import decided, excuse
from schemas.events import RoundEnded
from schemas.events.envelope import Envelope
from schemas.findings import Finding


def ending(table: Table, judge: Judge, event: Envelope) -> tuple[tuple[Finding, ...], Rehearing | None]:
    """What is told of the cards of a round that rack or showdown alone have, as the round is about to end.

    The cards are laid before the end is folded, so that the count of the shoe has them; the rehearing has laid them.
    A round that stays open for a late word is asked when it is closed: till then its cards are doubtful.
    """
    round_ = table.round
    if round_ is None or not round_.docket or not shown_beyond(round_):
        return (), None
    if is_unfinished(table, round_):
        unseen = Rehearing(table, round_, judge).unseen
        round_.doubtful = len(unseen.names) if unseen is not None else 0
        table.shoe.doubtful += round_.doubtful
        return (), None
    rehearing = Rehearing(table, round_, judge, Logged(event.sequence, event.source, event.data, event.time))
    return anomaly_findings(table, rehearing.lay(table), event.sequence, round_), rehearing


def after(
    table: Table,
    round_: Round | None,
    judge: Judge,
    event: Envelope,
    findings: tuple[Finding, ...],
    rehearing: Rehearing | None = None,
) -> tuple[tuple[Finding, ...], bool]:
    """What is told after an event in a round, these findings among it; and whether that round is over and decided.

    The `rehearing` is that of a round which was about to end.
    """
    over = type(event.data) is RoundEnded and round_ is not None
    if round_ is not None and (round_.docket or round_.faces):
        if over and round_.docket and stays_open(table, round_):
            over = False
        else:
            findings += decided(table, round_, judge, over=over, rehearing=rehearing)
    if table.docket:
        # What waited goes first: a finding of this event may be its consequence.
        findings = told(table, type(event.data), round_, event.time) + findings
    findings = _while_open(table, findings)
    if round_ is not None and (round_.mispaid or round_.pauses):
        return told_now(table, round_, judge, findings, over=over), over
    return _pointing(table, round_, findings), over


def closed(
    table: Table, round_: Round, judge: Judge, findings: tuple[Finding, ...], *, left: bool = False
) -> tuple[Finding, ...]:
    """What is told as a round is over, these findings among it; it is `left` where its end and a start are missing."""
    if round_.doubtful and round_.shoe == table.shoe.number:
        table.shoe.doubtful = max(0, table.shoe.doubtful - round_.doubtful)
    round_.doubtful = 0
    findings += decided(table, round_, judge, over=True)
    return told_now(table, round_, judge, findings, over=True, left=left)


def _pointing(table: Table, round_: Round | None, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, which point to told ones alone."""
    if round_ is None:
        return tuple(findings)
    return tuple(pointing(table, round_, one) for one in findings)


def _while_open(table: Table, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings but those that the round before keeps until it is closed."""
    lingering = table.lingering
    if lingering is None or not lingering.open:
        return findings
    return tuple(_but_kept(lingering.round, findings))


def _but_kept(round_: Round, findings: tuple[Finding, ...]) -> list[Finding]:
    """The findings but those that a round keeps to its end."""
    now: list[Finding] = []
    for one in findings:
        keeps = one.finding_id in round_.mispaid or breached_after(round_.pauses, round_, one)
        (round_.kept if keeps else now).append(one)
    return now


def told_now(
    table: Table,
    round_: Round,
    judge: Judge,
    findings: tuple[Finding, ...],
    *,
    over: bool,
    left: bool = False,
) -> tuple[Finding, ...]:
    """The findings but those that a round keeps to its end; once it is over, also those that stand of these.

    Of several movements of one stake the last says where it stands.
    """
    now = _but_kept(round_, findings)
    last = {mark: finding_id for finding_id, (mark, _) in round_.mispaid.items()}
    _take_back(table, round_, [one for one, (mark, _) in round_.mispaid.items() if last[mark] != one])
    if not over:
        return _pointing(table, round_, now)
    rules = judge.rules.on(table, round_.day) if round_.mispaid else None
    if rules is not None:
        _take_back(table, round_, put_right(round_, rules))
    if round_.kept or round_.pauses:
        now = sorted([*doubted(table, round_, round_.kept, left=left), *now], key=lambda one: one.sequence)
    round_.kept, round_.mispaid, round_.pauses = [], {}, []
    return _pointing(table, round_, now)


def _take_back(table: Table, round_: Round, ids: list[str]) -> None:
    """Let findings of payments go that are none any more, wherever they wait, with what the round bears of them."""
    for finding_id in ids:
        del round_.mispaid[finding_id]
        excuse(round_, finding_id)
    round_.docket = [one for one in round_.docket if one.finding.finding_id not in ids]
    table.docket = [one for one in table.docket if one.finding.finding_id not in ids]
    round_.kept = [one for one in round_.kept if one.finding_id not in ids]
