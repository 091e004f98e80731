"""Disputes about a round of a stored stream, opened and acted upon in one line each."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec

from dashboards.desk.disputes import Dispute, DisputeTerms
from dashboards.web.console import Console
from schemas.findings import Finding
from tests.console.conftest import Browser
from tests.hands.stored import Recorded, recorded

ROUND, SEAT, FIRST, SETTLED = 12, 6, 641, 682  # the dealer had 22, and paid seat 6
CLAIM = "The dealer had 22, but <b>they</b> paid the others."


def with_records(console: Console) -> Console:
    """The console over the stored stream, where more than $500.00 is decided by two."""
    return replace(console, records=held().store, dispute_terms=DisputeTerms(two_from_cents=50_000))


@lru_cache(maxsize=1)
def held() -> Recorded:
    return recorded("breach_dealer22_paid")


def found() -> Finding:
    rows = held().store.query(
        "SELECT record FROM findings FINAL WHERE subject = {s:String} AND round = 12", {"s": held().subject}
    )
    return msgspec.json.decode(rows[0][0], type=Finding)


def wish(**changed: Any) -> dict[str, Any]:
    asked = {"requested_by": "fay", "dealer": "D-301", "supervisor": "F-12"}
    given = {"subject": held().subject, "round": ROUND, "seat": SEAT, "claim": CLAIM, "claimed_cents": 10_000}
    return given | {"review": asked} | changed


def open_one(browser: Browser, **changed: Any) -> Dispute:
    answer = browser.post("/api/disputes", json=wish(**changed))
    assert answer.status_code == 201, answer.text
    return msgspec.convert(answer.json()["dispute"], Dispute)


def act(browser: Browser, dispute: str, **done: Any) -> tuple[int, Any]:
    answer = browser.post(f"/api/disputes/{dispute}/acts", json=done)
    return answer.status_code, answer.json()


def kept(console: Console) -> list[str]:
    """What the desk keeps, as text."""
    return [line.decode() for line in console.desk.lines(1, 10_000)]


def fields_of(page: str, action: str) -> dict[str, str]:
    """The fields of a form as a browser without a script would send them."""
    form = page[page.index(f'action="{action}"') :]
    form = form[: form.index("</form>")]
    fields = dict(re.findall(r'<input [^>]*name="(\w+)"[^>]*value="([^"]*)"', form))
    return fields | dict(re.findall(r'<textarea [^>]*name="(\w+)"[^>]*>([^<]*)<', form))
