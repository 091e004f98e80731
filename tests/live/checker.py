"""An independent checker: it reads the inputs and ClickHouse, knows nothing of workers, and trusts neither.

N events in are N distinct rows out and none extra; rounds, findings and dead letters are those of a clean run of the
pipeline; hands, stakes and racks are what the rounds' own lines say; duplicates that were delivered are counted apart.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from clickhouse_driver import Client

from processors.pipeline import TablePipeline
from tests.live.servers import database_of

STORE_CHECK = "integrity.store"


@dataclass
class Verdict:
    """What was found wrong, and how many rows were stored more than once before merging."""

    wrong: list[str] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    duplicates: int = 0

    def holds(self, what: str, found: object, wanted: object) -> None:
        """Note a difference."""
        if found != wanted:
            self.wrong.append(f"{what}: {str(found)[:200]} instead of {str(wanted)[:200]}")


def check(
    environment: Mapping[str, str],
    tables: Mapping[bytes, Sequence[bytes]],
    set_aside: Sequence[tuple[bytes, bytes]] = (),
) -> Verdict:
    """Hold a database against the lines that were put in, by table; some are to be set aside, said with their key."""
    client = Client(environment["CATWALK_CLICKHOUSE_HOST"], port=int(environment["CATWALK_CLICKHOUSE_PORT"]))
    database = database_of(environment)
    try:
        return _check(_Store(client, database), tables, set_aside)
    finally:
        client.disconnect()


class _Store:
    def __init__(self, client: Client, database: str) -> None:
        self._client, self._database = client, database

    def rows(
        self, relation: str, columns: str, where: str = "1", final: bool = True
    ) -> list[tuple[Any, ...]]:
        table = f"`{self._database}`.{relation}{' FINAL' if final else ''}"
        found: list[tuple[Any, ...]] = self._client.execute(f"SELECT {columns} FROM {table} WHERE {where}")
        return found


def _check(
    store: _Store, tables: Mapping[bytes, Sequence[bytes]], set_aside: Sequence[tuple[bytes, bytes]]
) -> Verdict:
    verdict = Verdict()
    aside = {(key.decode(), line) for key, line in set_aside}
    lines = {(key.decode(), line) for key, mine in tables.items() for line in mine} - aside
    _hold_letters(verdict, store, set_aside)
    held = store.rows("events", "subject, line, sequence, row_hash")
    verdict.holds("events in the store", len(held), len(lines))
    verdict.holds("distinct events", len({(row[0], row[2]) for row in held}), len(lines))
    strange = {(row[0], row[1].encode()) for row in held} ^ lines
    verdict.holds("events that are not those put in", len(strange), 0)
    for subject, line, sequence, row_hash in held:
        digest = hashlib.sha256(line.encode()).digest()
        if int.from_bytes(digest[:8], signed=True) != row_hash or json.loads(line)["sequence"] != sequence:
            verdict.wrong.append(f"event {sequence} of {subject} does not carry its own hash or number")
    rounds, findings = _clean(tables)
    stored = {record for (record,) in store.rows("rounds", "record")}
    verdict.holds("rounds", stored, rounds)
    stored = {record for (record,) in store.rows("findings", "record", f"check_id != '{STORE_CHECK}'")}
    verdict.holds("findings", stored, findings)
    verdict.holds("rows held otherwise", store.rows("findings", "record", f"check_id = '{STORE_CHECK}'"), [])
    _hold_parts(verdict, store, rounds)
    for relation in (
        "events",
        "patrons",
        "account_events",
        "rounds",
        "hands",
        "stakes",
        "takings",
        "racks",
        "findings",
        "dead_letters",
    ):
        [(final,)] = store.rows(relation, "count()")
        [(every,)] = store.rows(relation, "count()", final=False)
        verdict.rows[relation] = final
        verdict.duplicates += every - final
    return verdict


def _clean(tables: Mapping[bytes, Sequence[bytes]]) -> tuple[set[str], set[str]]:
    """Lines of rounds and findings that one undisturbed pipeline for each table makes."""
    rounds: set[str] = set()
    findings: set[str] = set()
    for key, lines in tables.items():
        pipeline = TablePipeline(key.decode())
        for line in lines:
            outcome = pipeline.advance(line)
            rounds |= {msgspec.json.encode(one).decode() for one in outcome.rounds}
            findings |= {msgspec.json.encode(one).decode() for one in outcome.findings}
    return rounds, findings


def _hold_letters(verdict: Verdict, store: _Store, set_aside: Sequence[tuple[bytes, bytes]]) -> None:
    """What was set aside is there with its bytes, their digest, why, and where it came from; and nothing else is."""
    held = store.rows("dead_letters", "subject, bytes_base64, digest, reason, origin, sequence")
    found = Counter((subject, base64.b64decode(content)) for subject, content, *_ in held)
    verdict.holds("lines set aside", found, Counter((key.decode(), line) for key, line in set_aside))
    for _, content, digest, reason, origin, sequence in held:
        whole = hashlib.sha256(base64.b64decode(content)).hexdigest() == digest
        placed = (
            sequence > 0 if origin == "ledger" else "@" in origin
        )  # in its table's chain, or at its offset
        if not (whole and reason and placed):
            verdict.wrong.append(f"a line set aside says {reason!r} of {origin!r}, digest {whole}")


def _hold_parts(verdict: Verdict, store: _Store, rounds: set[str]) -> None:
    """Hands, stakes and racks as the rounds' own lines have them."""
    hands: Counter[tuple[Any, ...]] = Counter()
    stakes: Counter[tuple[Any, ...]] = Counter()
    racks: Counter[tuple[Any, ...]] = Counter()
    for record in rounds:
        one = json.loads(record)
        place = (one["subject"], one["round"], one["first_sequence"])
        hands.update((*place, name, tuple(hand["cards"])) for name, hand in one["hands"].items())
        stakes.update(
            (*place, number, stake["seat"], stake["kind"], stake["staked_cents"])
            for number, stake in enumerate(one["stakes"], 1)
        )
        racks[(*place, tuple(one["rack"]["observed"]))] += 1
    place_of = "subject, round, first_sequence"
    found = store.rows("hands", f"{place_of}, hand, cards")
    verdict.holds("hands", Counter((*row[:4], tuple(row[4])) for row in found), hands)
    verdict.holds(
        "stakes", Counter(store.rows("stakes", f"{place_of}, ordinal, seat, kind, staked_cents")), stakes
    )
    found = store.rows("racks", f"{place_of}, observed")
    verdict.holds("racks", Counter((*row[:3], tuple(row[3])) for row in found), racks)
