"""Users who may own an alert or confirm its closing: those whose role may do such acts."""

from __future__ import annotations

from dashboards.accounts.roles import ROLES, Role
from dashboards.web.console import Console


def assignees(console: Console) -> tuple[str, ...]:
    """Users who may dispose of alerts, and so be given them, or confirm as second person that one is closed."""
    return tuple(name for name, role in _enabled(console) if "disposed" in role.acts)


def _enabled(console: Console) -> list[tuple[str, Role]]:
    return [
        (name, ROLES[role])
        for name, role, disabled in console.accounts.users()
        if not disabled and role in ROLES
    ]
