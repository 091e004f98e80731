"""The addresses that are read, by the status that they have for each role and for who has not signed in.

403 is the role's; 404 is what the role may not know to be there, or what this console has not.
"""

from __future__ import annotations

from tests.console.desk_building import a_finding

ALERT = a_finding()
SUSPICION = a_finding(2, check="pattern.dealer_mispay.for_patrons", verdict="suspected")
_A, _S = ALERT.finding_id, SUSPICION.finding_id
READS: dict[str, str] = {
    # surveillance, floor, revenue, auditor, admin, nobody
    "200 200 200 200 303 303": "/",
    "200 200 200 200 200 303": "/account",
    "303 303 303 303 303 303": "/account/factor /sign-in/code /sign-in/factor",
    "404 404 404 404 404 303": "/account/factor.svg",
    "403 403 403 403 200 303": "/admin",
    "200 200 200 200 403 303": (
        f"/alerts/{_A} /alerts/{_A}/panel /dealers/D-301 /hands /hands/BJ-12/1 /hands/BJ-12/1/panel"
    ),
    "200 404 404 200 403 303": f"/alerts/{_S}",
    "200 200 200 200 403 401": (
        f"/api/alerts /api/alerts/{_A} /api/arranged/alerts /api/feed /api/hands /api/hands/BJ-12/1 /api/words?q=x"
    ),
    "200 200 403 200 403 401": (
        f"/api/alerts/{_A}/picture /api/disputes /api/disputes/DIS-0001 /api/tables /api/tables/BJ-12"
    ),
    "403 403 403 200 403 401": "/api/arranged/log /api/log /api/log/proof",
    "200 403 403 200 403 401": (
        "/api/cases /api/cases/CASE-0001 /api/cases/CASE-0001/attachments /api/shelves /api/shift /api/shift/trends "
        "/api/tuning /api/watch"
    ),
    "200 200 200 200 404 401": "/api/find?q=BJ-12",
    "200 200 200 200 200 401": "/api/openings /api/quiet /api/schema /api/schema/openapi.json",
    "403 403 200 200 403 401": "/api/revenue /api/revenue/hands",
    "404 404 404 404 404 401": "/api/schema/nothing",
    "200 403 403 200 200 401": "/api/status",
    "200 403 403 200 403 303": (
        "/cases /cases/CASE-0001 /cases/CASE-0001.pdf /cases/CASE-0001.zip /cases/CASE-0001/attachments/1 "
        "/disputes/DIS-0001.pdf /hands/BJ-12/1/evidence.pdf /patterns /patterns/budget /patterns/calibration "
        f"/patterns/calibration.csv /patterns/{_S} /patterns/{_S}/report.pdf /shelves /shift /shift.pdf /shift/trends "
        "/tuning /watch"
    ),
    "200 403 403 403 403 401": "/api/shelves/preview",
    "200 403 403 403 403 303": "/cases/new /disputes/new",
    "200 200 403 200 403 303": (
        "/disputes /disputes/DIS-0001 /players/P-0098 /tables /tables/BJ-12 /tables/BJ-12/history"
    ),
    "409 403 403 409 403 303": "/disputes/DIS-0001/letter.pdf",  # nothing is decided
    "303 303 303 303 404 303": "/find?q=BJ-12",
    "404 403 403 404 403 303": "/hands/BJ-12/1/evidence.zip",
    "200 200 200 200 200 200": "/health /sign-in /sign-in/once /static/console.css",
    "403 403 403 200 403 303": "/log /log/export /log/verify",
    "403 403 200 200 403 303": (
        "/revenue /revenue/export.csv /revenue/export.pdf /revenue/export.xlsx /revenue/export.zip /revenue/hands "
        "/revenue/owed /revenue/owed/csv /revenue/readings /revenue/sealed /revenue/slips"
    ),
    "403 403 403 400 403 303": "/revenue/month.pdf /revenue/month.xlsx",
    "403 403 404 404 403 303": "/revenue/readings/lines /revenue/sealed.csv /revenue/sealed.pdf /revenue/sealed.xlsx",
    "403 403 404 404 403 401": "/api/revenue/sealed",
    "404 404 404 404 404 404": "/sign-in/factor.svg /sign-in/provider/return",
    "200 403 403 200 200 303": "/status",
}  # fmt: skip
# Of which no look is kept: they tell of nothing that happened at the tables or the desk.
UNKEPT = (
    "/api/arranged/",
    "/api/feed",
    "/api/quiet",
    "/api/schema",
    "/api/words",
    "/health",
    "/sign-in",
    "/static/",
)
