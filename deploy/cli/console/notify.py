"""`catwalk notify`: alerts that call somebody, by mail or webhook."""

from __future__ import annotations

import datetime as dt
import sys

import click

from dashboards.ledger.ledger import DeskAltered, DeskUnavailable, MemoryFailed
from deploy.cli.options import SECONDS, health_port
from deploy.configured.workers import run_worker
from deploy.console.desk_memory import memory_failed
from deploy.errors import IMPOSSIBLE, UserError
from deploy.notify.channels import Channel, NotDelivered
from deploy.notify.configured import channels_of, rules_of
from deploy.notify.message import Page
from deploy.notify.process import desk_of, run, utc_now
from deploy.settings import load

EPILOG = """\b
Example:
  catwalk notify --test
  CATWALK_NOTIFY_SMTP_PASSWORD_FILE=/run/secrets/smtp catwalk notify

\b
Runs beside `catwalk console`, on the same data folder or the same brokers. Each
new alert of setting notify_severity or graver goes to every channel that is set,
once. What a server does not take is sent again, at first after 5 seconds, at last
every 5 minutes, until notify_within_minutes are over. What was sent to whom, when,
and what came of it is on the desk's record and in the alert's history. A page says
check, clauses, table and money, and never a card.
"""


@click.command("notify", epilog=EPILOG)
@click.option(
    "--test", is_flag=True, help="Send one message that says it is a test to each channel, and end."
)
@click.option(
    "--start", default=30.0, type=SECONDS, metavar="SECONDS",
    help="How long brokers that do not answer yet are waited for (distributed).",
)  # fmt: skip
@health_port
def command(test: bool, start: float, health_port: int | None) -> None:
    """Send new alerts to the mailboxes and pagers that the settings name."""
    settings = load({"health_port": health_port}).values
    channels, rules = channels_of(settings, utc_now), rules_of(settings)
    if test:
        _try(channels, rules.console)
        return
    try:
        with desk_of(settings, start) as desk:
            whom = "; ".join(f"{one.name} to {one.to}" for one in channels)
            click.echo(f"catwalk: pages of {rules.severity} alerts: {whom}", err=True)
            where = settings.health_host, settings.health_port
            run_worker("notify", lambda stop: run(desk, channels, rules, where, stop))
    except MemoryFailed as error:
        raise memory_failed(error) from error
    except DeskAltered as error:
        remedy = "see docs/security.md: restore a copy, or `catwalk console accept`"
        raise UserError("the desk's record", str(error), remedy) from error
    except DeskUnavailable as error:
        remedy = "start it again when the disk, or the brokers, are well"
        raise UserError("notify", str(error), remedy) from error


def _try(channels: tuple[Channel, ...], console: str) -> None:
    """Send a message to each channel, and say what came of it."""
    page = a_test(utc_now(), console)
    failed = False
    for channel in channels:
        try:
            click.echo(f"{channel.name} to {channel.to}: {channel.send([page])}")
        except NotDelivered as error:
            failed = True
            click.echo(f"{channel.name} to {channel.to}: not delivered: {error}")
    if failed:
        sys.exit(IMPOSSIBLE)


def a_test(now: dt.datetime, console: str) -> Page:
    """A message that nobody can take for an alert."""
    return Page(
        id=f"test-{now:%Y%m%dT%H%M%S}",
        severity="test",
        table="no table",
        round=None,
        seat=None,
        dealer=None,
        check="",
        cites=(),
        money_cents=0,
        says="This is a test of pages. Nothing has happened.",
        event_at=now,
        raised_at=now,
        link=console,
    )
