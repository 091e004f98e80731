"""The files that are not derived: where each of them is in a home, and what it is called in a copy of it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from deploy.backup.manifest import FILE, Holds
from deploy.configured.desk_ledger import FILE as DESK
from deploy.configured.embedded import LEDGER
from deploy.console.case_files import case_files_folder
from deploy.console.desk_memory import FILE as MEMORY
from deploy.console.desk_memory import users_folder
from deploy.console.server import ACCOUNTS_FILE as USERS
from deploy.demo.tables import FILE as DEMONSTRATION
from deploy.errors import UserError
from deploy.settings import FILE_NAME, FILE_VARIABLE, Settings

_DIGEST = re.compile(r"[0-9a-f]{64}")
JOURNAL = "journal.db"
SETTINGS = FILE_NAME
KEYS = "keys.toml"
# In the order in which they are copied, and put back: the ledger is last, for without it nothing begins to work.
DATABASES: tuple[Holds, ...] = ("users", "desk", "journal", "ledger")


class Source(Struct, frozen=True):
    """One file of a home."""

    name: str
    holds: Holds
    path: Path


def sources_of(settings: Settings, others: Sequence[Path], keys: Path | None) -> list[Source]:
    """What there is to be copied: of the data folder, of the users' folder, and what is named besides.

    Raises:
        UserError: what is named is not there, or two files would be one in the copy.
    """
    data, users = Path(settings.data), users_folder(settings)
    usual: list[Source] = [Source(USERS, "users", users / USERS)]
    if settings.mode == "embedded":
        usual.append(Source(DESK, "desk", data / DESK))
    usual.append(Source(JOURNAL, "journal", data / JOURNAL))
    if settings.mode == "embedded":
        usual.append(Source(LEDGER, "ledger", data / LEDGER))
    usual.append(Source(DEMONSTRATION, "demonstration", data / DEMONSTRATION))
    usual.append(Source(SETTINGS, "settings", Path(os.environ.get(FILE_VARIABLE) or SETTINGS)))
    found = [one for one in usual if one.path.is_file()]
    given = [Source(path.name, "journal", path) for path in others]
    given += [Source(KEYS, "keys", keys)] if keys is not None else []
    taken = {one.name for one in usual} | {MEMORY, FILE}
    for one in given:
        if not one.path.is_file():
            raise UserError(str(one.path), "there is no such file", "check the path")
        if one.name in taken:
            raise UserError(
                str(one.path), f"the copy has another {one.name} already", "rename one of the files"
            )
        taken.add(one.name)
    order = {holds: number for number, holds in enumerate(DATABASES)}
    return sorted([*found, *given], key=lambda one: order.get(one.holds, -1))


def attachments_of(settings: Settings) -> list[Source]:
    """The files attached to cases; each bears its SHA-256 as its name, here and in the copy."""
    folder = case_files_folder(settings)
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    return [Source(path.name, "attachment", path) for path in paths if _DIGEST.fullmatch(path.name)]
