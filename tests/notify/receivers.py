"""A mail server with STARTTLS and sign-in, and an HTTP server that can refuse, both on this machine."""

from __future__ import annotations

import datetime as dt
import ipaddress
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.browser.site import free_port

USER, PASSWORD, TOKEN = "catwalk", "a pager's password", "a token of 20 letters"


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(here, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "mail.pem", folder / "mail.key"
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )
    return public, private


@dataclass
class MailServer:
    """Mails that came; while `closed` says something, every mail is refused with it, and those to `unknown` always.

    `taken` is called with each, before its sender is answered.
    """

    port: int = 0
    ca: str = ""
    closed: str = ""
    unknown: frozenset[str] = frozenset()
    taken: Callable[[], None] | None = None
    mails: list[EmailMessage] = field(default_factory=list)
    people: list[list[str]] = field(default_factory=list)

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address in self.unknown:
            return "550 nobody has that name here"
        envelope.rcpt_tos.append(address)
        return "250 known"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        if self.closed:
            return self.closed
        content = envelope.content
        assert isinstance(content, bytes)
        mail = message_from_bytes(content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.people.append(list(envelope.rcpt_tos))
        if self.taken is not None:
            self.taken()
        return "250 taken"


def _signs_in(
    _server: object, _session: object, _envelope: object, _mechanism: str, given: Any
) -> AuthResult:
    """By the first mechanism that the client tries, which is one with name and password."""
    assert isinstance(given, LoginPassword)
    right = (given.login, given.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False)


@contextmanager
def mail_server(folder: Path) -> Iterator[MailServer]:
    """A server that takes mail by TLS alone, from who signs in."""
    public, private = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(public, private)
    held = MailServer(free_port(), str(public))
    controller = Controller(
        held, "127.0.0.1", held.port, tls_context=context, require_starttls=True,
        auth_required=True, auth_require_tls=True, authenticator=_signs_in,
    )  # fmt: skip
    controller.start()
    try:
        yield held
    finally:
        controller.stop()


@dataclass
class HookServer:
    """Requests that came, refused ones too: headers and body; `answers` are given first, then 204.

    `taken` is called with each, before its sender is answered.
    """

    port: int = 0
    taken: Callable[[], None] | None = None
    answers: list[int] = field(default_factory=list)
    requests: list[tuple[dict[str, str], Any]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks/a-key-in-the-path"


@contextmanager
def hook_server() -> Iterator[HookServer]:
    """A server of HTTP that takes a POST."""
    held = HookServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            held.requests.append((headers, json.loads(body)))
            if held.taken is not None:
                held.taken()
            self.send_response(held.answers.pop(0) if held.answers else 204)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    held.port = server.server_port
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield held
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
