"""What a setting must look like: a setting that cannot work is refused when it is read, with a remedy.

Settings that name roles, families of detectors or other things of the product are held against their lists where they
are used.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any, Final

from deploy.errors import UserError

Wrong = Callable[[str], str]
"""Says what is wrong with a text; empty if nothing is."""
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TOPIC: Final = re.compile(r"[A-Za-z0-9._-]*")


def _host(text: str) -> str:
    """Of a name or an address: Unicode names have to be writable for the name service (RFC 5891)."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        pass
    else:
        return ""
    try:
        name = text.encode("idna").decode("ascii")
    except UnicodeError:
        return "no name of a host"
    return "" if re.fullmatch(r"[A-Za-z0-9._-]+", name) else "no name of a host"


def _brokers(text: str) -> str:
    for broker in text.split(","):
        host, _, port = broker.strip().rpartition(":")
        if not host or not port.isdecimal() or not 1 <= int(port) <= 65535:
            return f"{broker.strip()!r} is no broker"
        if wrong := _host(host.removeprefix("[").removesuffix("]")):
            return f"{host!r} is {wrong}"
    return ""


def _spelt(pattern: re.Pattern[str], what: str) -> Wrong:
    return lambda text: "" if pattern.fullmatch(text) else what


def _filled(needed: tuple[str, ...], also: tuple[str, ...]) -> Wrong:
    """Of an address with names in braces to be filled in: `needed` names, and names that may stand there `also`."""

    def wrong(text: str) -> str:
        try:
            names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
        except ValueError:
            return "a brace without its other one"
        unknown = [name for name in names if name not in (*needed, *also)]
        lacking = [name for name in needed if name not in names]
        if unknown:
            return f"nothing is filled in for {{{unknown[0]}}}"
        return f"it lacks {{{lacking[0]}}}" if lacking else ""

    return wrong


_HOST: Final = (_host, "write a name or an address, without a port")
_FORMS: Final[Mapping[str, tuple[Wrong, str]]] = {
    "kafka": (_brokers, "write host:port, separated by commas"),
    "kafka_prefix": (
        _spelt(_TOPIC, "no part of a topic's name"),
        "letters, digits, dots, - and _ may stand in it",
    ),
    "clickhouse_host": _HOST,
    "clickhouse_database": (_spelt(_IDENTIFIER, "no name of a database"), "write letters, digits and _"),
    "clickhouse_cluster": (_spelt(_TOPIC, "no name of a cluster"), "write letters, digits, dots, - and _"),
    "health_host": _HOST,
    "console_host": _HOST,
    "notify_smtp_host": _HOST,
    "video": (
        _filled(("camera", "time"), ("subject", "sequence")),
        "write https://HOST/...{camera}...{time}; {subject} and {sequence} may stand in it too",
    ),
    "video_clip": (
        _filled(("camera", "from", "until"), ("subject",)),
        "write https://HOST/...{camera}...{from}...{until}; {subject} may stand in it too",
    ),
}
"""Of each setting that has a form: what is wrong with a text, and what to write."""
_NEVER_EMPTY: Final = ("kafka", "clickhouse_host", "clickhouse_database", "health_host", "console_host")


def refuse_misformed(values: Mapping[str, Any], origins: Mapping[str, str]) -> None:
    """Refuse what cannot work; a setting that may be empty and is has no form.

    Args:
        values: the settings that are not left at their default.
        origins: where each was set.

    Raises:
        UserError: the first that is not as it must be.
    """
    for name, (wrong, remedy) in _FORMS.items():
        text = values.get(name)
        if text is None or (not text and name not in _NEVER_EMPTY):
            continue
        if found := wrong(text) if text else "it is empty":
            raise UserError(
                f"setting {name} ({origins[name]})", f"{found}: {text!r}" if text else found, remedy
            )
