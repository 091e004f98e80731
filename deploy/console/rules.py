"""How people sign in to the console, out of the settings."""

from __future__ import annotations

import base64
import binascii

from dashboards.accounts.factors import KEY_BYTES
from dashboards.accounts.provider import Provider, ProviderSettings
from dashboards.accounts.roles import ROLE_NAMES
from dashboards.accounts.sign_in_rules import SignInRules
from dashboards.sign_in.provider_sign_in import RETURN
from dashboards.web.address import networks
from deploy.errors import UserError
from deploy.settings import Settings


def sign_in_rules(settings: Settings, origins: tuple[str, ...]) -> SignInRules:
    """The rules of a console that is reached at these origins; a provider sends people back to the first.

    Raises:
        UserError: a setting will not do.
    """
    proxies = _listed(settings.console_proxies)
    try:
        networks(proxies)
    except ValueError as error:
        raise UserError("setting console_proxies", str(error), "write 10.0.0.5 or 10.0.0.0/8") from error
    return SignInRules(_factor_roles(settings), proxies, _provider(settings, origins))


def factor_key(settings: Settings) -> bytes | None:
    """The key that seals secrets of second factors; None if none is set.

    Raises:
        UserError: what is set is no key.
    """
    if not settings.console_factor_key:
        return None
    try:
        key = base64.b64decode(settings.console_factor_key, validate=True)
    except binascii.Error:
        key = b""
    if len(key) != KEY_BYTES:
        remedy = "make one: head -c 32 /dev/urandom | base64"
        raise UserError("setting console_factor_key", f"not {KEY_BYTES} bytes in base64", remedy)
    return key


def _factor_roles(settings: Settings) -> frozenset[str]:
    named = _listed(settings.console_factor_roles)
    if named == ("all",):
        return frozenset(ROLE_NAMES)
    if named in ((), ("none",)):
        return frozenset()
    _require_roles("console_factor_roles", named)
    return frozenset(named)


def _provider(settings: Settings, origins: tuple[str, ...]) -> Provider | None:
    if not settings.oidc_issuer:
        return None
    for name in ("oidc_client", "oidc_secret", "oidc_roles"):
        if not getattr(settings, name):
            why = "empty, and oidc_issuer is set"
            raise UserError(f"setting {name}", why, "set it, or take the issuer out")
    roles = {}
    for pair in _listed(settings.oidc_roles):
        value, _, role = (part.strip() for part in pair.rpartition("="))
        if not value:
            raise UserError("setting oidc_roles", f"{pair!r} gives no role", "write VALUE=ROLE, VALUE=ROLE")
        roles[value] = role
    _require_roles("oidc_roles", tuple(roles.values()))
    try:
        return Provider(
            ProviderSettings(
                issuer=settings.oidc_issuer,
                client=settings.oidc_client,
                secret=settings.oidc_secret,
                redirect=origins[0] + RETURN,
                roles=roles,
                role_claim=settings.oidc_role_claim,
                name_claim=settings.oidc_name_claim,
                methods=frozenset(_listed(settings.oidc_amr)),
                contexts=frozenset(_listed(settings.oidc_acr)),
                label=settings.oidc_label,
            )
        )
    except ValueError as error:
        raise UserError("setting oidc_issuer", str(error), "name it as it names itself, by https") from error


def _require_roles(setting: str, roles: tuple[str, ...]) -> None:
    for role in roles:
        if role not in ROLE_NAMES:
            remedy = f"the roles are {', '.join(ROLE_NAMES)}"
            raise UserError(f"setting {setting}", f"no role {role!r}", remedy)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
