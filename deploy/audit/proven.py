"""What a comparison has proven, kept in a file of the data folder: outside the store, for the next comparison.

The file may be deleted: the next comparison then reads the ledger from its first record.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from deploy.private_files import private_files
from deploy.settings import Settings
from processors.runtime.reconcile.proven import ProvenStore, decode, encode

FILE: Final = "reconciled.proven"


def home_of(settings: Settings) -> str:
    """The ledger and the store that were compared."""
    return f"{settings.kafka_prefix} {settings.clickhouse_database}"


def recall_proven(settings: Settings) -> ProvenStore | None:
    """What was proven last; None where that is not known, or another release kept it."""
    try:
        return decode((Path(settings.data) / FILE).read_bytes())
    except OSError:
        return None


def keep_proven(settings: Settings, proven: ProvenStore | None) -> str:
    """Keep what a comparison proved, if it proved anything; why it cannot be kept, or nothing."""
    if proven is None:
        return ""
    folder = Path(settings.data)
    partial = folder / f".{FILE}.partial"
    try:
        with private_files():
            folder.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(encode(proven))
            partial.replace(folder / FILE)
    except OSError as error:
        return f"{folder}: {error.strerror or error}"
    return ""


def forget_proven(settings: Settings) -> None:
    """Forget it: something in the store is not what was proven."""
    with suppress(OSError):
        (Path(settings.data) / FILE).unlink(missing_ok=True)
