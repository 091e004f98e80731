"""`catwalk doctor`: what is installed, reachable and configured, and what to do about what is not."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import zoneinfo
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Literal

import click
from msgspec import Struct, structs

from deploy.cli.options import output_format
from deploy.errors import FOUND, UserError
from deploy.private_files import found_open
from deploy.settings import DECLARED, FILE_NAME, PREFIX, Resolved, Settings, load
from schemas.amounts import amount, verb

PATIENCE_MS = 3000  # a server of the same building answers in milliseconds
LEAST_PYTHON = (3, 11)

EPILOG = """\b
Example:
  catwalk doctor
  catwalk doctor --format json
"""


State = Literal["ok", "absent", "failed"]


class Examined(Struct, frozen=True, omit_defaults=True):
    """One thing looked at: `state` `absent` is worth knowing but stops nothing, `failed` does."""

    part: Literal["installed", "reachable", "configured"]
    name: str
    state: State
    found: str
    origin: str = ""
    remedy: str = ""


@click.command("doctor", epilog=EPILOG)
@output_format("Output.")
def command(form: str) -> None:
    """Say what is installed, reachable and configured, and what to do about what is not.

    Exit status 1 when something that the chosen mode needs is missing or does not answer.
    """
    rows = list(examine())
    if form == "json":
        click.echo(json.dumps([structs.asdict(row) for row in rows], indent=1, ensure_ascii=False))
    else:
        click.echo(as_table(rows))
    if any(row.state == "failed" for row in rows):
        raise SystemExit(FOUND)


def examine() -> Iterator[Examined]:
    """Everything the doctor looks at, in the order it is shown."""
    yield from installed()
    try:
        resolved = load()
    except UserError as error:
        yield Examined("configured", error.what, "failed", error.why, "", error.remedy)
        resolved = Resolved(Settings(), {setting.name: "default" for setting in DECLARED}, ())
    yield from reachable(resolved.values)
    yield from configured(resolved)


def installed() -> Iterator[Examined]:
    """Python and every package that is declared, with the version there is and the one declared."""
    version = platform.python_version()
    least = ".".join(map(str, LEAST_PYTHON))
    if sys.version_info >= LEAST_PYTHON:
        yield Examined("installed", "python", "ok", version, f"{least} or later")
    else:
        yield Examined(
            "installed", "python", "failed", version, f"{least} or later", f"install Python {least}"
        )
    yield Examined("installed", "catwalk", "ok", metadata.version("catwalk"))
    for line in metadata.requires("catwalk") or []:
        declared = re.match(r"([\w.-]+)(?:\[[^]]*\])?\s*(?:==)?\s*([^;\s]*)", line)
        extra = re.search(r"extra\s*==\s*[\"']([\w-]+)", line)
        if declared and not (extra and extra.group(1) == "dev"):
            yield _package(declared.group(1), declared.group(2), extra.group(1) if extra else "")


def _package(name: str, wanted: str, extra: str) -> Examined:
    origin = f"{wanted} declared" + (f", for {extra}" if extra else "")
    remedy = f"pip install 'catwalk[{extra}]'" if extra else "make install"
    try:
        found = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Examined("installed", name, "absent" if extra else "failed", "not installed", origin, remedy)
    if wanted and found != wanted:
        return Examined("installed", name, "absent", found, origin, remedy)
    return Examined("installed", name, "ok", found, origin)


def reachable(settings: Settings) -> Iterator[Examined]:
    """The ledger and the store of the mode that is set, and the time zones of properties."""
    if settings.mode == "embedded":
        yield _folder(Path(settings.data))
        yield from _privacy(settings)
        yield _ledger(Path(settings.data) / "ledger.db")
        yield _engine()
        if (Path(settings.data) / "warehouse").is_dir():
            yield _reconciled(settings)
    else:
        yield from _privacy(settings)
        servers = [*_brokers(settings), _journal(Path(settings.data) / "journal.db", settings.journal_days)]
        servers += _server(settings)
        yield from servers
        if not any(row.state == "failed" for row in servers):
            yield _progress(settings)
            yield _reconciled(settings)
    try:
        zone = zoneinfo.ZoneInfo("America/New_York")
        yield _reached("time zones", "ok", str(zone))
    except zoneinfo.ZoneInfoNotFoundError:
        yield _reached("time zones", "failed", "none", "make install (package tzdata)")


def _reached(name: str, state: State, found: str, remedy: str = "") -> Examined:
    return Examined("reachable", name, state, found, remedy=remedy)


def _folder(path: Path) -> Examined:
    there = next(folder for folder in (path.absolute(), *path.absolute().parents) if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        remedy = "set CATWALK_DATA to a folder that can be written"
        return _reached("data folder", "failed", f"{path} cannot be written", remedy)
    found = str(path) if path.exists() else f"{path}, made when first used"
    return _reached("data folder", "ok", found)


def _privacy(settings: Settings) -> Iterator[Examined]:
    """Whether records, desk, users and secrets of the house are for this user alone."""
    for folder in dict.fromkeys((Path(settings.data), Path(settings.console_users or settings.data))):
        if not folder.exists():
            continue
        left = found_open(folder)
        if left is None:
            yield _reached("private files", "ok", f"{folder}, for its user alone")
        else:
            yield _reached("private files", "absent", f"{folder}: {left.told}", left.remedy)


def _ledger(path: Path) -> Examined:
    if not path.exists():
        remedy = "`catwalk demo` or `catwalk record` makes one"
        return _reached("ledger", "absent", f"no {path}", remedy)
    from producers.log import LedgerError
    from producers.sqlite_log import SqliteLog

    try:
        SqliteLog(path, create=False, read_only=True).close()
    except LedgerError as error:
        return _reached("ledger", "failed", str(error), "restore it from a copy, then verify it")
    size = path.stat().st_size / 1e6
    return _reached("ledger", "ok", f"{path}, {size:,.1f} MB")


def _journal(path: Path, days: int) -> Examined:
    if not path.exists():
        return _reached("gateway's journal", "absent", f"no {path}", "a gateway makes one here")
    from producers.kafka.journal import standing
    from producers.log import LedgerError

    try:
        found = standing(path)
    except LedgerError as error:
        return _reached("gateway's journal", "failed", error.why, error.remedy)
    kept = f"acknowledged ones kept {amount(days, 'day')}" if days else "acknowledged ones kept for ever"
    said = f"{path}, {found.size / 1e6:,.1f} MB, {amount(found.records, 'event')}, "
    said += f"{found.waiting:,} {verb(found.waiting, 'waits')}; {kept}"
    return _reached("gateway's journal", "ok", said)


def _engine() -> Examined:
    try:
        from chdb.state.sqlitelike import Connection

        engine = Connection(":memory:")
        version = str(engine.query("SELECT version()", "TabSeparated")).strip()
        engine.close()
    except Exception as error:  # whatever the engine's library fails with, it is not usable
        return _reached("store engine", "failed", str(error).partition("\n")[0], "make install")
    return _reached("store engine", "ok", f"ClickHouse {version} in process")


def _brokers(settings: Settings) -> Iterator[Examined]:
    from deploy.configured.kafka import connection
    from processors.runtime.watch.logs import quiet
    from producers.errors import CaptureError
    from producers.kafka.topics import TopicAdmin

    quiet()  # a row says it
    try:
        with TopicAdmin(connection(settings, PATIENCE_MS)) as admin:
            wanted = admin.forms(settings.kafka_prefix, settings.kafka_partitions, settings.kafka_replication)
            lost, lacking = admin.lost(), admin.lacking(form.name for form in wanted)
            found = f"{settings.kafka}, {admin.brokers() - len(lost)} of {admin.brokers()} there"
            if lost or lacking:
                found += f", lost: {', '.join(map(str, lost)) or 'none'}; "
                found += f"{amount(lacking, 'partition')} {verb(lacking, 'lacks')} a copy"
                yield _reached("kafka brokers", "failed", found, "deploy/runbooks/lost-broker.md")
            else:
                yield _reached("kafka brokers", "ok", found)
            wrong = len({drift.topic for drift in admin.drifts(wanted)})
    except CaptureError as error:
        remedy = f"{error.remedy}, or set CATWALK_KAFKA"
        yield _reached("kafka brokers", "failed", f"{settings.kafka}: {error.why}", remedy)
        return
    if wrong:
        found = f"{wrong} of {len(wanted)} are not as declared"
        yield _reached("topics", "failed", found, "`catwalk topics check` says what to do about each")
    else:
        yield _reached("topics", "ok", f"{len(wanted)}, as declared")
        yield _in_force(settings)


def _in_force(settings: Settings) -> Examined:
    """Which version of the fold consoles show; another than this release's is no fault while one comes in."""
    from deploy.upgrade.versions import read_standing
    from processors.runtime.brokers.preflight import BrokersAway
    from schemas.answers import FOLD_VERSION

    name = "fold in force"
    try:
        fold = read_standing(settings).fold
    except BrokersAway as error:
        return _reached(name, "failed", error.why, error.remedy)
    if fold == FOLD_VERSION:
        return _reached(name, "ok", f"{fold}, by which this release folds")
    found = f"{fold}; this release folds by {FOLD_VERSION}"
    return _reached(name, "absent", found, "`catwalk upgrade status` says how both stand")


def _server(settings: Settings) -> Iterator[Examined]:
    from deploy.configured.store import server, topology
    from processors.runtime.store.form import drifts
    from processors.runtime.store.warehouse import WarehouseError

    # One that is frozen takes connections, and would be waited for as long as a large question may take.
    store = server(settings, PATIENCE_MS / 1000)
    address = f"{settings.clickhouse_host}:{settings.clickhouse_port}"
    try:
        yield _reached("clickhouse server", "ok", f"{address}, ClickHouse {store.version()}")
    except WarehouseError as error:
        remedy = f"{error.remedy}, or set CATWALK_CLICKHOUSE_HOST and CATWALK_CLICKHOUSE_PORT"
        yield _reached("clickhouse server", "failed", f"{address}: {error.why}", remedy)
        return
    try:
        due = store.due()
        wrong = len({drift.relation for drift in drifts(store, topology(settings))})
    except WarehouseError as error:
        yield _reached("relations", "failed", error.why, error.remedy)
        return
    finally:
        store.close()
    if due or wrong:
        found = (
            f"{amount(len(due), 'migration')} {verb(len(due), 'is')} due"
            if due
            else f"{amount(wrong, 'relation')} {verb(wrong, 'is')} not as declared"
        )
        remedy = "`catwalk migrate`" if due else "`catwalk migrate --check` names what is not"
        yield _reached("relations", "failed", found, remedy)
    else:
        yield _reached("relations", "ok", f"database {topology(settings).database}, as declared")


def _progress(settings: Settings) -> Examined:
    """Whether the store holds what the sink's group has acknowledged, and the topics what comes behind it."""
    from deploy.configured.standing import standing
    from processors.runtime.brokers.preflight import BrokersAway
    from processors.runtime.brokers.standing import RecordsMissing

    name = "store's progress"
    try:
        lag = standing(settings)
    except BrokersAway as error:
        return _reached(name, "failed", error.why, error.remedy)
    if lag.unknown:
        return _reached(name, "failed", lag.unknown, "see clickhouse server and relations")
    if lag.faults:
        missing = RecordsMissing(lag.faults)
        return _reached(name, "failed", f"{missing.what}: {missing.why}", missing.remedy)
    return _reached(name, "ok", f"as acknowledged; {amount(lag.behind, 'record')} behind the ledger")


def _reconciled(settings: Settings) -> Examined:
    """What was found when the store was last held against the ledger."""
    from contextlib import closing

    from deploy.configured.store import open_store
    from processors.runtime.reconcile.memory import REMEDY, last_of
    from processors.runtime.store.warehouse import StoreBusy, WarehouseError

    name = "store and ledger"
    try:
        with closing(open_store(settings)) as store:
            last = last_of(store)
    except StoreBusy as error:
        return _reached(name, "absent", f"not looked at: {error.why}", "ask again when that one has ended")
    except WarehouseError as error:
        return _reached(
            name, "absent", f"not known: {error.why}", "`catwalk migrate`, then `catwalk reconcile`"
        )
    if last is None:
        return _reached(name, "absent", "never held against each other", "`catwalk reconcile` does")
    return _reached(name, "ok" if last.well else "failed", str(last), "" if last.well else REMEDY)


def configured(resolved: Resolved) -> Iterator[Examined]:
    """Each setting with its value and where it came from, then what was set but means nothing."""
    for setting in DECLARED:
        value = getattr(resolved.values, setting.name)
        shown = ("set, not shown" if value else "not set") if setting.secret else str(value) or "not set"
        yield Examined("configured", setting.name, "ok", shown, resolved.origins[setting.name])
    for name in resolved.unknown:
        remedy = f"no setting of that name; unset it, or correct it to a {PREFIX}... of the list"
        yield Examined("configured", name, "absent", "means nothing", "environment", remedy)


def as_table(rows: list[Examined]) -> str:
    """The rows for a person: one section for each part, remedies below what they are about."""
    marks = {"ok": "  ", "absent": "- ", "failed": "! "}
    lines: list[str] = []
    for part in dict.fromkeys(row.part for row in rows):
        chosen = [row for row in rows if row.part == part]
        names = max(len(row.name) for row in chosen)
        values = min(max(len(row.found) for row in chosen), 44)
        lines.append(part)
        for row in chosen:
            origin = f"  {row.origin}" if row.origin else ""
            lines.append(f"{marks[row.state]}{row.name:<{names}}  {row.found:<{values}}{origin}".rstrip())
            if row.remedy:
                lines.append(f"  {'':<{names}}  -> {row.remedy}")
        lines.append("")
    failed = sum(row.state == "failed" for row in rows)
    wrong = f"{failed} failed (!); settings may also stand in {FILE_NAME}"
    return "\n".join([*lines, wrong if failed else "all that is needed is there"])
