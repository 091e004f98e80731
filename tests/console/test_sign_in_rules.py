"""How people sign in, as the settings say it."""

import base64
from typing import Any

import pytest

from dashboards.accounts.roles import ROLE_NAMES
from deploy.console.rules import factor_key, sign_in_rules
from deploy.errors import UserError
from deploy.settings import Settings
from tests.console.conftest import ORIGIN

PROVIDER = {
    "oidc_issuer": "https://id.example/realms/floor",
    "oidc_client": "catwalk",
    "oidc_secret": "very hidden",
    "oidc_roles": "cctv = surveillance, it=admin",
}


def rules(**settings: Any) -> Any:
    return sign_in_rules(Settings(**settings), (ORIGIN, "https://other.test"))


@pytest.mark.parametrize(
    ("said", "roles"),
    [
        ("all", set(ROLE_NAMES)),
        ("none", set()),
        ("", set()),
        ("admin, auditor", {"admin", "auditor"}),
    ],
)
def test_roles_that_owe_a_second_factor_are_all_unless_some_are_named(said: str, roles: set[str]) -> None:
    assert rules().factor_for == set(ROLE_NAMES)
    assert rules(console_factor_roles=said).factor_for == roles


def test_a_provider_sends_people_back_to_the_first_origin_and_must_say_that_there_was_a_second_factor() -> (
    None
):
    provider = rules(**PROVIDER).provider.settings
    assert provider.redirect == f"{ORIGIN}/sign-in/provider/return"
    assert provider.roles == {"cctv": "surveillance", "it": "admin"}
    assert provider.methods == {"mfa"}
    assert rules(**PROVIDER, oidc_amr="").provider.settings.methods == frozenset()
    assert rules().provider is None
    assert "very hidden" not in repr(provider)


def test_the_key_of_second_factors_is_32_bytes() -> None:
    key = bytes(range(32))
    assert factor_key(Settings(console_factor_key=base64.b64encode(key).decode())) == key
    assert factor_key(Settings()) is None
    for wrong in ("c2hvcnQ=", "not base64!"):
        with pytest.raises(UserError, match="32 bytes"):
            factor_key(Settings(console_factor_key=wrong))


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"console_factor_roles": "pilot"}, "no role 'pilot'"),
        ({"console_factor_roles": "all, admin"}, "no role 'all'"),
        ({"console_proxies": "the proxy"}, "IPv4 or IPv6"),
        (PROVIDER | {"oidc_secret": ""}, "oidc_secret: empty"),
        (PROVIDER | {"oidc_roles": "surveillance"}, "gives no role"),
        (PROVIDER | {"oidc_roles": "cctv=pilot"}, "no role 'pilot'"),
        (PROVIDER | {"oidc_issuer": "http://id.example"}, "not reached by TLS"),
    ],
)
def test_rules_that_will_not_do_are_refused_with_the_setting(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(UserError, match=why):
        rules(**settings)
