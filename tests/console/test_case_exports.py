"""A case leaves the console as one PDF, and with its files as one archive; that it left is on record."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dashboards.casebook.case import Case
from dashboards.desk.casework import case, open_case
from dashboards.ledger.acts import Withheld
from dashboards.ledger.case_acts import Member
from dashboards.web.console import Console
from deploy.console.case_files import FolderFiles
from tests.console.conftest import Browser
from tests.console.desk_building import a_finding, a_raise
from tests.console.disputing import kept
from tests.console.test_case_files import PDF, attach

SignedIn = Callable[[str], Browser]
NAME = "CASE-0001"


@pytest.fixture
def console(console: Console, tmp_path: Path) -> Console:
    console = replace(console, files=FolderFiles(tmp_path / "attachments"))
    finding = a_finding()
    console.desk.raise_alerts([a_raise(finding)])
    member = Member(kind="alert", value=finding.finding_id)
    open_case(console.desk, "Payouts ♠ at BJ-12", "Ünusual\nlines", [member], "hale", "hale")
    return console


def now(console: Console) -> Case:
    found = case(console.desk, NAME)
    assert found is not None
    return found


def test_a_case_leaves_as_one_pdf_and_as_one_archive(
    signed_in: SignedIn, console: Console, tmp_path: Path
) -> None:
    """PDF and archive hold it all; a file that is gone is named and left out."""
    hale = signed_in("hale")
    attach(hale, version=2)
    attach(hale, "notes.txt", b"seat 6", 3)
    task = {"act": "task_added", "version": 4, "what": "Ask the pit", "who": "ito", "by": "2026-11-22"}
    assert hale.post(f"/api/cases/{NAME}/acts", json=task).status_code == 200
    page = hale.get(f"/cases/{NAME}").text
    assert f'href="/cases/{NAME}.pdf"' in page
    assert f'href="/cases/{NAME}.zip"' in page
    report = hale.get(f"/cases/{NAME}.pdf")
    assert (report.status_code, report.content[:8]) == (200, b"%PDF-1.7")
    (tmp_path / "attachments" / hashlib.sha256(b"seat 6").hexdigest()).unlink()
    sent = hale.get(f"/cases/{NAME}.zip")
    assert sent.headers["content-disposition"].startswith(f'attachment; filename="{NAME}-5.zip"')
    with zipfile.ZipFile(io.BytesIO(sent.content)) as archive:
        assert archive.namelist() == [f"{NAME}.pdf", "case.json", "files/01-statement.pdf", "SHA256SUMS"]
        assert archive.read("files/01-statement.pdf") == PDF
        sums = archive.read("SHA256SUMS").decode()
        for name in archive.namelist()[:-1]:
            assert f"{hashlib.sha256(archive.read(name)).hexdigest()}  {name}\n" in sums
    assert "# 02-notes.txt: The file is missing" in sums
    assert (now(console).version, [entry.act.form for entry in now(console).prints]) == (5, ["pdf", "zip"])  # type: ignore[union-attr]  # prints alone
    digest = hashlib.sha256(sent.content).hexdigest()
    assert any(digest in line and '"what":"export"' in line for line in kept(console))
    assert digest in hale.get(f"/cases/{NAME}").text


def test_who_may_take_a_case_out(signed_in: SignedIn, console: Console) -> None:
    assert signed_in("otto").get(f"/cases/{NAME}.pdf").status_code == 200
    console.desk.note(Withheld(user="otto", kind="table", value="BJ-12"), "ann")
    assert signed_in("otto").get(f"/cases/{NAME}.zip").status_code == 404
    assert signed_in("hale").get("/cases/CASE-0099.pdf").status_code == 404
    assert len(now(console).prints) == 1
