"""What people read when a page is refused, and programs when a request is."""

from collections.abc import Callable

import pytest

from tests.console.conftest import Browser

SignedIn = Callable[[str], Browser]
HTML = {"accept": "text/html,application/xhtml+xml"}


@pytest.mark.parametrize(
    ("name", "path", "status", "said"),
    [
        ("hale", "/log", 403, "That is not for you"),
        ("hale", "/nothing-here", 404, "There is no such page"),
        ("ann", "/log", 403, "the role admin does not read the audit log"),
    ],
)
def test_a_person_reads_a_page_with_the_way_on(
    signed_in: SignedIn, name: str, path: str, status: int, said: str
) -> None:
    answer = signed_in(name).get(path, headers=HTML)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert said.lower() in answer.text.lower()
    assert ('href="/status"' in answer.text) == (status == 403)
    assert 'href="/"' in answer.text


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/hands?table=" + "x" * 65, "table"),
        ("/hands?after=" + "x" * 201, "after"),
        ("/hands/BJ-1/1?at=soon", "at"),
        ("/hands/BJ-1/99999999999", "number"),
        ("/tables/BJ-1?at=soon", "at"),
        ("/find?q=" + "x" * 129, "q"),
    ],
)
def test_what_cannot_be_read_of_an_address_is_named_and_not_repeated(
    signed_in: SignedIn, path: str, name: str
) -> None:
    browser = signed_in("hale")
    answer = browser.get(path, headers=HTML)
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/html")
    assert f"The value of “{name}” cannot be read; expected: " in answer.text
    assert "soon" not in answer.text.partition("<main")[2]
    assert "xxxx" not in answer.text.partition("<main")[2]
    assert "Take it out of the address" in answer.text
    told = browser.get(path, headers={"accept": "application/json"})
    assert told.status_code == 400
    assert f"“{name}”" in told.json()["detail"]


def test_a_program_reads_json(signed_in: SignedIn) -> None:
    answer = signed_in("hale").get("/log", headers={"accept": "application/json"})
    assert (answer.status_code, list(answer.json())) == (403, ["detail"])


def test_who_is_nobody_reads_no_navigation(browse: Callable[[], Browser]) -> None:
    answer = browse().get("/nothing-here", headers=HTML, follow_redirects=True)
    assert "<nav" not in answer.text
