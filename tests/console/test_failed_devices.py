"""Devices that failed in a hand: told on its page, found by the search, and linked from Health's counts."""

from __future__ import annotations

import html
import re

import pytest

from tests.console.conftest import Browser
from tests.console.test_table_devices import BACK, DEAD, WELL, SignedIn, store
from tests.embedded.ledgers import subject_of

__all__ = ["store"]


def found(browser: Browser, **asked: str) -> list[tuple[str, int]]:
    answer = browser.get("/api/hands", params=asked)
    assert answer.status_code == 200, answer.text
    return [(one["subject"], one["round"]) for one in answer.json()["hands"]]


def page_of(browser: Browser, name: str, number: int) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", browser.get(f"/hands/{subject_of(name)}/{number}").text))


def test_hands_are_found_by_the_device_that_failed_in_them(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    rack = found(hale, q="device:rack")
    assert {table for table, _ in rack} == {subject_of(BACK)}
    assert set(range(5, 11)) <= {number for _, number in rack}
    assert max(number for _, number in rack) <= 11, "it was in order again in the eleventh"
    layout = found(hale, device="layout")
    assert {table for table, _ in layout} == {subject_of(DEAD)}
    assert min(number for _, number in layout) in (4, 5)
    assert {table for table, _ in found(hale, device="any")} == {subject_of(BACK), subject_of(DEAD)}
    assert found(hale, device="any", table=subject_of(WELL)) == []
    assert found(hale, q=f"{subject_of(BACK)} device:rack round 7") == [(subject_of(BACK), 7)]
    assert found(hale, q=f"{subject_of(BACK)} device:rack round 2") == []


def test_a_device_of_no_such_name_and_one_that_never_failed_are_said(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    wrong = hale.get("/hands?device=toaster")
    assert (wrong.status_code, "there are: any, layout, discard rack" in wrong.text) == (400, True)
    assert (
        "No shoe was found to fail in the time that was looked through."
        in hale.get("/hands?device=shoe").text
    )


@pytest.mark.parametrize(("name", "device"), [(BACK, "discard rack"), (DEAD, "layout")])
def test_health_counts_lead_to_the_hands(signed_in: SignedIn, name: str, device: str) -> None:
    hale = signed_in("hale")
    links = re.findall(r'href="(/hands\?table=[^"]+)"[^>]*>([\d,]+)</a>', hale.get("/status").text)
    own = [(html.unescape(link), int(count)) for link, count in links if subject_of(name) in link]
    assert own
    assert all(f"device={device.replace(' ', '%20')}" in link for link, _ in own)
    for link, count in own:
        numbers = {
            int(one)
            for one in re.findall(
                r'class="number c-round"[^>]*><a href="/hands/[^"]+">(\d+)<', hale.get(link).text
            )
        }
        assert len(numbers) >= count, (link, "each of these was played while the device failed")


def test_the_page_of_a_hand_says_which_device_failed_and_what_is_known_all_the_same(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    inside, before = page_of(hale, BACK, 7), page_of(hale, BACK, 2)
    assert re.search(r"Discard rack \(hands racked\): failed from event \d+ \(.+\) to event \d+ \(", inside)
    seen = r"Seen of the (\d+) cards of the hands: \1 by the shoe, \1 by the layout, 0 by the discard rack; each by one"
    assert re.search(seen, inside)
    assert "Discard rack failed while this hand was played" in inside
    assert "Devices that failed" not in before
    assert "Devices that failed" not in page_of(hale, WELL, 3)


def test_what_is_left_open_names_the_cameras_and_the_times_that_settle_it(signed_in: SignedIn) -> None:
    told = page_of(signed_in("hale"), DEAD, 6)
    assert re.search(
        r"Layout \(cards laid\): silent since event \d+ \(.+\), and not found in order again\.", told
    )
    assert "Left open: " in told
    assert re.search(
        r"The recording of cameras? .+ from .+ \d\d:\d\d:\d\d to .+ \d\d:\d\d:\d\d would settle it\.", told
    )
