"""Who else has an alert open: told within the feed to those who act upon alerts and read reviews."""

from collections.abc import Callable
from typing import cast

import msgspec
from litestar.testing import WebSocketTestSession

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import Acknowledged, Withheld
from dashboards.web.console import Console
from tests.console.conftest import PASSWORD, Browser
from tests.console.desk_building import a_finding
from tests.console.test_feed import raise_many, watch
from tests.waiting import PATIENCE

SignedIn = Callable[[str], Browser]
ONE = a_finding(1).finding_id


def says(feed: WebSocketTestSession, alert: str) -> None:
    feed.send_text(msgspec.json.encode({"open": alert}).decode())


def looking(feed: WebSocketTestSession) -> dict[str, list[str]]:
    """The next message of who else has what open."""
    while True:
        for message in map(msgspec.json.decode, feed.receive_text(timeout=PATIENCE).splitlines()):
            if message["kind"] == "looking":
                return cast("dict[str, list[str]]", message["open"])


def test_law_18_who_has_an_alert_open_is_told_to_those_who_act_and_read_reviews(
    signed_in: SignedIn, console: Console
) -> None:
    raise_many(console, 1, 2)
    kinds: list[str] = []
    server = signed_in("hale")
    with watch(server) as hale, watch(signed_in("fay"), at=server) as fay:
        with watch(signed_in("ito"), at=server) as ito:
            says(ito, ONE)
            assert looking(hale) == {ONE: ["ito"]}
            says(fay, ONE)
            assert looking(hale) == {ONE: ["fay", "ito"]}
            assert looking(ito) == {ONE: ["fay"]}, "nobody is told of themselves"
            with watch(server) as second:
                assert looking(second) == {ONE: ["fay", "ito"]}, "who comes later is told what is open"
            says(ito, "")
            assert looking(hale) == {ONE: ["fay"]}
            says(ito, a_finding(2).finding_id)
            assert looking(hale) == {ONE: ["fay"], a_finding(2).finding_id: ["ito"]}
        assert looking(hale) == {ONE: ["fay"]}, "whose page is gone has nothing open"
        console.desk.act(Acknowledged(alert=ONE, version=1), "ito")
        while "change" not in kinds:
            lines = fay.receive_text(timeout=PATIENCE).splitlines()
            kinds += [message["kind"] for message in map(msgspec.json.decode, lines)]
    assert "looking" not in kinds, "the floor is not told what surveillance looks at"


def test_who_looks_is_not_told_of_what_is_withheld_and_nonsense_says_nothing(
    signed_in: SignedIn, console: Console, accounts: Accounts
) -> None:
    accounts.add("aud", "auditor", PASSWORD)
    raise_many(console, 1, 2)
    two = a_finding(2).finding_id
    console.desk.note(Withheld(user="ito", kind="alert", value=two), "ada")
    server = signed_in("hale")
    with (
        watch(server) as hale,
        watch(signed_in("ito"), at=server) as ito,
        watch(signed_in("aud"), at=server) as auditor,
    ):
        says(ito, two)
        for nonsense in (
            "",
            "[]",
            '{"open": 5}',
            '{"open": "%s"}' % ("x" * 65),
            '{"open": "no such"}',
            "\u2603",
        ):
            ito.send_text(nonsense)
        says(auditor, ONE)
        says(ito, ONE)
        assert looking(hale) == {ONE: ["ito"]}, "an auditor's look is on the record and not on the screen"
        says(hale, two)
        says(hale, ONE)
        assert looking(ito) == {ONE: ["hale"]}
