"""How users of one console sign in: roles that need a second factor, known proxies, the identity provider."""

from __future__ import annotations

from dataclasses import dataclass

from dashboards.accounts.provider import Provider


@dataclass(frozen=True, slots=True)
class SignInRules:
    """`factor_for`: roles that must have a second factor; who has one is asked for it, whatever the role.

    `proxies` are addresses or networks (`10.0.0.0/8`).
    """

    factor_for: frozenset[str] = frozenset()
    proxies: tuple[str, ...] = ()
    provider: Provider | None = None
