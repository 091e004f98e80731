"""The fold of cases: an act upon a case, the words it brings, and by what the case is withheld from then on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dashboards.casebook.case import Case, CaseEntry, after, hand_of, opened
from dashboards.casebook.index import CaseIndex, DenyKey
from dashboards.desk.alerts import Alert
from dashboards.desk.disputes import Dispute
from dashboards.ledger import acts
from dashboards.ledger import case_acts as of_case
from dashboards.wording.short_titles.title import short_title
from dashboards.wording.titles import title_of

# Whom a finding names, and what deny lists call such.
_NAMED = {"dealer": "dealer", "player": "patron"}


def fold_case(
    index: CaseIndex,
    alerts: Mapping[str, Alert],
    disputes: Mapping[str, Dispute],
    record: acts.DeskRecord,
    digest: str,
) -> tuple[str, str] | None:
    """Take the act of a record upon a case; the status before and after, None where it was opened.

    Raises:
        DeskBroken: the act does not fit the case as it stands.
    """
    act = record.data
    if not isinstance(act, of_case.CaseAct):
        return None
    entry = CaseEntry(sequence=record.sequence, hash=digest, at=record.time, actor=record.actor, act=act)
    before = index.cases.get(act.case)
    if isinstance(act, of_case.CaseOpened):
        if before is not None:
            raise acts.DeskBroken(record.sequence, f"opens {act.case} a second time")
        index.put(
            opened(entry, act), record.sequence, f"{act.title} {act.summary} {act.owner} {record.actor}"
        )
        index.keyed(act.case, ())
        return None
    printed = isinstance(act, of_case.CasePrinted)  # a report may be of an older version
    if before is None or act.version > before.version or (act.version < before.version and not printed):
        raise acts.DeskBroken(record.sequence, f"acts upon version {act.version} of {act.case}")
    acted = after(before, entry, act)
    index.put(acted, record.sequence, " ".join(_told(act, alerts, disputes)))
    if acted.members != before.members:
        index.keyed(acted.id, keys_of(acted, alerts, disputes))
    return before.status, acted.status


def rekey_of_dispute(
    index: CaseIndex, dispute: str, alerts: Mapping[str, Alert], disputes: Mapping[str, Dispute]
) -> None:
    """A dispute has changed, perhaps its dealer or its alerts: so may have what withholds its cases."""
    for case in index.of_member("dispute", dispute):
        index.keyed(case.id, keys_of(case, alerts, disputes))


def keys_of(case: Case, alerts: Mapping[str, Alert], disputes: Mapping[str, Dispute]) -> Iterator[DenyKey]:
    """Every alert, table, dealer and patron of a case: from whom one of them is withheld, the case is."""
    for one in case.members:
        match one.kind:
            case "hand":
                yield "table", hand_of(one.value)[0]
                yield from (("dealer", dealer) for dealer in one.dealers)
            case "dispute":
                dispute = disputes.get(one.value)
                if dispute is not None:
                    yield "table", dispute.subject
                    yield "dealer", dispute.review.dealer or ""
                    yield "patron", dispute.patron or ""
                    for alert in dispute.alerts:
                        yield from _keys_of_alert(alert, alerts)
            case "alert":
                yield from _keys_of_alert(one.value, alerts)


def _keys_of_alert(name: str, alerts: Mapping[str, Alert]) -> Iterator[DenyKey]:
    yield "alert", name
    alert = alerts.get(name)
    if alert is not None:
        yield "table", alert.finding.subject
        yield "dealer", alert.dealer or ""
        about = alert.finding.about if isinstance(alert.finding.about, dict) else {}
        yield from ((of, str(about[name])) for name, of in _NAMED.items() if name in about)


def _told(act: of_case.OnCase, alerts: Mapping[str, Alert], disputes: Mapping[str, Dispute]) -> Iterator[str]:
    """What an act says of its case, as it is looked for."""
    match act:
        case of_case.CaseDescribed():
            yield from (act.title, act.summary)
        case of_case.CaseAssigned():
            yield act.to
        case of_case.CaseNoted():
            yield act.note
        case of_case.CaseTaskAdded():
            yield from (act.what, act.who)
        case of_case.CaseAttached():
            yield act.name
        case of_case.CaseWaiting() | of_case.CaseReopened():
            yield act.reason
        case of_case.CaseClosed():
            yield from (act.outcome, act.reason)
        case of_case.CaseMemberAdded():
            yield from _told_of_member(act.member, alerts, disputes)


def _told_of_member(
    member: of_case.Member, alerts: Mapping[str, Alert], disputes: Mapping[str, Dispute]
) -> Iterator[str]:
    yield member.value
    yield from member.dealers
    alert = alerts.get(member.value) if member.kind == "alert" else None
    if alert is not None:
        yield from (short_title(alert.finding), title_of(alert.finding))
        yield from (alert.finding.subject, alert.finding.check, alert.dealer or "")
    dispute = disputes.get(member.value) if member.kind == "dispute" else None
    if dispute is not None:
        yield from (dispute.claim, dispute.subject, dispute.patron or "", dispute.review.dealer or "")
