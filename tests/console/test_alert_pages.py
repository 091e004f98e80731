"""The page of the alerts and an alert's own page: what stands there, for whom, and what its forms do."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest

from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Acknowledged, Disposed
from dashboards.web.console import Console
from dashboards.wording.comparison import compared
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_feed import watch
from tests.console.test_sign_in import accesses
from tests.waiting import PATIENCE

SignedIn = Callable[[str], Browser]
ONE = a_finding().finding_id
SUSPICION = a_finding(2, subject="BJ-19", verdict="suspected").finding_id
PACE = a_finding(3, check="pace", severity="minor", money_cents=0).finding_id


@pytest.fixture(autouse=True)
def _alerts(console: Console) -> None:
    console.desk.raise_alerts(
        [
            a_raise(a_finding()),
            a_raise(a_finding(2, subject="BJ-19", verdict="suspected"), dealer="D123"),
            a_raise(a_finding(3, check="pace", severity="minor", money_cents=0), dealer=None),
        ]
    )


def tables(page: str) -> list[str]:
    """Tables of the lines of a list, in order."""
    return re.findall(r'<td class="c-table"[^>]*>([^<]*)</td>', page)


def several(browser: Browser, *alerts: tuple[str, int], **wish: Any) -> tuple[int, Any]:
    seen = [{"id": alert, "version": version} for alert, version in alerts]
    answer = browser.post("/api/acts", json={"wish": wish, "alerts": seen})
    return answer.status_code, answer.json()


def form(browser: Browser, alert: str = ONE, **fields: Any) -> Any:
    given = {"csrf": browser.headers["x-csrf-token"], "version": "1", **fields}
    return browser.post(f"/alerts/{alert}", data=given, follow_redirects=False)


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", ["BJ-12", "BJ-19", "BJ-12"]),
        ("?severity=minor", ["BJ-12"]),
        ("?severity=minor&severity=major", ["BJ-12", "BJ-19", "BJ-12"]),
        ("?severity=none-such", ["BJ-12", "BJ-19", "BJ-12"]),
        ("?q=d123", ["BJ-19"]),
        ("?q=bj-12+pay.blackjack", ["BJ-12"]),
        ("?q=round+7+pace", ["BJ-12"]),
        ("?q=nothing", []),
        ("?q=BJ-1", []),
        ("?q=d12", []),
        ("?q=dealer:d12", []),
        ("?q=dealer:D123", ["BJ-19"]),
        ("?q=round:7+check:pace", ["BJ-12"]),
        ("?q=round+70", []),
        ("?q=black", ["BJ-12", "BJ-19", "BJ-12"]),
        ("?q=lack", []),
        (f"?q={PACE[:8]}", ["BJ-12"]),
        ("?q=table:BJ-1", []),
        ("?q=table:bj-12", ["BJ-12", "BJ-12"]),
        ('?q=table:"BJ-12"+pace', ["BJ-12"]),
        ("?tab=mine", []),
        ("?tab=no-such", ["BJ-12", "BJ-19", "BJ-12"]),
    ],
)
def test_the_address_chooses_what_is_shown(signed_in: SignedIn, query: str, shown: list[str]) -> None:
    answer = signed_in("hale").get(f"/{query}")
    assert (answer.status_code, tables(answer.text)) == (200, shown)


def test_tabs_are_told_apart_by_what_was_done(signed_in: SignedIn, console: Console) -> None:
    hale = signed_in("hale")
    assert several(hale, (ONE, 1), act="acknowledged")[0] == 200
    assert several(hale, (SUSPICION, 1), act="shelved", reason="drill", minutes=30)[0] == 200
    for tab, count in (("mine", 1), ("acked", 1), ("shelved", 1), ("open", 2), ("closed", 0)):
        assert len(tables(hale.get(f"/?tab={tab}").text)) == count, tab
    assert tables(signed_in("ito").get("/?tab=mine").text) == []


def test_closed_alerts_are_paged_the_last_closed_first(signed_in: SignedIn, console: Console) -> None:
    found = [a_finding(number, subject=f"BJ-{number}") for number in range(100, 220)]
    console.desk.raise_alerts(map(a_raise, found))
    for one in found:
        closed = Disposed(alert=one.finding_id, version=1, disposition="no error", note="seen")
        console.desk.act(closed, "ito")
    hale = signed_in("hale")
    pages, path = [], "/?tab=closed"
    while path:
        page = hale.get(path).text
        pages.append(tables(page))
        further = re.search(r'rel="next" href="([^"]+)"', page)
        path = further[1].replace("&amp;", "&") if further else ""
    assert [len(page) for page in pages] == [50, 50, 20]
    assert [table for page in pages for table in page] == [f"BJ-{n}" for n in range(219, 99, -1)]
    assert tables(hale.get("/?tab=closed&q=BJ-117").text) == ["BJ-117"]


def test_several_are_done_at_once_and_each_says_why_not(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    console.desk.act(Acknowledged(alert=ONE, version=1), "ito")
    clock.forward(3)
    status, told = several(
        signed_in("hale"), (ONE, 1), (PACE, 1), ("f" * 32, 1), (PACE, 1), act="acknowledged"
    )
    assert status == 200
    assert [(row["id"], row["owner"], row["version"]) for row in told["done"]] == [(PACE, "hale", 2)]
    assert told["refused"] == [
        {"id": ONE, "why": "Taken by ito 3 s ago"},
        {"id": "f" * 32, "why": f"no alert {'f' * 32}"},
        {"id": PACE, "why": "it is named twice"},
    ]


def test_what_a_role_does_not_see_is_not_done_among_several(signed_in: SignedIn, console: Console) -> None:
    status, told = several(signed_in("fay"), (SUSPICION, 1), (PACE, 1), act="acknowledged")
    assert status == 200
    assert [row["id"] for row in told["done"]] == [PACE]
    assert told["refused"][0]["id"] == SUSPICION
    assert console.desk.seq == 4


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"act": "shelved", "reason": "x"}, 422),
        ({"act": "shelved", "reason": "x", "minutes": 5, "until": "2026-11-20T21:00:00Z"}, 422),
        ({"act": "shelved", "reason": "x", "minutes": 1441}, 400),
        ({"act": "disposed", "disposition": "no error", "note": "x", "dollars": "12.5", "side": "loss"}, 422),
        ({"act": "disposed", "disposition": "no error", "note": "x", "dollars": "12.50"}, 422),
        ({"act": "acknowledged", "version": 1}, 400),
    ],
)
def test_what_cannot_be_meant_is_refused(
    signed_in: SignedIn, console: Console, wish: dict[str, Any], status: int
) -> None:
    assert several(signed_in("hale"), (ONE, 1), **wish)[0] == status
    assert console.desk.seq == 3


@pytest.mark.parametrize(
    ("written", "side", "cents"),
    [
        ("1,600.00", "loss", 160_000),
        ("$12", "saving", -1_200),
        ("0.05", "loss", 5),
        ("1234567.89", "loss", 123456789),
    ],
)
def test_dollars_are_kept_to_the_cent(
    signed_in: SignedIn, written: str, side: str, cents: int, console: Console
) -> None:
    wish = {
        "act": "disposed", "disposition": "dealer error", "note": "x", "dollars": written, "side": side,
    }  # fmt: skip
    assert several(signed_in("hale"), (ONE, 1), **wish)[0] == 200
    alert = console.desk.alert(ONE)
    assert alert is not None
    assert alert.money_cents == cents


def test_forms_do_what_keys_do_and_show_what_was_refused(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    hale = signed_in("hale")
    done = form(hale, act="acknowledged")
    assert (done.status_code, done.headers["location"]) == (303, f"/alerts/{ONE}")
    clock.forward(4)
    again = form(hale, act="assigned", to="ito")
    assert again.status_code == 409
    assert "Not done: Taken by hale 4 s ago" in again.text
    assert form(hale, act="noted", version="2").status_code == 422
    assert "note is missing" in form(hale, act="noted", version="2").text
    assert form(hale, act="noted", version="2", note="<b>camera 12</b>").status_code == 303
    assert "&lt;b&gt;camera 12&lt;/b&gt;" in hale.get(f"/alerts/{ONE}").text
    assert form(hale, alert="f" * 32, act="acknowledged").status_code == 404


def test_a_character_that_turns_text_around_is_shown_by_its_name(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    note = "paid \u202e00.5$\u2069 twice"
    assert form(hale, act="noted", version="1", note=note).status_code == 303
    shown = hale.get(f"/alerts/{ONE}").text
    assert "paid [U+202E]00.5$[U+2069] twice" in shown
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", shown)


def test_an_own_page_tells_why_what_and_who(signed_in: SignedIn, console: Console) -> None:
    ito, hale = signed_in("ito"), signed_in("hale")
    ito.get(f"/alerts/{ONE}")
    form(ito, act="acknowledged")
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", hale.get(f"/alerts/{ONE}").text))
    assert "owed to patron $30.00" in page
    assert "BJ-12 · round 7 · dealer D105" in page
    assert "dealer D105 1 of 2, table BJ-12 1 of 2" in page
    assert re.search(r"desk alert raised .* ito viewed it.* ito acknowledged .* hale viewed it", page)
    assert "0 of the 1 record is in the store" in page


@pytest.mark.parametrize(
    ("user", "shows", "hides"),
    [
        ("fay", ("15000",), ("viewed it", "Dispose", "Add to case")),
        ("rex", ("30.00",), ("15000", "12000", 'class="felt', "viewed it", "Acknowledge")),
    ],
)
def test_an_own_page_shows_each_role_its_part(
    signed_in: SignedIn, user: str, shows: tuple[str, ...], hides: tuple[str, ...]
) -> None:
    page = signed_in(user).get(f"/alerts/{ONE}").text
    panel = signed_in(user).get(f"/alerts/{ONE}/panel").text
    for words in shows:
        assert words in page
        assert words in panel
    for words in hides:
        assert words not in page
        assert words not in panel


@pytest.mark.parametrize("path", ["/alerts/{}", "/alerts/{}/panel", "/api/alerts/{}/picture"])
def test_what_is_withheld_is_not_there_by_any_path(
    signed_in: SignedIn, log: SqliteDeskLog, path: str
) -> None:
    rule = {"user": "hale", "kind": "dealer", "value": "D105", "withheld": True, "reason": "related"}
    assert signed_in("ann").post("/api/restrictions", json=rule).status_code == 204
    hale = signed_in("hale")
    unknown, withheld = hale.get(path.format("f" * 32)), hale.get(path.format(ONE))
    assert unknown.status_code == withheld.status_code == 404
    assert withheld.text.replace(ONE, "f" * 32) == unknown.text
    assert form(hale, act="acknowledged").status_code == 404
    assert [a.granted for who, a in accesses(log) if who == "hale" and ONE in a.object] == [False, False]


def test_a_picture_is_for_who_sees_cards_and_says_when_there_is_none(
    signed_in: SignedIn, log: SqliteDeskLog
) -> None:
    assert signed_in("rex").get(f"/api/alerts/{ONE}/picture").status_code == 403
    drawn = signed_in("hale").get(f"/api/alerts/{ONE}/picture")
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert "No picture of this moment" in drawn.text
    assert [(who, a.granted) for who, a in accesses(log) if a.what == "alert" and ONE in a.object] == [
        ("rex", False),
        ("hale", True),
    ]


def test_a_panel_and_its_picture_are_one_look(signed_in: SignedIn, log: SqliteDeskLog, clock: Clock) -> None:
    hale = signed_in("hale")
    hale.get(f"/alerts/{ONE}/panel")
    clock.forward(1)
    hale.get(f"/api/alerts/{ONE}/picture")
    assert [(who, a.granted) for who, a in accesses(log) if ONE in a.object] == [("hale", True)]
    clock.forward(61)
    hale.get(f"/api/alerts/{ONE}/picture")
    hale.get(f"/alerts/{ONE}/panel")
    assert len([a for _, a in accesses(log) if ONE in a.object]) == 3, "what is looked at again is kept again"


def test_nothing_is_shown_when_the_look_cannot_be_kept(signed_in: SignedIn, log: SqliteDeskLog) -> None:
    hale = signed_in("hale")
    log.close()
    for path in (f"/alerts/{ONE}", f"/alerts/{ONE}/panel", f"/api/alerts/{ONE}/picture", "/?tab=closed"):
        answer = hale.get(path)
        assert answer.status_code == 503
        assert "BJ-12" not in answer.text


def test_a_store_that_does_not_answer_takes_nothing_from_the_alert(
    signed_in: SignedIn, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise ConnectionError("clickhouse is away")

    monkeypatch.setattr(type(console.records), "query", away)
    hale = signed_in("hale")
    page = hale.get(f"/alerts/{ONE}")
    assert page.status_code == 200
    assert "owed to patron $30.00" in page.text
    assert "The store does not answer" in page.text
    assert "The store does not answer" in hale.get(f"/api/alerts/{ONE}/picture").text


def test_the_largest_money_of_a_group_is_that_of_its_waiting_alerts_for_each_user(
    signed_in: SignedIn, console: Console
) -> None:
    more = [a_finding(n, money_cents=n * 100) for n in (10, 11, 12)]
    suspected = a_finding(13, verdict="suspected", money_cents=99_00)
    console.desk.raise_alerts(map(a_raise, (*more, suspected)))
    rule = {
        "user": "ito",
        "kind": "alert",
        "value": more[0].finding_id,
        "withheld": True,
        "reason": "related",
    }
    assert signed_in("ann").post("/api/restrictions", json=rule).status_code == 204
    several(signed_in("hale"), (more[1].finding_id, 1), act="shelved", reason="x", minutes=5)

    def of_group(user: str) -> str:
        panel = signed_in(user).get(f"/alerts/{ONE}/panel").text
        return str(re.findall(r"<dt>Of its group</dt><dd>([^<]+)</dd>", panel)[0])

    assert of_group("hale") == "4 alerts wait: owed to patron up to $99.00"
    assert of_group("fay") == "3 alerts wait: owed to patron up to $30.00"
    assert of_group("ito") == "3 alerts wait: owed to patron up to $99.00"


def test_history_is_the_same_after_a_restart(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    hale.get(f"/alerts/{ONE}")
    form(hale, act="acknowledged")
    again = Desk(log, console.clock)
    assert again.history(ONE, 100) == console.desk.history(ONE, 100)
    assert [record.data.__struct_config__.tag for record in again.history(ONE, 100)] == [
        "raised",
        "accessed",
        "acknowledged",
    ]
    assert len(again.history(ONE, 2)) == 2


def test_expected_and_observed_stand_side_by_side() -> None:
    rows = compared(
        {"outcome": "pay", "cents": 12500}, {"outcome": "pay", "cents": 2500, "cards": ["Ad", "2c"]}
    )
    assert [(row.name, row.expected, row.observed, row.differs) for row in rows] == [
        ("Outcome", "pay", "pay", False),
        ("Amount", "$125.00", "$25.00", True),
        ("Cards", "–", "Ad 2c", False),
    ]
    assert compared(15000, None)[0].observed == "none"


def test_a_page_learns_where_the_feed_stands(signed_in: SignedIn) -> None:
    assert signed_in("fay").get("/api/feed").json() == {"seq": 3}


def test_only_who_may_close_alerts_is_given_one(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    for named in ("rex", "ann", "fay", "nobody"):
        wish = {"act": "assigned", "to": named}
        answer = hale.post(f"/api/alerts/{ONE}/acts", json=wish | {"version": 1})
        assert answer.status_code == 422, named
        assert "may close alerts" in answer.json()["detail"]
        assert form(hale, **wish).status_code == 422
        (told,) = several(hale, (ONE, 1), **wish)[:1]
        assert told == 422
    given = {"act": "assigned", "to": "ito", "version": 1}
    assert hale.post(f"/api/alerts/{ONE}/acts", json=given).status_code == 200


def test_who_sees_no_cards_reads_check_clause_and_money_and_not_the_words_of_the_finding(
    signed_in: SignedIn,
) -> None:
    words, plain = a_finding().message, "Pay blackjack (13:69F-2.15): owed to patron $30.00"
    rex, hale = signed_in("rex"), signed_in("hale")
    for path in ("/", f"/alerts/{ONE}", f"/alerts/{ONE}/panel", "/api/alerts", f"/api/alerts/{ONE}"):
        for browser, told, kept in ((rex, plain, words), (hale, words, plain)):
            text = html.unescape(browser.get(path).text)
            assert told in text, path
            assert kept not in text, path
    page = rex.get("/?q=6:5").text
    for asked in ('value="6:5"', 'value="q=6:5"', '">6:5 <span', "“6:5”: none"):
        page = page.replace(asked, "")
    assert "6:5" not in page
    with watch(rex) as feed:
        sent = feed.receive_text(timeout=PATIENCE)
    assert plain in sent
    assert words not in sent
