"""Each address that is sent something, with what is sent and the status that it has for each role and for nobody.

Of those who may, most are told 409 or 422: what they ask for is too late, or names nothing that there is.
"""

from __future__ import annotations

from typing import Any

from tests.console.rights.reads import ALERT

PDF = ("statement.pdf", b"%PDF-1.7\nstatement of the floor supervisor\n")
_ALERT, _API_ALERT = f"/alerts/{ALERT.finding_id}", f"/api/alerts/{ALERT.finding_id}/acts"
_UNKNOWN = [{"id": "0", "version": 1}]
_CLOSED = {"act": "disposed", "disposition": "no error", "note": "x"}
_LATER = {"act": "shelved", "reason": "x", "until": "2026-12-20T21:00:00Z", "version": 9}
_WITHHELD = {"user": "nosuch", "kind": "table", "value": "BJ-12", "reason": "x"}
_DISPUTE = {"subject": "BJ-99", "round": 1, "claim": "x", "claimed_cents": 100}
_LIVE = {"kind": "live_composition", "about": "BJ-99", "reason": "a customer asks to see it"}
_TABLE = {"act": "put", "kind": "table", "value": "BJ-12"}
_NOTED: dict[str, Any] = {"act": "noted", "version": 99, "note": "x"}
_END = {"act": "end", "tuning": "none"}
_ADDED, _ROLE = {"name": "mine", "role": "no"}, {"user": "hale", "what": "role", "role": "no"}
_FILE = {"version": "99", "file": PDF}
ACTS: tuple[tuple[str, dict[str, Any], str], ...] = (
    # surveillance, floor, revenue, auditor, admin, nobody
    ("/account/factor", {"password": "no"}, "422 422 422 422 422 303"),
    ("/account/factor/confirm", {"code": "1"}, "303 303 303 303 303 303"),
    ("/account/password", {"old": "no", "new": "x"}, "422 422 422 422 422 303"),
    ("/account/sign-ins", {"password": "no"}, "422 422 422 422 422 303"),
    ("/admin/add", _ADDED | {"reason": "for me"}, "403 403 403 403 422 303"),
    ("/admin/change", _ROLE | {"reason": "for me"}, "403 403 403 403 422 303"),
    ("/admin/withhold", _WITHHELD | {"act": "withhold"}, "403 403 403 403 422 303"),
    (_ALERT, {"act": "acknowledged", "version": "9"}, "409 409 403 403 403 303"),
    ("/api/acts", {"wish": {"act": "acknowledged"}, "alerts": _UNKNOWN}, "200 200 403 403 403 401"),
    ("/api/acts", {"wish": _CLOSED, "alerts": _UNKNOWN}, "200 403 403 403 403 401"),
    (_API_ALERT, {"act": "acknowledged", "version": 9}, "409 409 403 403 403 401"),
    (_API_ALERT, {"act": "undone", "version": 9}, "409 409 403 403 403 401"),
    (_API_ALERT, {"act": "assigned", "to": "ito", "version": 9}, "409 403 403 403 403 401"),
    (_API_ALERT, _LATER, "409 403 403 403 403 401"),
    (_API_ALERT, _CLOSED | {"version": 9}, "409 403 403 403 403 401"),
    (_API_ALERT, {"act": "noted", "note": "x", "version": 9}, "409 403 403 403 403 401"),
    (_API_ALERT, {"act": "reopened", "reason": "x", "version": 9}, "409 403 403 403 403 401"),
    (_API_ALERT, {"act": "closing_confirmed", "version": 9}, "409 403 403 403 403 401"),
    (_API_ALERT, {"act": "closing_declined", "reason": "x", "version": 9}, "409 403 403 403 403 401"),
    (_API_ALERT, {"act": "closing_withdrawn", "version": 9}, "409 403 403 403 403 401"),
    ("/api/arranged", {"act": "search_deleted", "of": "alerts", "name": "x"}, "422 422 422 422 403 401"),
    ("/api/arranged", {"act": "search_deleted", "of": "log", "name": "x"}, "403 403 403 422 403 401"),
    ("/api/cases", {"title": "x", "owner": "nosuch"}, "422 403 403 403 403 401"),
    ("/api/cases/CASE-0001/acts", _NOTED, "409 403 403 403 403 401"),
    ("/api/cases/CASE-0001/attachments", _FILE, "409 403 403 403 403 401"),
    ("/api/disputes", _DISPUTE, "422 403 403 403 403 401"),
    ("/api/disputes/DIS-0001/acts", _NOTED, "409 403 403 403 403 401"),
    ("/api/disputes/DIS-0001/acts", {"act": "confirmed", "version": 99}, "409 403 403 403 403 401"),
    ("/api/openings", _LIVE, "404 403 403 403 403 401"),
    ("/api/preferences", {"choice": "none", "value": ""}, "400 400 400 400 400 401"),
    ("/api/restrictions", _WITHHELD | {"withheld": True}, "403 403 403 403 422 401"),
    ("/api/revenue/sealed", {"day": "2026-03-02"}, "403 403 422 403 403 401"),
    ("/api/shift/handovers", {"note": "x", "since": "2036-01-01T00:00:00Z"}, "422 403 403 403 403 401"),
    ("/api/shift/taken", {"shift": "none"}, "422 403 403 403 403 401"),
    ("/api/shift/withdrawn", {"shift": "none"}, "422 403 403 403 403 401"),
    ("/api/tuning", _END, "422 403 403 403 403 401"),
    ("/api/watch", _TABLE, "422 403 403 403 403 401"),
    ("/cases", {"title": ""}, "422 403 403 403 403 303"),
    ("/cases/CASE-0001/acts", _NOTED, "409 403 403 403 403 303"),
    ("/cases/CASE-0001/attachments", _FILE, "422 403 403 403 403 303"),
    ("/columns/alerts", {"act": "reset"}, "303 303 303 303 403 303"),
    ("/disputes", {"claim": ""}, "422 403 403 403 403 303"),
    ("/disputes/DIS-0001/acts", _NOTED, "409 403 403 403 403 303"),
    ("/revenue/sealed", {"day": "2026-03-02"}, "403 403 422 403 403 303"),
    ("/searches/alerts", {"act": "delete", "name": "x"}, "422 422 422 422 403 303"),
    ("/searches/log", {"act": "delete", "name": "x"}, "403 403 403 422 403 303"),
    ("/shift", {"act": "take_over", "shift": "none"}, "422 403 403 403 403 303"),
    ("/sign-in", {"name": "x", "password": "y"}, "401 401 401 401 401 401"),
    ("/sign-in/code", {"code": "1"}, "303 303 303 303 303 303"),
    ("/sign-in/factor", {"code": "1"}, "303 303 303 303 303 303"),
    ("/sign-in/once", {"token": "x"}, "401 401 401 401 401 401"),
    ("/sign-in/once/password", {"token": "x"}, "401 401 401 401 401 401"),
    ("/sign-in/provider", {}, "404 404 404 404 404 404"),
    ("/sign-out", {}, "303 303 303 303 303 303"),
    ("/tables/BJ-12/open", {"reason": "a customer asks to see it"}, "303 403 403 403 403 303"),
    ("/shelves", {"alert": "0", "version": "1"}, "409 403 403 403 403 303"),
    ("/tuning", _END, "422 403 403 403 403 303"),
    ("/watch", _TABLE, "422 403 403 403 403 303"),
)
