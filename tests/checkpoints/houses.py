"""A small house with a log of checkpoints beside it, and what somebody with the disk can do to it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random

from dashboards.ledger.acts import write
from deploy.checkpoints.keys import Signing
from deploy.checkpoints.writing import CheckpointWriter
from producers.log import EMPTY, Head
from producers.sqlite_log import SqliteLog
from schemas.tlog.keys import signer
from tests.console.desk_building import a_finding, a_raise, after
from tests.producers.builders import GENESIS, chained, device_event, digest, encode

KEY = signer("parkside.example/log", bytes(range(32)))
OTHER = signer("parkside.example/log", bytes(range(1, 33)))
VKEY = KEY.verifier.text
TABLES = ("BJ-1", "BJ-2", "FB-3")


class House:
    """A data folder, and outside of it the folder of checkpoints."""

    def __init__(self, root: Path) -> None:
        self.data, self.log = root / "data", root / "checkpoints"
        self.ledger, self.desk = self.data / "ledger.db", self.data / "desk.db"

    def writer(self, key: Signing | None = None) -> CheckpointWriter:
        return CheckpointWriter(self.log, key or Signing(KEY), self.ledger, self.desk)

    def record(self, subject: str, count: int) -> None:
        """Append so many records to a table."""
        with closing(SqliteLog(self.ledger)) as log:
            head = log.head(subject)
            for _ in range(count):
                line = chained(device_event(head.sequence + 1, subject), head.sequence + 1, head.hash)
                head = log.append(subject, [line], head)

    def act(self, count: int) -> None:
        """Append so many acts to the desk's record."""
        with closing(SqliteLog(self.desk)) as log:
            head = log.head("desk")
            for _ in range(count):
                number = head.sequence + 1
                line = write(a_raise(a_finding(number)), "desk", after(number), number, head.hash)
                head = log.append("desk", [line], head)

    def lines(self) -> dict[str, list[bytes]]:
        """All records, tables and desk."""
        found: dict[str, list[bytes]] = {}
        for path in (self.ledger, self.desk):
            if path.exists():
                with closing(SqliteLog(path, read_only=True)) as log:
                    found |= {one: [line for _, line in log.read_from(one)] for one in log.subjects()}
        return found

    def write_anew(self, lines: dict[str, list[bytes]]) -> None:
        """Put these records in the place of all, in ledgers that know nothing of what was there."""
        for path in (self.ledger, self.desk):
            for beside in ("", "-wal", "-shm"):
                Path(f"{path}{beside}").unlink(missing_ok=True)
        for subject, told in lines.items():
            with closing(SqliteLog(self.desk if subject == "desk" else self.ledger)) as log:
                log.append(subject, told, EMPTY)

    def harm(self, path: Path, *statements: str) -> None:
        """Change a ledger's file directly, as its own program never would."""
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            for name, relation in file.execute(
                "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"
            ):
                assert relation
                file.execute(f"DROP TRIGGER {name}")
            for statement in statements:
                file.execute(statement)

    def notes(self) -> list[int]:
        return sorted(int(path.stem) for path in self.log.glob("*.note"))

    def copied(self, root: Path) -> House:
        """The same house somewhere else."""
        shutil.copytree(self.data, root / "data")
        shutil.copytree(self.log, root / "checkpoints")
        return House(root)


def built(root: Path, seed: int = 1, rounds: int = 6) -> House:
    """A house that grew at random between its checkpoints."""
    choose = Random(seed)
    house = House(root)
    writer = house.writer()
    for _ in range(rounds):
        for subject in TABLES:
            house.record(subject, choose.randrange(1, 6))
        house.act(choose.randrange(1, 3))
        writer.write()
    return house


def rechained(lines: Iterable[bytes]) -> list[bytes]:
    """The records chained anew, as somebody would who wants nothing to be seen."""
    anew: list[bytes] = []
    for sequence, line in enumerate(lines, 1):
        prevhash = digest(anew[-1]) if anew else GENESIS
        event = json.loads(line)
        said = {"sequence": sequence, "prevhash": prevhash}
        if event["type"] == "catwalk.desk.v1":
            said["id"] = f"desk-{sequence}"
        anew.append(encode(event | said))
    return anew


def head_of(lines: list[bytes]) -> Head:
    return Head(len(lines), digest(lines[-1]))
