"""Signing in, my account and administration as people meet them, in three themes, on a wall and on a phone."""

from collections.abc import Callable
from typing import Any

import pyotp
import pytest
from playwright.sync_api import Page, expect

from dashboards.accounts.one_time import PATH
from dashboards.accounts.provider import Provider, ProviderSettings
from dashboards.accounts.roles import ROLE_NAMES
from dashboards.accounts.sign_in_rules import SignInRules
from tests.browser.site import PASSWORD, Site, free_port
from tests.console.id_provider import CLIENT, SECRET, serving
from tests.sampling import one_in

Check = Callable[[Page], list[str]]
Fits = Callable[[Page], bool]
Shoot = Callable[[Page, str], None]
PageOf = Callable[..., Page]


@pytest.fixture
def settings() -> dict[str, Any]:
    """All roles owe a second factor, and a provider is there that nobody asks."""
    provider = ProviderSettings(
        issuer="https://id.example",
        client="catwalk",
        secret="none",
        redirect="http://127.0.0.1/sign-in/provider/return",
        roles={"cctv": "surveillance"},
        label="Boardwalk Holdings",
    )
    return {"rules": SignInRules(frozenset(ROLE_NAMES), provider=Provider(provider))}


def looks_right(page: Page, name: str, axe: Check, fits: Fits, shoot: Shoot) -> None:
    shoot(page, name)
    assert axe(page) == []
    assert fits(page)


def test_a_first_sign_in_enrols_a_factor_by_keyboard_alone_and_the_next_asks_for_it(
    page_of: PageOf, served: Site, axe: Check, fits: Fits, shoot: Shoot
) -> None:
    page = page_of(None, "/sign-in", size="desk")
    looks_right(page, "sign-in", axe, fits, shoot)
    page.get_by_label("Name").fill("hale")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A second factor for hale")).to_be_visible()
    expect(page.locator(".qr")).not_to_have_js_property("naturalWidth", 0)
    secret = page.locator(".secret").inner_text().replace(" ", "")
    looks_right(page, "enrol", axe, fits, shoot)
    page.get_by_label("Type the six digits").fill(pyotp.TOTP(secret).now())
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    codes = page.locator(".recovery code").all_inner_texts()
    assert len(codes) == 10
    looks_right(page, "recovery", axe, fits, shoot)
    page.get_by_role("link", name="I have them").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.url == f"{served.origin}/"

    other = page_of(None, "/sign-in", size="phone", theme="light")
    other.get_by_label("Name").fill("hale")
    other.get_by_label("Password").fill(PASSWORD)
    other.keyboard.press("Enter")
    expect(other.get_by_role("heading", name="Code")).to_be_visible()
    other.get_by_label("Six digits").fill("000000")
    other.keyboard.press("Enter")
    expect(other.get_by_role("alert").filter(has_text="not the code")).to_be_visible()
    looks_right(other, "code-phone", axe, fits, shoot)
    other.get_by_label("Six digits").fill(codes[0])
    other.keyboard.press("Enter")
    other.wait_for_url(f"{served.origin}/")


def test_a_link_signs_in_by_one_button_and_its_token_leaves_the_address(
    page_of: PageOf, served: Site, axe: Check, fits: Fits, shoot: Shoot
) -> None:
    assert served.console is not None
    served.console.accounts.add("newt", "floor")
    token = served.console.accounts.one_time.make("newt", "password")
    asked: list[str] = []
    page = page_of(None, None, size="desk", theme="contrast")
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{PATH}#{token}")
    looks_right(page, "link", axe, fits, shoot)
    assert page.url == f"{served.origin}{PATH}"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A password for newt")).to_be_visible()
    looks_right(page, "first-password", axe, fits, shoot)
    page.get_by_label("Password, 12").fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A second factor for newt")).to_be_visible()
    assert not any(token in url for url in asked), "browsers send what stands behind # to nobody"


@pytest.mark.parametrize(
    ("size", "theme"), one_in(3, [("wall", "dark"), ("phone", "contrast"), ("desk", "light")], 1)
)
def test_my_account_ends_the_other_sign_ins(
    page_of: PageOf, served: Site, axe: Check, fits: Fits, shoot: Shoot, size: str, theme: str
) -> None:
    other = page_of("hale", "/")
    page = page_of("hale", "/account", size=size, theme=theme)
    looks_right(page, f"account-{size}", axe, fits, shoot)
    page.get_by_role("region", name="Where I am signed in").get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="sign-ins ended")).to_be_visible()
    other.wait_for_url(f"{served.origin}/sign-in")  # a page with a feed leaves by itself
    other.goto("/account")
    assert other.url == f"{served.origin}/sign-in"


@pytest.mark.parametrize(
    ("size", "theme"), one_in(3, [("wall", "dark"), ("phone", "dark"), ("desk", "light")], 2)
)
def test_an_admin_adds_and_disables_a_user(
    page_of: PageOf, served: Site, axe: Check, fits: Fits, shoot: Shoot, size: str, theme: str
) -> None:
    page = page_of("ann", "/admin", size=size, theme=theme)
    adding = page.get_by_role("region", name="Add a user")
    adding.get_by_label("Name").fill("newt")
    adding.get_by_label("Role").select_option("floor")
    adding.get_by_label("Reason").fill("new on the floor")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="newt is a user")).to_be_visible()
    assert f"{PATH}#" in page.locator(".link code").inner_text()
    looks_right(page, f"admin-{size}", axe, fits, shoot)
    page.get_by_role("link", name="Change newt").click()
    changing = page.get_by_role("region", name="Change a user")
    expect(changing.get_by_label("User")).to_have_value("newt")
    changing.get_by_label("What").select_option("disabled")
    changing.get_by_label("Reason").fill("left us")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row", name="newt").get_by_text("disabled")).to_be_visible()


def test_who_comes_back_from_a_provider_of_another_site_is_signed_in(
    page_of: PageOf, served: Site, axe: Check, fits: Fits, shoot: Shoot
) -> None:
    """The cookie of a sign-in is Strict: the way back from another site must not lose it."""
    assert served.console is not None
    with serving(free_port(), "localhost") as there:
        there.redirect = f"{served.origin}/sign-in/provider/return"
        settings = ProviderSettings(
            issuer=there.issuer,
            client=CLIENT,
            secret=SECRET,
            redirect=there.redirect,
            roles={"cctv": "surveillance"},
            methods=frozenset({"mfa"}),
            label="Boardwalk Holdings",
        )
        object.__setattr__(served.console, "rules", SignInRules(provider=Provider(settings)))
        page = page_of(None, "/sign-in", size="desk")
        page.get_by_role("button", name="Sign in at Boardwalk Holdings").click()
        page.get_by_role("link", name="It is me").click()
        page.wait_for_url(f"{served.origin}/")
        page.goto("/account")
        expect(page.get_by_text(f"{there.issuer} vouches for you")).to_be_visible()
        looks_right(page, "account-provider", axe, fits, shoot)
