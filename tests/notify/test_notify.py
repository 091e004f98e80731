"""New alerts go to a mailbox and a pager, again until they are taken, and all of it is on the desk's record."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Acknowledged, PageSent, read
from dashboards.web.console import Console
from deploy.cli.main import main
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.configured.kafka import connection
from deploy.console.desk_topic import desk_topic
from deploy.errors import UserError
from deploy.notify.channels import Channel, Mailbox, Webhook
from deploy.notify.configured import channels_of, rules_of
from deploy.notify.pager import Pager, Rules
from deploy.notify.process import desk_of
from deploy.settings import Settings
from producers.kafka.topics import TopicAdmin
from schemas.events.envelope import GENESIS
from schemas.topics import DESK
from tests.console.conftest import (
    Browser,
    Clock,
    accounts,
    begun,
    browse,
    clock,
    console,
    log,
    signed_in,
    store,
)
from tests.console.desk_building import T0, a_finding, a_raise
from tests.live.servers import kafka, kafka_prefix
from tests.notify.receivers import PASSWORD, TOKEN, USER, HookServer, MailServer, hook_server, mail_server
from tests.waiting import until

__all__ = [
    "accounts",
    "begun",
    "browse",
    "clock",
    "console",
    "kafka",
    "kafka_prefix",
    "log",
    "signed_in",
    "store",
]
DESK_MAIL, MANAGER = "desk@casino.example", "manager@casino.example"
ALERT = a_finding(1, severity="critical", money_cents=40_000)


@pytest.fixture
def mails(tmp_path: Path) -> Iterator[MailServer]:
    with mail_server(tmp_path) as server:
        yield server


@pytest.fixture
def hooks() -> Iterator[HookServer]:
    with hook_server() as server:
        yield server


def mailbox(server: MailServer, clock: Clock, password: str = PASSWORD) -> Mailbox:
    return Mailbox(
        "127.0.0.1",
        server.port,
        "starttls",
        "catwalk@casino.example",
        DESK_MAIL,
        clock,
        USER,
        password,
        server.ca,
    )


def sent(desk: Desk) -> list[tuple[str, str, str, int]]:
    """What the desk's record says was sent: channel, to whom, what came of it, after how many attempts."""
    found: list[tuple[str, str, str, int]] = []
    head = GENESIS
    for sequence, line in enumerate(desk.lines(1, desk.records), 1):
        record, head = read(line, sequence, head)
        act = record.data
        if isinstance(act, PageSent):
            found.append((act.channel, act.to, act.outcome, act.attempts))
    return found


def test_a_critical_alert_goes_to_people_by_mail_over_starttls_once(
    log: SqliteDeskLog, clock: Clock, mails: MailServer
) -> None:
    desk = Desk(log, clock)
    minor = a_finding(2, severity="major")
    desk.raise_alerts([a_raise(ALERT), a_raise(minor)])
    pager = Pager(desk, mailbox(mails, clock), Rules(console="https://console.example"), clock)
    assert (pager.step(), pager.step(), pager.trouble) == (1, 0, None)
    (mail,) = mails.mails
    assert mail["Subject"] == "[Catwalk] Critical: BJ-12 round 7, owed to patron $400.00"
    assert mails.people == [[DESK_MAIL]]
    assert mail.get_content().splitlines() == [
        "Critical: BJ-12 round 7",
        "Pay blackjack (13:69F-2.15): owed to patron $400.00",
        "Event 20 Nov 2026 20:00:00 UTC, raised 20 Nov 2026 20:00:00 UTC",
        f"https://console.example/alerts/{ALERT.finding_id}",
    ]
    assert sent(desk) == [("mail", DESK_MAIL, "delivered", 1)]
    restarted = Pager(Desk(log, clock), mailbox(mails, clock), Rules(), clock)
    assert restarted.step() == 0
    assert len(mails.mails) == 1


def test_mail_that_is_refused_is_tried_again_and_the_record_tells_both(
    log: SqliteDeskLog, clock: Clock, mails: MailServer
) -> None:
    desk = Desk(log, clock)
    desk.raise_alerts([a_raise(ALERT)])
    mails.closed = "451 the mailbox is busy"
    pager = Pager(desk, mailbox(mails, clock), Rules(), clock)
    for _ in range(3):  # a second look comes before the pause is over
        assert pager.step() == 0
    to = DESK_MAIL
    assert pager.trouble == f"mail to {to}: 451 the mailbox is busy"
    clock.forward(5)
    assert pager.step() == 0
    mails.closed = ""
    clock.forward(5)
    assert pager.step() == 0, "the pause is twice as long by now"
    clock.forward(5)
    assert pager.step() == 1
    assert not pager.trouble
    assert sent(desk) == [("mail", to, "failed", 1), ("mail", to, "delivered", 3)]
    assert len(mails.mails) == 1


def test_whom_the_server_does_not_know_makes_nobody_elses_mail_come_again(
    log: SqliteDeskLog, clock: Clock, mails: MailServer
) -> None:
    desk = Desk(log, clock)
    desk.raise_alerts([a_raise(ALERT)])
    mails.unknown = frozenset([MANAGER])
    pagers = [
        Pager(desk, replace(mailbox(mails, clock), to=to), Rules(), clock) for to in (DESK_MAIL, MANAGER)
    ]
    for _ in range(4):
        for pager in pagers:
            pager.step()
        clock.forward(600)
    assert mails.people == [[DESK_MAIL]]
    assert sent(desk) == [("mail", DESK_MAIL, "delivered", 1), ("mail", MANAGER, "failed", 1)]
    assert pagers[1].trouble == f"mail to {MANAGER}: {MANAGER}: 550 nobody has that name here"


def test_what_an_older_release_sent_to_all_together_is_not_sent_again(
    log: SqliteDeskLog, clock: Clock, mails: MailServer
) -> None:
    desk = Desk(log, clock)
    desk.raise_alerts([a_raise(ALERT)])
    kept = PageSent(
        alert=ALERT.finding_id, channel="mail", to=f"{DESK_MAIL}, {MANAGER}", outcome="delivered", attempts=1,
        said="",
    )  # fmt: skip
    desk.note(kept, "desk")
    assert Pager(desk, replace(mailbox(mails, clock), to=MANAGER), Rules(), clock).step() == 0
    assert Pager(desk, replace(mailbox(mails, clock), to="other@casino.example"), Rules(), clock).step() == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"password": "wrong"}, "535"),
        ({"ca": ""}, "CERTIFICATE_VERIFY_FAILED"),
        ({"security": "none"}, "530|538|SMTPNotSupportedError"),
        ({"port": 1}, "refused"),
    ],
)
def test_a_server_that_does_not_let_in_or_is_another_is_named_and_gets_nothing(
    change: dict[str, Any], why: str, log: SqliteDeskLog, clock: Clock, mails: MailServer
) -> None:
    desk = Desk(log, clock)
    desk.raise_alerts([a_raise(ALERT)])
    pager = Pager(desk, replace(mailbox(mails, clock), **change), Rules(), clock)
    assert pager.step() == 0
    assert re.search(why, pager.trouble or ""), pager.trouble
    assert PASSWORD not in (pager.trouble or "")
    assert mails.mails == []
    assert [outcome for _, _, outcome, _ in sent(desk)] == ["failed"]


def test_a_pager_takes_json_with_its_token_and_knows_a_second_copy(
    log: SqliteDeskLog, clock: Clock, hooks: HookServer
) -> None:
    desk = Desk(log, clock)
    desk.raise_alerts([a_raise(ALERT), a_raise(a_finding(2, severity="critical", money_cents=-2_000))])
    hooks.answers = [503]
    pager = Pager(desk, Webhook(hooks.address, TOKEN), Rules(), clock)
    assert pager.step() == 0
    clock.forward(5)
    assert pager.step() == 2
    (first, body), (second, again) = hooks.requests
    assert body == again
    assert first["authorization"] == f"Bearer {TOKEN}"
    assert first["idempotency-key"] == second["idempotency-key"] == body["id"]
    assert body["headline"] == "Critical: BJ-12 round 7, owed to patron $400.00, and 1 more"
    assert [one["money"] for one in body["alerts"]] == ["owed to patron $400.00", "overpaid $20.00"]
    assert {outcome for *_, outcome, _ in sent(desk)} == {"failed", "delivered"}
    assert {to for _, to, _, _ in sent(desk)} == {f"http://127.0.0.1:{hooks.port}"}, "no key of the path"


def test_what_nobody_took_in_time_is_given_up_and_what_was_acknowledged_is_not_sent(
    log: SqliteDeskLog, clock: Clock, hooks: HookServer
) -> None:
    desk = Desk(log, clock)
    desk.raise_alerts([a_raise(ALERT)])
    hooks.answers = [500] * 9
    pager = Pager(desk, Webhook(hooks.address), Rules(within=dt.timedelta(minutes=10)), clock)
    pager.step()
    desk.raise_alerts([a_raise(a_finding(2, severity="critical"))])
    desk.act(Acknowledged(alert=a_finding(2).finding_id, version=1), "hale")
    clock.forward(601)
    pager.step()
    clock.forward(60)
    pager.step()
    assert [(outcome, attempts) for *_, outcome, attempts in sent(desk)] == [("failed", 1), ("given up", 1)]
    assert len(hooks.requests) == 1


def test_a_page_never_says_a_card_and_no_name_obeys_in_a_header(
    log: SqliteDeskLog, clock: Clock, mails: MailServer, hooks: HookServer
) -> None:
    desk = Desk(log, clock)
    wrong = msgspec.structs.replace(
        ALERT, subject="BJ-12\r\nBcc: thief@evil.example", message="Hand 2.1 of K♠ A♦ was paid"
    )
    desk.raise_alerts([a_raise(wrong)])
    for channel in (mailbox(mails, clock), Webhook(hooks.address)):
        assert Pager(desk, channel, Rules(), clock).step() == 1
    (mail,), ((_, body),) = mails.mails, hooks.requests
    assert mail["Bcc"] is None
    assert mail["Subject"].startswith("[Catwalk] Critical: BJ-12 Bcc: thief@evil.example round 7")
    assert mails.people == [[DESK_MAIL]]
    assert "K♠" not in mail.get_content() + str(body)


def test_who_opens_the_alert_reads_in_its_history_what_was_sent(
    console: Console, signed_in: Callable[[str], Browser], clock: Clock, hooks: HookServer
) -> None:
    console.desk.raise_alerts([a_raise(ALERT)])
    Pager(console.desk, Webhook(hooks.address), Rules(), clock).step()
    page = signed_in("hale").get(f"/alerts/{ALERT.finding_id}").text
    assert f'paged <span class="muted">webhook to http://127.0.0.1:{hooks.port}; delivered' in page


SET = {
    "notify_smtp_host": "mail.example", "notify_mail_from": "catwalk@casino.example",
    "notify_mail_to": "desk@casino.example, manager@casino.example", "notify_webhook": "https://pager.example/v1",
}  # fmt: skip


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "no channel is set"),
        ({**SET, "notify_smtp_host": ""}, "mail has no server"),
        ({**SET, "notify_mail_to": ""}, "notify_mail_to: no address of mail"),
        ({**SET, "notify_mail_from": "catwalk"}, "notify_mail_from catwalk: no address"),
        ({**SET, "notify_smtp_security": "none"}, "in clear"),
        ({**SET, "notify_webhook": "http://pager.example"}, "in clear"),
        ({**SET, "notify_webhook": "https://me:secret@pager.example"}, "no address that takes a POST"),
        ({**SET, "notify_ca": "nowhere.pem"}, "no such file"),
        ({**SET, "notify_console": "console"}, "no address of a page"),
    ],
)
def test_a_channel_that_would_page_nobody_or_in_clear_is_refused(given: dict[str, Any], why: str) -> None:
    settings = Settings(**given)
    with pytest.raises(UserError, match=why):
        assert not (channels_of(settings, Clock()), rules_of(settings))
    channels = channels_of(Settings(**SET), Clock())  # type: ignore[arg-type]  # all of these are texts
    assert [(one.name, one.to) for one in channels] == [
        ("mail", DESK_MAIL),
        ("mail", MANAGER),
        ("webhook", "https://pager.example"),
    ]


def test_a_test_message_says_so_and_a_channel_that_fails_ends_with_2(
    hooks: HookServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CATWALK_NOTIFY_WEBHOOK", hooks.address)
    assert main(["notify", "--test"]) == 0
    assert capsys.readouterr().out == f"webhook to http://127.0.0.1:{hooks.port}: it answered 204\n"
    assert hooks.requests[0][1]["alerts"][0]["says"] == "This is a test of pages. Nothing has happened."
    hooks.answers = [401]
    assert main(["notify", "--test"]) == 2
    assert "not delivered: it answered 401 Unauthorized" in capsys.readouterr().out


@pytest.mark.live
def test_pages_of_a_desk_on_kafka_are_on_its_topic(
    kafka: str, kafka_prefix: str, hooks: HookServer, tmp_path: Path
) -> None:
    settings = Settings(mode="distributed", kafka=kafka, kafka_prefix=kafka_prefix, data=str(tmp_path))
    with TopicAdmin(connection(settings)) as admin:
        admin.apply(admin.forms(kafka_prefix, 1, 0, [DESK]))
    now = Clock()
    with closing(desk_topic(settings)) as topic, desk_of(settings, 10) as beside:
        desk = Desk(topic, now)
        desk.raise_alerts([a_raise(ALERT)])
        channel: Channel = Webhook(hooks.address)
        pager = Pager(beside, channel, Rules(), now)

        def paged() -> bool:
            beside.catch_up()
            return pager.step() == 1

        until(paged)
        until(lambda: (desk.catch_up(), sent(desk) != [])[1])
    assert [outcome for *_, outcome, _ in sent_of(desk)] == ["delivered"]
    assert now.now == T0


def sent_of(desk: Desk) -> list[tuple[str, ...]]:
    """The outcomes that a desk knows, after its topic was closed."""
    return [(channel, to, outcome, "") for (channel, to), outcome in desk.pages(ALERT.finding_id).items()]
