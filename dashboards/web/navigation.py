"""The sections of the console, the key that opens each, and the roles that see it in the navigation."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from dashboards.accounts.roles import Role


class Section(Struct, frozen=True):
    """One section; `key` after G goes there."""

    key: str
    label: str
    path: str
    may: Callable[[Role], bool]


SECTIONS: tuple[Section, ...] = (
    Section("a", "Alerts", "/", lambda role: role.reads_alerts),
    Section("h", "Hands", "/hands", lambda role: role.reads_hands),
    Section("p", "Patterns", "/patterns", lambda role: "suspected" in role.verdicts),
    Section("w", "Watch list", "/watch", lambda role: role.reads_watches),
    Section("d", "Disputes", "/disputes", lambda role: role.reads_disputes != "none"),
    Section("c", "Cases", "/cases", lambda role: role.reads_cases),
    Section("o", "Shift", "/shift", lambda role: role.reads_shifts),
    Section("t", "Tables", "/tables", lambda role: role.reads_tables),
    Section("r", "Revenue", "/revenue", lambda role: role.reads_revenue),
    Section("l", "Audit log", "/log", lambda role: role.reads_log),
    Section("s", "Health", "/status", lambda role: role.reads_health),
    Section("u", "Users", "/admin", lambda role: role.manages_users),
)


def links_for(role: Role) -> tuple[Section, ...]:
    """Sections of the navigation; a page not listed here is refused by its own handler all the same."""
    return tuple(section for section in SECTIONS if section.may(role))
