"""The evidence bundle of a hand from its page: for whom, kept as an export, verified as it comes."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console
from deploy.checkpoints.keeping import Keeping
from deploy.evidence import verify
from deploy.evidence.served import LedgerBundles
from deploy.settings import Settings
from tests.checkpoints.houses import KEY, VKEY, House, rechained
from tests.console.apps import browser_of
from tests.console.conftest import Browser
from tests.console.disputing import ROUND, held, kept, with_records
from tests.embedded.ledgers import lines_of

SignedIn = Callable[[str], Browser]
PAGE = f"/hands/FB-12/{ROUND}"


@pytest.fixture
def house(tmp_path: Path) -> House:
    house = House(tmp_path)
    house.write_anew({held().subject: list(lines_of("breach_dealer22_paid"))})
    return house


@pytest.fixture
def console(console: Console, house: House, tmp_path: Path) -> Console:
    key = tmp_path / "signing.key"
    key.write_text(KEY.text)
    settings = Settings(signing_key=str(key), checkpoints=str(house.log))
    bundles = LedgerBundles(settings, house.ledger, Keeping(house.writer(), lambda _error: None))
    return replace(with_records(console), bundles=bundles)


def test_a_bundle_from_the_page_verifies_and_is_kept_by_its_digest(
    signed_in: SignedIn, console: Console, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hale = signed_in("hale")
    assert f'id="bundle" href="{PAGE}/evidence.zip?first=' in hale.get(PAGE).text
    answer = hale.get(f"{PAGE}/evidence.zip")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    digest = hashlib.sha256(answer.content).hexdigest()
    assert answer.headers["x-content-sha256"] == digest
    assert any(digest in line and '"what":"export"' in line for line in kept(console))
    path = tmp_path / "b.zip"
    path.write_bytes(answer.content)
    assert verify.main([str(path), "--key", VKEY]) == 0
    assert f"table FB-12, round {ROUND}" in capsys.readouterr().out
    assert hale.get("/hands/FB-12/4000/evidence.zip").status_code == 404


def test_who_may_not_export_or_see_the_hand_is_offered_no_bundle(
    signed_in: SignedIn, console: Console
) -> None:
    for who in ("rex", "ann", "fay"):
        assert 'id="bundle"' not in signed_in(who).get(PAGE).text
    hale = signed_in("hale")
    console.desk.note(Withheld(user="hale", kind="table", value="FB-12", reason="a case"), "ann")
    assert hale.get(f"{PAGE}/evidence.zip").status_code == 404


def test_why_there_is_no_bundle_is_said(signed_in: SignedIn, console: Console, house: House) -> None:
    hale = signed_in("hale")
    assert hale.get(f"{PAGE}/evidence.zip").status_code == 200
    lines = house.lines()
    lines["FB-12"][0] = lines["FB-12"][0].replace(b'"seats":6', b'"seats":5')
    house.write_anew(lines)
    answer = hale.get(f"{PAGE}/evidence.zip")
    assert answer.status_code == 409
    assert "those there are now are others" in answer.text


def test_a_house_without_checkpoints_has_none(console: Console, accounts: Accounts) -> None:
    bare = replace(console, bundles=None)
    with browser_of(bare) as browser:
        browser.cookies.set(console.cookie, accounts.sign_ins.begin("hale"))
        assert 'id="evidence"' in browser.get(PAGE).text
        assert 'id="bundle"' not in browser.get(PAGE).text
        assert browser.get(f"{PAGE}/evidence.zip").status_code == 404


def printed(pdf: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def test_the_pdf_prints_the_checkpoint_and_its_root(
    signed_in: SignedIn, console: Console, house: House
) -> None:
    hale = signed_in("hale")
    text = printed(hale.get(f"{PAGE}/evidence.pdf").content)
    [size] = house.notes()
    root = (house.log / f"{size}.note").read_text().splitlines()[2]
    assert f"{size} of {KEY.name}, root" in text
    assert root in text.replace(" ", "")
    assert VKEY in text.replace(" ", "")
    assert "catwalk verify LEDGER --checkpoints DIR --key VKEY" in text
    assert "NOT VOUCHED FOR" not in text


@pytest.mark.parametrize("signed", [True, False])
def test_the_pdf_says_on_its_first_page_that_the_ledger_has_others(
    signed_in: SignedIn, console: Console, house: House, signed: bool
) -> None:
    hale = signed_in("hale")
    if not signed:
        assert hale.get(f"{PAGE}/evidence.pdf").status_code == 200
    lines = house.lines()
    lines["FB-12"][690] = lines["FB-12"][690].replace(b"FB-12-", b"FB-21-")
    house.write_anew({"FB-12": rechained(lines["FB-12"])})
    pdf = PdfReader(io.BytesIO(hale.get(f"{PAGE}/evidence.pdf").content))
    first = " ".join(pdf.pages[0].extract_text().split())
    assert "NOT VOUCHED FOR" in first
    told = "the store gave other records than the ledger has, from event 691 on" if signed else "are others"
    assert told in first
