"""Ledgers of one stream with their checkpoints, of which bundles are made and verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deploy.evidence import verify as verifier
from tests.checkpoints.houses import KEY, VKEY, House
from tests.commands.run import Catwalk, Ran
from tests.producers.builders import GENESIS, digest, encode

Event = dict[str, Any]


class Place:
    """A ledger of one stream, with its checkpoints."""

    def __init__(self, catwalk: Catwalk, folder: Path, events: list[Event]) -> None:
        self.house, self._catwalk = House(folder), catwalk
        self.stream, self.key = folder / "s.ndjson", folder / "signing.key"
        folder.mkdir(exist_ok=True)
        self.key.write_text(KEY.text)
        lines: list[bytes] = []
        for sequence, event in enumerate(events, 1):
            chain = {"sequence": sequence, "prevhash": digest(lines[-1]) if lines else GENESIS}
            lines.append(encode(event | chain))
        self.stream.write_bytes(b"".join(line + b"\n" for line in lines))
        self.subject = str(events[0]["subject"])
        recorded = catwalk("record", self.stream, "--ledger", self.house.ledger)
        assert recorded.status == 0, recorded
        self.house.writer().write()

    def bundle(self, number: int, out: Path) -> Ran:
        given = ("--ledger", self.house.ledger, "--checkpoints", self.house.log, "--key", VKEY)
        return self._catwalk("evidence", self.subject, number, "--out", out, *given)


def outcome(path: Path, *keys: str) -> int:
    return verifier.main([str(path), *(word for key in keys or (VKEY,) for word in ("--key", key))])
