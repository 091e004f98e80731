"""What the gateway cannot do, said so that a person can act on it."""

from __future__ import annotations

from pathlib import Path

from producers.errors import CaptureError


class FencedOut(CaptureError):
    """This gateway may not, or no longer, write a table."""

    def __init__(self, subject: str, why: str, remedy: str) -> None:
        super().__init__(f"table {subject}", why, remedy)
        self.subject = subject


class KafkaAway(CaptureError):
    """Kafka could not be reached for as long as it was waited for, or refuses what waiting does not cure."""


class JournalInUse(CaptureError):
    """Two gateways over one journal: each would send what the other sends."""

    def __init__(self, path: Path) -> None:
        why = "another gateway is using this journal"
        super().__init__(str(path), why, "wait for it, or name another file by --ledger")
