"""What people do at the desk about extreme lines: cases, evidence bundles, withholding, and what each role opens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from dashboards.wording.addresses import part_of
from deploy.evidence import verify
from schemas.tlog.keys import signer
from tests.accepted.console import FIXED, OF_ALERT, OF_REVENUE, Pages, people_of
from tests.accepted.home import FOUND, Home

KEY = signer("parkside.example/log", bytes(range(32)))
OF_CASE = ("/cases/{}", "/api/cases/{}", "/cases/{}.pdf", "/cases/{}.zip", "/api/cases/{}/attachments")
OF_LOG = ("/log", "/api/log", "/log/verify", "/log/export", "/api/log/proof", "/admin")
WITHHELD_FROM = "ito"  # who opens pages as surveillance
_MEMBERS = 20


class Named(NamedTuple):
    """Something that is withheld, and the page on which it is no more."""

    kind: str
    name: str
    page: str


def every_act_is_done(home: Home, pages: Pages, each: int) -> None:
    """Cases of alerts and hands, pages of every role, and what is withheld."""
    rounds, findings = home.rows("replayed", "rounds"), home.rows("replayed", "findings")
    shown = [one["id"] for one in pages.open("/api/alerts").json()["alerts"]]
    told = [f"{row['subject']}/{row['round']}/{row['first_sequence']}" for row in rounds[:: 2 * each]]
    _cases(pages, shown[::each], told)
    hands = [f"/hands/{row['subject']}/{row['round']}" for row in rounds[:: 10 * each]]
    for role in ("floor", "revenue", "auditor", "admin"):
        for path in (*FIXED, *OF_LOG, *OF_REVENUE, *hands, *(f"/api{hand}" for hand in hands)):
            pages.open(path, role)
        for path in (one.format(alert) for one in OF_ALERT for alert in shown[:: 10 * each]):
            pages.open(path, role)
    opened = {"kind": "live_composition", "about": home.tables[0].subject, "reason": "somebody asks"}
    pages.open("/api/openings", json=opened)
    _withheld(home, pages, shown, [finding["subject"] for finding in findings], each)


def _cases(pages: Pages, alerts: Sequence[str], hands: Sequence[str]) -> None:
    """A case of alerts and one of hands, whose pages, report and archive are opened."""
    for kind, values in (("alert", alerts), ("hand", hands)):
        members = [{"kind": kind, "value": value} for value in values[:_MEMBERS]]
        made = pages.open("/api/cases", json={"title": f"Each {kind}", "members": members})
        assert made.status_code == 201, made.text
        assert len(made.json()["members"]) == len(members)
        case, version = made.json()["case"]["id"], made.json()["case"]["version"]
        for value in values[:1]:
            pages.open(f"/cases/new?kind={kind}&value={quote(value)}")
        noted = pages.open(
            f"/api/cases/{case}/acts", json={"act": "noted", "version": version, "note": "seen"}
        )
        assert noted.status_code == 200, noted.text
        for path in OF_CASE:
            assert pages.open(path.format(case)).status_code == 200, path


def every_bundle_proves_itself(home: Home, pages: Pages, each: int) -> None:
    """Every bundle that is made of a round proves itself; of some rounds there is none, for a reason that is said.

    A bundle whose hole card is not the sealed card is refused, and the record of its round says so too.
    """
    rounds, proved = home.rows("replayed", "rounds")[:: 2 * each], 0
    unsealed = {
        (finding["subject"], finding["round"])
        for finding in home.rows("replayed", "findings")
        if finding["check"] == "integrity.seal"
    }
    for number, row in enumerate(rounds):
        hand = f"{row['subject']}/{row['round']}"
        answer = pages.open(f"/hands/{hand}/evidence.zip?first={row['first_sequence']}")
        if answer.status_code == 200:
            path = home.folder / f"bundle{number}.zip"
            path.write_bytes(answer.content)
            refused = _refused(path)
            if refused:
                assert "is NOT the one that was sealed" in refused, (hand, refused)
                assert (row["subject"], row["round"]) in unsealed, (hand, refused)
            home.run("verify", path, "--key", KEY.verifier.text, ends=FOUND)
            proved += 1
        else:
            assert answer.status_code == 409, (hand, answer.text)
    assert proved or len(rounds) < _MEMBERS, f"none of {len(rounds)} rounds has a bundle"


def _refused(bundle: Path) -> str:
    """Why a bundle is refused; empty where it proves something."""
    try:
        assert verify.verify(verify.read_bundle(bundle), [KEY.verifier.text]), bundle
    except verify.BundleRefused as refused:
        return str(refused)
    return ""


def _withheld(home: Home, pages: Pages, alerts: Sequence[str], subjects: Sequence[str], each: int) -> None:
    """What an administrator withholds from somebody is on no page for them, and is there again once it is released."""
    for one in _to_withhold(home, alerts, subjects, each):
        if pages.open(one.page).status_code == 404:
            continue  # nothing is known of it: what is said of nobody is not withheld
        for withheld, status in ((True, 404), (False, 200)):
            wish = {
                "user": WITHHELD_FROM,
                "kind": one.kind,
                "value": one.name,
                "withheld": withheld,
                "reason": "a case",
            }
            done = pages.open("/api/restrictions", "admin", json=wish)
            assert done.status_code == 204, (one, done.text)
            assert pages.open(one.page).status_code == status, one
            for path in ("/", "/api/alerts", "/hands", "/tables", "/admin"):
                pages.open(path, "admin" if path == "/admin" else "surveillance")


def _to_withhold(home: Home, alerts: Sequence[str], subjects: Sequence[str], each: int) -> Iterator[Named]:
    for alert in alerts[:: 5 * each]:
        yield Named("alert", alert, f"/alerts/{alert}")
    for subject in sorted({*subjects})[: max(2, 60 // each)]:
        yield Named("table", subject, f"/tables/{subject}")
    for kind, page, names in (
        ("dealer", "/dealers/", people_of(home, "staff")),
        ("patron", "/players/", people_of(home, "player")),
    ):
        for name in names[:: max(1, each // 2)]:
            yield Named(kind, name, page + part_of(name))
