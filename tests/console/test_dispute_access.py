"""Who reads and prints disputes: by role, by what is withheld, with every look and every print kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console, NoRecords
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.apps import browser_of
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_raise
from tests.console.disputing import ROUND, act, found, held, kept, open_one, wish, with_records

SignedIn = Callable[[str], Browser]


@pytest.fixture
def console(console: Console) -> Console:
    return with_records(console)


def test_the_floor_reads_what_it_asked_for_without_what_the_review_says_of_people(
    signed_in: SignedIn, console: Console
) -> None:
    hale, fay = signed_in("hale"), signed_in("fay")
    theirs = open_one(hale).id
    others = open_one(hale, review={"requested_by": "ito"}).id
    act(hale, theirs, act="noted", version=1, note="watch the dealer's friend")
    assert [one["id"] for one in fay.get("/api/disputes").json()["shown"]] == [theirs]
    page = fay.get(f"/disputes/{theirs}")
    assert page.status_code == 200
    for body in (page.text, fay.get(f"/api/disputes/{theirs}").text):
        assert "friend" not in body
    assert 'name="ruling"' not in page.text
    assert "Type of error" not in page.text
    assert fay.get(f"/disputes/{others}").status_code == 404


@pytest.mark.parametrize("kind", ["table", "dealer", "alert"])
def test_what_is_withheld_is_a_dispute_that_does_not_exist(
    signed_in: SignedIn, console: Console, kind: Any
) -> None:
    finding = found()
    console.desk.raise_alerts([a_raise(finding, "D-301")])
    name = open_one(signed_in("hale"), alert=finding.finding_id).id
    value = {"table": held().subject, "dealer": "D-301", "alert": finding.finding_id}[kind]
    console.desk.note(Withheld(user="ito", kind=kind, value=value), "ann")
    ito = signed_in("ito")
    assert ito.get("/api/disputes").json()["shown"] == []
    for path in (f"/disputes/{name}", f"/api/disputes/{name}", f"/disputes/{name}.pdf"):
        assert ito.get(path).status_code == 404, path
        assert ito.get(path.replace(name, "DIS-0099")).status_code == 404
    assert act(ito, name, act="noted", version=1, note="x")[0] == 404
    if kind != "alert":
        assert ito.get(f"/hands/{held().subject}/{ROUND}/evidence.pdf").status_code == 404
        assert ito.post("/api/disputes", json=wish()).status_code == 422


def test_the_audit_log_shows_an_auditor_no_dispute_that_is_withheld(
    signed_in: SignedIn, console: Console
) -> None:
    open_one(signed_in("hale"))
    otto = signed_in("otto")
    assert "but &lt;b&gt;they" in otto.get("/log").text
    console.desk.note(Withheld(user="otto", kind="table", value=held().subject), "ann")
    assert "but &lt;b&gt;they" not in otto.get("/log").text


def test_a_look_is_kept_before_anything_is_shown_and_without_that_nothing_is(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    name = open_one(hale).id
    hale.get(f"/disputes/{name}")
    assert any(f'"object":"dispute {name}"' in line and '"hale"' in line for line in kept(console))
    log.close()
    for path in (
        "/disputes",
        f"/disputes/{name}",
        f"/disputes/{name}.pdf",
        f"/hands/{held().subject}/{ROUND}/evidence.pdf",
    ):
        answer = hale.get(path)
        assert answer.status_code == 503, path
        assert "D-301" not in answer.text


def test_what_is_printed_is_kept_by_its_digest_and_the_same_version_prints_the_same_bytes(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    hale = signed_in("hale")
    name = open_one(hale).id
    first = hale.get(f"/disputes/{name}.pdf")
    clock.forward(600)
    second = hale.get(f"/disputes/{name}.pdf")
    assert first.content == second.content
    assert first.content.startswith(b"%PDF-1.7")
    digest = hashlib.sha256(first.content).hexdigest()
    dispute = console.desk.dispute(name)
    assert dispute is not None
    assert [entry.act.sha256 for entry in dispute.prints] == [digest, digest]  # type: ignore[union-attr]  # prints alone
    assert (dispute.version, first.headers["x-content-sha256"]) == (1, digest)
    exports = [line for line in kept(console) if '"what":"export"' in line]
    assert len(exports) == 2
    assert all(digest in line for line in exports)
    act(hale, name, act="noted", version=1, note="more")
    assert hale.get(f"/disputes/{name}.pdf").content != first.content


def test_the_evidence_of_a_round_is_an_export_kept_by_its_digest(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    answer = hale.get(f"/hands/{held().subject}/{ROUND}/evidence.pdf")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    digest = hashlib.sha256(answer.content).hexdigest()
    assert any(digest in line and '"what":"export"' in line for line in kept(console))
    assert hale.get(f"/hands/{held().subject}/4000/evidence.pdf").status_code == 404
    assert hale.get(f"/hands/{held().subject}/{ROUND}/evidence.pdf?first=7").status_code == 404


def test_a_dispute_whose_round_the_store_has_lost_is_still_read_and_printed(
    signed_in: SignedIn, console: Console, accounts: Accounts
) -> None:
    name = open_one(signed_in("hale")).id
    bare = replace(console, records=NoRecords())
    with browser_of(bare) as browser:
        browser.cookies.set(console.cookie, accounts.sign_ins.begin("hale"))
        page = browser.get(f"/disputes/{name}")
        assert page.status_code == 200
        assert "The store holds no round 12" in page.text
        assert browser.get(f"/disputes/{name}.pdf").content.startswith(b"%PDF")
