"""Which alerts and findings are there for a user: by the role, and by what is withheld from the user."""

from __future__ import annotations

from dashboards.accounts.roles import Role
from dashboards.desk.alerts import Alert
from schemas.findings import Finding

DenyList = frozenset[tuple[str, str]]


def visible(alert: Alert, role: Role, withheld: DenyList) -> bool:
    """Whether this alert is there at all for someone of this role from whom this is withheld."""
    finding = alert.finding
    if not role.reads_alerts or not knows(role, withheld, finding):
        return False
    if not withheld:
        return True  # nearly always, of thousands of alerts
    earlier = {("alert", one) for one in alert.again.alerts} if alert.again is not None else set()
    return withheld.isdisjoint({("table", finding.subject), ("dealer", alert.dealer or ""), *earlier})


def knows(role: Role, withheld: DenyList, finding: Finding) -> bool:
    """Whether a finding is there for someone of this role from whom this is withheld; nor is it where it names such."""
    if not withheld:
        return may_know(role, withheld, finding.finding_id, finding.verdict, finding.money_cents)
    about = finding.about if isinstance(finding.about, dict) else {}
    named = {("dealer", str(about.get("dealer", ""))), ("patron", str(about.get("player", "")))}
    return withheld.isdisjoint(named) and may_know(
        role, withheld, finding.finding_id, finding.verdict, finding.money_cents
    )


def may_know(role: Role, withheld: DenyList, finding_id: str, verdict: str, money_cents: int) -> bool:
    """As `knows`, by what of the finding decides it."""
    if verdict not in role.verdicts or (role.only_with_money and not money_cents):
        return False
    return ("alert", finding_id) not in withheld
