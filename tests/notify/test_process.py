"""The process of `catwalk notify` beside a console: what it pages, its health, and what a kill leaves."""

from __future__ import annotations

import signal
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from deploy.errors import UserError
from deploy.notify.process import desk_of
from deploy.settings import Settings
from tests.browser.site import Site
from tests.console.desk_building import a_finding
from tests.notify.receivers import PASSWORD, TOKEN, USER, HookServer, MailServer
from tests.notify.test_notify import ALERT, DESK_MAIL, hooks, mails, sent
from tests.starting import start
from tests.waiting import until

__all__ = ["hooks", "mails"]


def test_the_process_pages_what_a_console_beside_it_raises_and_tells_its_health(
    tmp_path: Path, hooks: HookServer
) -> None:
    with ExitStack() as stack:
        site = Site(tmp_path, {})
        site.start()
        stack.callback(site.stop)
        secret = tmp_path / "token"
        secret.write_text(TOKEN)
        settings = {
            "DATA": str(tmp_path),
            "NOTIFY_WEBHOOK": hooks.address,
            "NOTIFY_WEBHOOK_TOKEN_FILE": str(secret),
        }
        environment = {f"CATWALK_{name}": value for name, value in settings.items()} | {
            "PATH": "/usr/bin:/bin"
        }
        command = [sys.executable, "-m", "deploy.cli", "notify"]
        process = start(command, env=environment)
        stack.callback(process.wait, 20)
        stack.callback(process.send_signal, signal.SIGTERM)
        site.raise_alerts(ALERT)
        until(lambda: len(hooks.requests) == 1)
        assert hooks.requests[0][0]["authorization"] == f"Bearer {TOKEN}"
        until(lambda: sent(site.desk), lambda: "no record at the console's own desk")
        (kept,) = sent(site.desk)
        assert kept == ("webhook", f"http://127.0.0.1:{hooks.port}", "delivered", 1)
    assert process.returncode == 0


@pytest.mark.parametrize("way", ["webhook", "mail"])
def test_a_process_killed_between_the_answer_and_its_record_sends_that_page_again_and_no_other(
    way: str, tmp_path: Path, hooks: HookServer, mails: MailServer
) -> None:
    """A page comes twice then, and by the same name; none is lost. The record tells the second."""
    with ExitStack() as stack:
        site = Site(tmp_path, {})
        site.start()
        stack.callback(site.stop)
        ways = {
            "webhook": {"NOTIFY_WEBHOOK": hooks.address},
            "mail": {
                "NOTIFY_SMTP_HOST": "127.0.0.1", "NOTIFY_SMTP_PORT": str(mails.port), "NOTIFY_CA": mails.ca,
                "NOTIFY_SMTP_USER": USER, "NOTIFY_SMTP_PASSWORD": PASSWORD, "NOTIFY_MAIL_TO": DESK_MAIL,
                "NOTIFY_MAIL_FROM": "catwalk@casino.example",
            },
        }  # fmt: skip
        environment = {f"CATWALK_{name}": value for name, value in ways[way].items()}
        environment |= {"CATWALK_DATA": str(tmp_path), "PATH": "/usr/bin:/bin"}
        command = [sys.executable, "-m", "deploy.cli", "notify"]

        def came() -> list[str]:
            ids = [headers["idempotency-key"] for headers, _ in hooks.requests]
            return ids + [mail["Message-ID"] for mail in mails.mails]

        first = start(command, env=environment)
        stack.callback(first.wait, 20)
        stack.callback(first.kill)
        mails.taken = hooks.taken = first.kill
        site.raise_alerts(ALERT)
        until(lambda: len(came()) == 1)
        assert first.wait(20) == -signal.SIGKILL
        assert sent(site.desk) == [], "taken, and not yet on the record"
        mails.taken = hooks.taken = None
        second = start(command, env=environment)
        stack.callback(second.wait, 20)
        stack.callback(second.send_signal, signal.SIGTERM)
        until(lambda: sent(site.desk) != [])
        assert [outcome for *_, outcome, _ in sent(site.desk)] == ["delivered"]
        later = a_finding(2, subject="BJ-19", severity="critical")
        site.raise_alerts(later)
        until(lambda: len(sent(site.desk)) == 2)
        ids = came()
        assert len(ids) == 3
        assert ids[0] == ids[1] != ids[2], "a copy bears the name of the first"


def test_a_folder_without_a_desk_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match=r"desk\.db: no desk yet; start `catwalk console`"),
        desk_of(Settings(data=str(tmp_path)), 0),
    ):
        pass
