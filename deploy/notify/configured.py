"""The channels and rules that the settings name; what would send a password in clear is refused."""

from __future__ import annotations

import datetime as dt
import ipaddress
from collections.abc import Callable
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from deploy.errors import UserError
from deploy.notify.channels import Channel, Mailbox, Webhook
from deploy.notify.pager import Rules
from deploy.settings import Settings

_NONE = "set notify_smtp_host, notify_mail_from and notify_mail_to, or notify_webhook"


def channels_of(settings: Settings, clock: Callable[[], dt.datetime]) -> tuple[Channel, ...]:
    """The channels that are set.

    Raises:
        UserError: there is none, or one is set in part or wrongly.
    """
    if settings.notify_ca and not Path(settings.notify_ca).is_file():
        raise UserError(f"setting notify_ca {settings.notify_ca}", "no such file", "name a PEM file")
    found: list[Channel] = []
    if settings.notify_smtp_host:
        found += _mailboxes(settings, clock)
    elif settings.notify_mail_to or settings.notify_mail_from:
        raise UserError("setting notify_smtp_host", "mail has no server", "name the one that takes it")
    if settings.notify_webhook:
        found.append(_webhook(settings))
    if not found:
        raise UserError("catwalk notify", "no channel is set, so nobody would be paged", _NONE)
    return tuple(found)


def rules_of(settings: Settings) -> Rules:
    """Which alerts are sent.

    Raises:
        UserError: the address of the console is none.
    """
    console = settings.notify_console.rstrip("/")
    if console and (urlsplit(console).scheme not in ("http", "https") or not urlsplit(console).hostname):
        raise UserError(f"setting notify_console {console}", "no address of a page", "write https://HOST")
    within = dt.timedelta(minutes=settings.notify_within_minutes)
    return Rules(severity=settings.notify_severity, within=within, console=console)


def _mailboxes(settings: Settings, clock: Callable[[], dt.datetime]) -> list[Mailbox]:
    people = tuple(one.strip() for one in settings.notify_mail_to.split(",") if one.strip())
    for name, address in (
        ("notify_mail_from", settings.notify_mail_from),
        *(("notify_mail_to", one) for one in people or ("",)),
    ):
        if "@" not in parseaddr(address)[1] or not address.isprintable():
            raise UserError(
                f"setting {name} {address}".rstrip(), "no address of mail", "write desk@casino.example"
            )
    if settings.notify_smtp_security == "none" and not _is_here(settings.notify_smtp_host):
        why = "pages, and the password, would go over the network in clear"
        raise UserError("setting notify_smtp_security", why, "use starttls or tls")
    return [
        Mailbox(
            host=settings.notify_smtp_host,
            port=settings.notify_smtp_port,
            security=settings.notify_smtp_security,
            sender=settings.notify_mail_from,
            to=person,
            clock=clock,
            user=settings.notify_smtp_user,
            password=settings.notify_smtp_password,
            ca=settings.notify_ca,
        )
        for person in dict.fromkeys(people)
    ]


def _webhook(settings: Settings) -> Webhook:
    parts = urlsplit(settings.notify_webhook)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        remedy = "write https://HOST/PATH; a key goes into notify_webhook_token"
        raise UserError("setting notify_webhook", "no address that takes a POST", remedy)
    if parts.scheme == "http" and not _is_here(parts.hostname):
        raise UserError("setting notify_webhook", "pages would go over the network in clear", "use https")
    return Webhook(settings.notify_webhook, settings.notify_webhook_token, settings.notify_ca)


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
