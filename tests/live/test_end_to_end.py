"""From the device to the answer: recorded, folded, counted, stored, and held against a clean run by a checker."""

from __future__ import annotations

from pathlib import Path

from tests.embedded.ledgers import lines_of, subject_of
from tests.live.checker import check
from tests.live.folding import catwalk, simulated
from tests.live.working import all_caught_up, prepared, workers

Environment = dict[str, str]
BREACHES = ("breach_masque_wrong", "breach_surrender_after_hit", "breach_overpay", "lawful_fortune_670a10")


def published() -> dict[bytes, list[bytes]]:
    return {subject_of(name).encode(): lines_of(name) for name in BREACHES}


def test_simulated_and_published_tables_come_through_record_fold_and_sink(
    live_environment: Environment, tmp_path: Path
) -> None:
    prepared(live_environment)
    tables = simulated(tmp_path / "tables", 4, 25, 11, live_environment)
    for key, lines in published().items():
        (tmp_path / "tables" / f"{key.decode()}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
    tables |= published()
    catwalk(live_environment, "record", "--to", "kafka", str(tmp_path / "tables"))
    with workers(live_environment, tmp_path, "fold", "analyst", "sink"):
        all_caught_up(live_environment, kinds=("fold", "analyst", "sink"))
    verdict = check(live_environment, tables)
    assert verdict.wrong == []
    assert (
        min(verdict.rows[name] for name in ("events", "rounds", "hands", "stakes", "findings", "patrons")) > 0
    )
    catwalk(live_environment, "export", "--out", str(tmp_path / "exported"))
    catwalk(live_environment, "replay", str(tmp_path / "tables"), "--out", str(tmp_path / "replayed"))
    for name in ("rounds", "findings", "deadletters"):
        exported = (tmp_path / "exported" / f"{name}.ndjson").read_bytes().splitlines()
        replayed = (tmp_path / "replayed" / f"{name}.ndjson").read_bytes().splitlines()
        # The files of the simulator and those written here are named after their tables: `file` is the subject.
        assert exported == replayed, name
    same = (tmp_path / "exported" / "summary.json").read_bytes()
    assert same == (tmp_path / "replayed" / "summary.json").read_bytes()
