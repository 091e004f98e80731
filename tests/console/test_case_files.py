"""Files of cases: typed by content, limited, kept under their hash, and never sent when they are not what was kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dashboards.casebook.media_types import LARGEST, NotAttachable, media_type_of, plain_name
from dashboards.desk.casework import act_on_case, case, open_case
from dashboards.desk.decisions import Refused
from dashboards.ledger.acts import Withheld
from dashboards.ledger.case_acts import CaseAttached, Member
from dashboards.web.console import Console
from deploy.console.case_files import FolderFiles, case_files
from deploy.errors import UserError
from deploy.settings import Settings
from tests.console.conftest import Browser
from tests.console.desk_building import a_finding, a_raise
from tests.console.disputing import kept

SignedIn = Callable[[str], Browser]
PDF = b"%PDF-1.7\nstatement of the floor supervisor\n"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
NAME = "CASE-0001"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "attachments"


@pytest.fixture
def console(console: Console, folder: Path) -> Console:
    console = replace(console, files=FolderFiles(folder))
    open_case(console.desk, "Payouts", "", [], "hale", "hale")
    return console


def attach(
    browser: Browser, name: str = "statement.pdf", content: bytes = PDF, version: int = 1
) -> tuple[int, Any]:
    given = {"data": {"version": str(version)}, "files": {"file": (name, content)}}
    answer = browser.post(f"/api/cases/{NAME}/attachments", **given)  # type: ignore[arg-type]
    return answer.status_code, answer.json()


def test_files_are_attached_kept_under_their_hash_and_sent(
    signed_in: SignedIn, console: Console, folder: Path
) -> None:
    """By the form of the page: kept under its hash outside of the ledger, chained, listed and sent as it came."""
    hale = signed_in("hale")
    form = {"csrf": hale.headers["x-csrf-token"], "version": "1"}
    page = hale.post(
        f"/cases/{NAME}/attachments", data=form, files={"file": ("C:\\pit\\note of <b>.pdf", PDF)}
    )
    assert page.status_code == 200, page.text
    digest = hashlib.sha256(PDF).hexdigest()
    assert digest in page.text
    assert "note of _b_.pdf" in page.text
    assert (folder / digest).read_bytes() == PDF
    assert (folder / digest).stat().st_mode & 0o077 == 0
    assert any(digest in line and '"act":"case_attached"' in line for line in kept(console))
    sent = hale.get(f"/cases/{NAME}/attachments/1")
    assert sent.content == PDF
    assert sent.headers["content-type"] == "application/pdf"
    assert sent.headers["content-disposition"].startswith('attachment; filename="note_of__b_.pdf"')
    assert sent.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in sent.headers["content-security-policy"]
    assert sent.headers["x-content-sha256"] == digest
    assert any(digest in line and '"what":"export"' in line for line in kept(console))


def test_a_file_of_text_is_sent_with_its_charset_once(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    assert attach(hale, "note.txt", "150 €".encode())[0] == 201
    sent = hale.get(f"/cases/{NAME}/attachments/1")
    assert (sent.text, sent.headers["content-type"]) == ("150 €", "text/plain; charset=utf-8")


@pytest.mark.parametrize(
    ("harm", "status", "said"),
    [
        (lambda path: path.unlink(), 404, "The file is missing"),
        (lambda path: path.write_bytes(PDF[:-1] + b"!"), 409, "The file is not the one that was attached"),
        (lambda path: path.write_bytes(PDF + b"more"), 409, "The file is not the one that was attached"),
        (lambda path: (path.unlink(), path.mkdir()), 503, "The file cannot be read now"),
    ],
    ids=["missing", "altered", "longer", "unreadable"],
)
def test_a_file_that_is_not_as_it_was_kept_is_told_on_the_page_and_not_sent(
    signed_in: SignedIn, console: Console, folder: Path, harm: Callable[[Path], Any], status: int, said: str
) -> None:
    hale = signed_in("hale")
    assert attach(hale)[0] == 201
    assert said not in hale.get(f"/cases/{NAME}").text
    harm(folder / hashlib.sha256(PDF).hexdigest())
    page = hale.get(f"/cases/{NAME}").text
    assert said in page
    assert f'href="/cases/{NAME}/attachments/1"' not in page
    answer = hale.get(f"/cases/{NAME}/attachments/1")
    assert (answer.status_code, said in answer.text) == (status, True)
    assert b"supervisor" not in answer.content
    assert hale.get(f"/api/cases/{NAME}/attachments").json()[0]["state"] != "kept"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("page.html", b"<script>alert(1)</script>", "no file of the ending .html"),
        ("drawing.svg", b"<svg/>", "no file of the ending .svg"),
        ("run", b"#!/bin/sh", "no file of the ending ."),
        ("photo.png", PDF, "its name says image/png, its content is application/pdf"),
        ("note.txt", b"a\x00b", "its name says text/plain; charset=utf-8, its content is of no type"),
        ("note.txt", b"\xff\xfe", "its content is of no type"),
        ("empty.pdf", b"", "the file is empty"),
    ],
)
def test_a_file_is_what_its_content_says_and_not_its_name(
    signed_in: SignedIn, console: Console, folder: Path, name: str, content: bytes, why: str
) -> None:
    status, told = attach(signed_in("hale"), name, content)
    assert (status, why in told["detail"]) == (422, True), told
    assert not folder.exists()
    assert case(console.desk, NAME).attachments == ()  # type: ignore[union-attr]  # it is there


def test_files_are_limited_in_size_and_number(signed_in: SignedIn, console: Console) -> None:
    hale = signed_in("hale")
    assert attach(hale, "large.txt", b"a" * (LARGEST + 1))[0] == 422
    assert attach(hale, "huge.txt", b"a" * (LARGEST + (1 << 20)))[0] == 413

    def record(version: int, size: int) -> None:
        sizes = {"sha256": f"{version:064x}", "size": size}
        act = CaseAttached(case=NAME, version=version, name="a.txt", media_type="text/plain", **sizes)  # type: ignore[arg-type]  # a digest and a number
        act_on_case(console.desk, act, "hale")

    for version in range(1, 7):
        record(version, LARGEST)
    with pytest.raises(Refused, match="more than 67,108,864"):
        record(7, LARGEST)
    for version in range(7, 21):
        record(version, 1)
    assert attach(hale, "last.txt", b"x", 21)[1]["detail"] == "it has 20 files: no more may be attached"


def test_who_was_slower_is_told_and_a_closed_case_takes_no_file(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    assert attach(hale)[0] == 201
    assert attach(ito)[0] == 409
    closing = {"act": "closed", "version": 2, "outcome": "referred", "reason": "to the Board"}
    assert hale.post(f"/api/cases/{NAME}/acts", json=closing).status_code == 200
    assert attach(ito, version=3)[1]["detail"] == "it is closed; open it again first"


def test_auditors_read_files_and_nobody_from_whom_the_case_is_withheld_does(
    signed_in: SignedIn, console: Console
) -> None:
    hale, otto = signed_in("hale"), signed_in("otto")
    finding = a_finding()
    console.desk.raise_alerts([a_raise(finding)])
    member = Member(kind="alert", value=finding.finding_id)
    attach(hale)
    add = {"act": "member_added", "version": 2, "kind": member.kind, "value": member.value}
    assert hale.post(f"/api/cases/{NAME}/acts", json=add).status_code == 200
    assert otto.get(f"/cases/{NAME}/attachments/1").content == PDF
    assert otto.get(f"/cases/{NAME}/attachments/2").status_code == 404
    console.desk.note(Withheld(user="otto", kind="table", value=finding.subject), "ann")
    assert otto.get(f"/cases/{NAME}/attachments/1").status_code == 404


def test_a_disk_that_cannot_be_written_attaches_nothing_and_says_so(
    signed_in: SignedIn, console: Console, folder: Path
) -> None:
    folder.write_text("not a folder")
    status, told = attach(signed_in("hale"))
    assert (status, "could not be kept" in told["detail"]) == (503, True)
    assert case(console.desk, NAME).attachments == ()  # type: ignore[union-attr]  # it is there


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\x\\y.PDF", "y.PDF"),
        ('a"b;c\n.png', "a_b_c_.png"),
        ("..", "file"),
        ("x" * 300 + ".png", "x" * 116 + ".png"),
    ],
)
def test_a_name_keeps_no_folders_and_nothing_that_a_header_would_read(given: str, plain: str) -> None:
    assert plain_name(given) == plain


@pytest.mark.parametrize(
    ("name", "content", "media_type"),
    [
        ("a.PNG", PNG, "image/png"),
        ("a.jpeg", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("a.mp4", b"\x00\x00\x00\x18ftypisom", "video/mp4"),
        ("a.webp", b"RIFF\x00\x00\x00\x00WEBP", "image/webp"),
        ("a.wav", b"RIFF\x00\x00\x00\x00WAVE", "audio/wav"),
        ("a.csv", "table;paid\nBJ-12;150 €\n".encode(), "text/plain; charset=utf-8"),
    ],
)
def test_what_may_be_attached(name: str, content: bytes, media_type: str) -> None:
    assert media_type_of(name, content) == media_type
    with pytest.raises(NotAttachable):
        media_type_of(name + ".exe", content)


def test_a_folder_that_cannot_be_made_ends_the_console_at_its_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    settings = Settings(case_files=str(tmp_path / "file" / "cases"))
    with pytest.raises(
        UserError, match=r"^setting case_files .*cases: .+; name a folder that the console may"
    ):
        case_files(settings)
    case_files(Settings(case_files=str(tmp_path / "new" / "cases")))
    assert (tmp_path / "new" / "cases").is_dir()
