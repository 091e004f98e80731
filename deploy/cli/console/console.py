"""`catwalk console`: alerts of the data folder, or of a whole property, in the browser, and who may sign in."""

from __future__ import annotations

import ipaddress
import sys
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import click

from dashboards.desk.desk import Desk
from dashboards.ledger.ledger import DeskUnavailable, MemoryFailed
from deploy.cli.console.accept import accept
from deploy.cli.console.users import users
from deploy.cli.options import SECONDS
from deploy.console.desk_memory import memory_failed, users_folder
from deploy.console.rules import sign_in_rules
from deploy.console.server import Served, accounts_of, serve
from deploy.errors import UserError
from deploy.private_files import keep_private
from deploy.settings import Settings, load
from deploy.stack.ports import TAKEN, why_not
from processors.runtime.watch.logs import write_logs
from schemas.amounts import amount

EPILOG = """\b
Example:
  catwalk record examples/lawful_free_bet_590.ndjson
  catwalk console user add hale --role surveillance
  catwalk console
  catwalk console --host 0.0.0.0 --origin https://console.example

\b
Off this machine a console is reached by TLS alone: put a proxy that ends TLS in
front of it and name the address people type with --origin. While it runs, it
holds the store of the data folder; `catwalk record` goes on writing the ledger,
and what is found there is at the desk at once.

\b
With mode=distributed the desk is a topic on the brokers, alerts come from the
topic of findings and records from ClickHouse: start as many as you like, each
serves the same desk. What is not on the brokers is who may sign in.
"""


@click.group("console", epilog=EPILOG, invoke_without_command=True)
@click.option("--host", metavar="ADDRESS", help="Address to listen on.  [default: setting console_host]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: console_port]")
@click.option(
    "--origin", "origins", multiple=True, metavar="URL",
    help="What people type, if not this address: https://console.example. May be given again.",
)  # fmt: skip
@click.option(
    "--start", default=30.0, type=SECONDS, metavar="SECONDS",
    help="How long brokers that do not answer yet are waited for (distributed).",
)  # fmt: skip
@click.option(
    "--health-port", type=click.IntRange(0, 65535),
    help="Health and metrics (distributed).  [default: setting health_port]",
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    host: str | None,
    port: int | None,
    origins: tuple[str, ...],
    start: float,
    health_port: int | None,
) -> None:
    """Serve the console: sign-in, open alerts, their life as JSON, and the live feed."""
    if ctx.invoked_subcommand is not None:
        return
    settings = load({"console_host": host, "console_port": port, "health_port": health_port}).values
    served = Served(settings.console_host, settings.console_port, origins_of(settings, origins))
    sign_in_rules(settings, served.origins)
    keep_private(Path(settings.data), users_folder(settings))
    _require_port(served)
    _require_users(settings)
    if served.origins[0].startswith("https:") and not settings.console_proxies:
        click.echo("catwalk: console: console_proxies names no proxy: all people share its address", err=True)

    def ready(desk: Desk) -> None:
        alerts = len(desk.snapshot().alerts)
        click.echo(f"catwalk: {amount(alerts, 'open alert')}; sign in at {served.origins[0]}", err=True)

    try:
        if settings.mode == "distributed":
            # Imported here: the embedded console needs no client of the brokers.
            from deploy.console.live import serve_live

            write_logs("console", sys.stderr)
            serve_live(settings, served, ready, start)
        else:
            serve(settings, served, ready)
    except MemoryFailed as error:
        raise memory_failed(error) from error
    except DeskUnavailable as error:
        remedy = "start it again when the disk, or the brokers, are well"
        raise UserError("console", str(error), remedy) from error


command.add_command(users)
command.add_command(accept)


_PORTS = {"http": 80, "https": 443}  # which browsers leave out


def origins_of(settings: Settings, given: tuple[str, ...]) -> tuple[str, ...]:
    """The pages the console answers to; without TLS only on this machine."""
    if given:
        return tuple(dict.fromkeys(map(_origin, given)))
    if not _is_this_machine(settings.console_host):
        remedy = "end TLS in a proxy before it and name its address: --origin https://HOST"
        raise UserError(f"console on {settings.console_host}", "it is reached from other machines", remedy)
    return tuple(f"http://{name}:{settings.console_port}" for name in ("127.0.0.1", "localhost"))


def _origin(given: str) -> str:
    """An origin as browsers write it: small letters, no default port, an international name in ASCII (RFC 6454)."""
    remedy = "write https://HOST or https://HOST:PORT"
    try:
        parts = urlsplit(given.strip())
        port, host = parts.port, (parts.hostname or "").encode("idna").decode()
    except ValueError as error:
        raise UserError(f"origin {given}", f"no origin of a page ({error})", remedy) from error
    bare = not (parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc)
    if parts.scheme not in _PORTS or not host or not bare:
        raise UserError(f"origin {given}", "no origin of a page", remedy)
    if parts.scheme == "http" and not _is_this_machine(host):
        raise UserError(f"origin {given}", "passwords would go over the network in clear", "use https")
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}" + (f":{port}" if port not in (None, _PORTS[parts.scheme]) else "")


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _require_port(served: Served) -> None:
    why = why_not(served.host, served.port)
    if why:
        remedy = "stop that, or name another with --port" if why == TAKEN else "choose --host and --port anew"
        raise UserError(f"console at port {served.port} of {served.host}", why, remedy)


def _require_users(settings: Settings) -> None:
    with closing(accounts_of(users_folder(settings))) as accounts:
        if any(not disabled for _, _, disabled in accounts.users()):
            return
    if settings.oidc_issuer:  # it knows who they are
        return
    remedy = "create one: catwalk console user add NAME --role surveillance"
    if settings.mode != "distributed":
        raise UserError("console", "no user may sign in", remedy)
    # Where a supervisor starts it, users are made while it runs.
    click.echo(f"catwalk: console: no user may sign in yet; {remedy}", err=True)
