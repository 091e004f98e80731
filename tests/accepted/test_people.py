"""Whoever the record names, whatever the name, has a page, and can be withheld from somebody's view."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from dashboards.wording.addresses import name_of, part_of
from tests.accepted.console import Pages, pages_of
from tests.accepted.home import recorded
from tests.accepted.lines import Table, years_on
from tests.accepted.values import TEXTS
from tests.commands.run import Catwalk, catwalk
from tests.mutations.rechain import load, rechained

__all__ = ["catwalk"]  # a fixture
LONG_AGO = "D-1930"
NAMES = (LONG_AGO, " ", " x ", "a/b", "..", "%2F", "é" * 200)


@pytest.fixture
def pages(tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    """A console of tables with a dealer and a patron of each name, who are the same."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    tables = []
    for number, name in enumerate(NAMES):
        events = years_on(load("breach_overpay")[:150], -96 if name == LONG_AGO else 0)
        for event in events:
            event["subject"] = f"T{number}"
            event["data"] |= {
                field: name for field in ("staff", "player") if isinstance(event["data"].get(field), str)
            }
        tables.append(Table(f"T{number}", [*rechained(events)]))
    home = recorded(tmp_path, tables, catwalk)
    with pages_of(home) as opened:
        yield opened


def test_everybody_has_a_page_and_can_be_withheld(pages: Pages) -> None:
    for name in NAMES:
        for kind, page in (("dealer", f"/dealers/{part_of(name)}"), ("patron", f"/players/{part_of(name)}")):
            wish = {"user": "ito", "kind": kind, "value": name, "reason": "a case"}
            assert pages.open(page).status_code == 200, (kind, name)
            for withheld, status in ((True, 404), (False, 200)):
                done = pages.open("/api/restrictions", "admin", json=wish | {"withheld": withheld})
                assert (done.status_code, pages.open(page).status_code) == (204, status), (
                    kind,
                    name,
                    done.text,
                )


@pytest.mark.parametrize("name", [text[:200] for text in (*TEXTS, "~", "~2F", "a/~/b") if text])
def test_a_name_is_read_from_its_part_of_an_address_however_often_that_is_decoded(name: str) -> None:
    part = part_of(name)
    assert name_of(unquote(part)) == name_of(unquote(unquote(part))) == name
    assert "/" not in unquote(part)
    assert unquote(part) not in (".", "..")
