"""Where pages go: a mailbox by SMTP (RFC 5321, 3207, 4954), and a pager or chat by a webhook."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Protocol

import httpx
import msgspec

from deploy.notify.message import Page, as_json, as_mail, digest

SECONDS: Final = 15.0  # that a server has for each answer
_SHOWN: Final = 200  # characters of what a server says


class NotDelivered(Exception):
    """The other side did not take a page; the text says why, in its words, without any secret."""


class Channel(Protocol):
    """A way on which pages go out."""

    @property
    def name(self) -> Literal["mail", "webhook"]:
        """Which kind of way it is."""

    @property
    def to(self) -> str:
        """Who is at its end, for the record: no secret stands in it."""

    def send(self, pages: Sequence[Page]) -> str:
        """Send some alerts as one message; what the other side said to it. Raise NotDelivered if it was not taken."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Mail to one person, so that whom a server refuses makes nobody else's come again.

    `security` is `starttls`, `tls` from the first byte, or `none`.
    """

    host: str
    port: int
    security: Literal["starttls", "tls", "none"]
    sender: str
    to: str
    clock: Callable[[], datetime]
    user: str = ""
    password: str = ""
    ca: str = ""
    seconds: float = SECONDS
    name: Literal["mail"] = "mail"

    def send(self, pages: Sequence[Page]) -> str:
        """Send one mail."""
        mail = as_mail(pages, self.sender, self.to, self.clock())
        try:
            with self._connected() as server:
                server.send_message(mail)
        except (smtplib.SMTPException, OSError, ValueError) as error:
            raise NotDelivered(_why(error)) from error
        return f"{self.host} took it"

    def _connected(self) -> smtplib.SMTP:
        context = ssl.create_default_context(cafile=self.ca or None)
        server: smtplib.SMTP
        if self.security == "tls":
            server = smtplib.SMTP_SSL(self.host, self.port, timeout=self.seconds, context=context)
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=self.seconds)
        try:
            if self.security == "starttls":
                server.starttls(context=context)
            if self.user:
                server.login(self.user, self.password)
        except BaseException:
            server.close()
            raise
        return server


@dataclass(frozen=True, slots=True)
class Webhook:
    """A POST of JSON to an address; `token` goes as a bearer token, `ca` signs the server's certificate."""

    address: str
    token: str = ""
    ca: str = ""
    seconds: float = SECONDS
    name: Literal["webhook"] = "webhook"

    @property
    def to(self) -> str:
        """Scheme and host alone: many services have their key in the path."""
        url = httpx.URL(self.address)
        return f"{url.scheme}://{url.netloc.decode()}"

    def send(self, pages: Sequence[Page]) -> str:
        """Send one request; any answer but 2xx is no delivery, and redirects are not followed."""
        headers = {"content-type": "application/json", "idempotency-key": digest(pages)}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        try:
            context = ssl.create_default_context(cafile=self.ca or None)
            with httpx.Client(timeout=self.seconds, verify=context, trust_env=False) as client:
                answer = client.post(
                    self.address, content=msgspec.json.encode(as_json(pages)), headers=headers
                )
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise NotDelivered(_why(error)) from error
        if not answer.is_success:
            raise NotDelivered(f"it answered {answer.status_code} {answer.reason_phrase}".rstrip())
        return f"it answered {answer.status_code}"


def _why(error: object) -> str:
    """What a server or the system said, in one line."""
    match error:
        case smtplib.SMTPResponseException(smtp_code=code, smtp_error=said):
            text = f"{code} {_decoded(said)}"
        case smtplib.SMTPRecipientsRefused(recipients=recipients):
            text = "; ".join(f"{one}: {code} {_decoded(said)}" for one, (code, said) in recipients.items())
        case _:
            text = f"{type(error).__name__}: {error}"
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())[:_SHOWN]


def _decoded(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said
