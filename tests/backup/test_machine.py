"""A house at work is backed up, its machine is lost, and another one goes on: by commands and in the browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.backup.house import lines_of
from tests.commands.run import Catwalk, catwalk
from tests.console.conftest import PASSWORD, port
from tests.console.test_desk_accepted import a_console
from tests.console.test_served import EXAMPLE
from tests.embedded.ledgers import EXAMPLES
from tests.waiting import until

__all__ = ["catwalk", "port"]  # fixtures

RESULTS = ("rounds.ndjson", "findings.ndjson", "deadletters.ndjson", "summary.json")
SUBJECT, ROUND = "FB-12", 12


@contextmanager
def hale_at(folder: Path, port: int) -> Iterator[httpx.Client]:
    """Hale, signed in at a console of this folder."""
    with a_console(folder, port) as (browser, _):
        browser.headers["origin"] = f"http://127.0.0.1:{port}"
        form = {"name": "hale", "password": PASSWORD}
        page = browser.post("/sign-in", data=form, follow_redirects=True)
        assert page.status_code == 200, page.text
        browser.headers["x-csrf-token"] = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        yield browser


def alerts_of(browser: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = browser.get("/api/alerts").raise_for_status().json()["alerts"]
    return sorted(found, key=lambda one: str(one["id"]))


def disputes_of(browser: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = browser.get("/api/disputes").raise_for_status().json()["shown"]
    return found


@pytest.mark.thorough
def test_another_machine_goes_on(
    tmp_path: Path, port: int, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, home, copy = tmp_path / "house", tmp_path / "home", tmp_path / "copy"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_CONSOLE_FACTOR_ROLES", "none")
    monkeypatch.setenv("CATWALK_DATA", str(house))
    assert catwalk("record", EXAMPLE).status == 0
    given = f"{PASSWORD}\n".encode()
    assert catwalk("console", "user", "add", "hale", "--role", "surveillance", stdin=given).status == 0
    with hale_at(house, port) as hale:
        until(lambda: alerts_of(hale) != [])
        alert = alerts_of(hale)[0]
        act = {"act": "acknowledged", "version": alert.get("version", 1)}
        assert hale.post(f"/api/alerts/{alert['id']}/acts", json=act).status_code == 200
        dispute = {
            "subject": SUBJECT,
            "round": ROUND,
            "seat": 6,
            "claim": "not paid",
            "claimed_cents": 10_000,
        }
        opened = hale.post("/api/disputes", json=dispute | {"review": {"requested_by": "fay"}})
        assert opened.status_code == 201, opened.text
        made = catwalk("backup", "--out", copy)  # while it is served
        assert (made.status, made.err) == (0, "")
        # What comes later is not in the copy: it is of one moment.
        assert catwalk("record", EXAMPLES / "lawful_free_bet_590.ndjson").status == 0
        there = alerts_of(hale), disputes_of(hale)
    desk = lines_of(copy / "desk.db")
    assert catwalk("replay", copy / "ledger.db", "--out", tmp_path / "replayed").status == 0
    shutil.rmtree(house)

    monkeypatch.setenv("CATWALK_DATA", str(home))
    restored = catwalk("restore", copy)
    assert (restored.status, restored.err) == (0, "")
    assert "  catwalk rebuild\n" in restored.out
    assert catwalk("rebuild").status == 0
    assert catwalk("export", "--out", tmp_path / "out").status == 0
    for name in RESULTS:
        exported, replayed = ((tmp_path / folder / name).read_bytes() for folder in ("out", "replayed"))
        assert exported == replayed.replace(b'"file":"ledger"', f'"file":"{SUBJECT}"'.encode()), name
    assert lines_of(home / "desk.db") == desk
    assert catwalk("verify", home / "ledger.db", home / "desk.db").status == 0
    with hale_at(home, port) as hale:
        one, again = alerts_of(hale), disputes_of(hale)
        assert [each for each in there[0] if each in one] == one, "as they were, and no other"
        assert again == there[1]
        assert [each["id"] for each in one if each["status"] == "acknowledged"] == [alert["id"]]
    # The records behind the cut come again from whoever has them.
    assert catwalk("record", EXAMPLES / "lawful_free_bet_590.ndjson").status == 0
