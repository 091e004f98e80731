"""What nobody can read or believe, in the midst of a table: set aside with its bytes in the store, and nobody suffers.

The checker reads the lines that were put in and the store, and nothing else.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections import Counter
from pathlib import Path

from deploy.settings import load
from processors.pipeline import TablePipeline
from schemas.rounds import RoundResult
from tests.commands.test_checkpoints import KEY, OTHER_KEY, checkpoint
from tests.live.checker import check
from tests.live.folding import Environment, Sent, catwalk, in_turn, produce
from tests.live.test_sink import execute
from tests.live.working import all_caught_up, prepared, workers
from tests.pipeline.streams import lines_of
from tests.producers.builders import stream
from tests.runtime.tables import subject_of

RUNBOOK = Path(__file__).resolve().parents[2] / "deploy" / "runbooks" / "poison.md"
ALERTS = (
    "SELECT check_id, count() FROM `@`.findings FINAL WHERE startsWith(check_id, 'integrity.') AND subject = '{}'"
    " GROUP BY check_id"
)
HANDS = "SELECT round, hand, cards FROM `@`.hands FINAL WHERE subject = '{}' ORDER BY ALL"


def changed(line: bytes, **fields: object) -> bytes:
    return json.dumps({**json.loads(line), **fields}, separators=(",", ":")).encode()


def test_poison_of_every_kind_becomes_a_row_with_its_bytes_and_an_alert_and_its_neighbours_go_on(
    live_environment: Environment, tmp_path: Path
) -> None:
    environment = dict(live_environment)
    prepared(environment)
    lines, other = list(lines_of("breach_overpay")), list(lines_of("lawful_fortune_670a10")[:600])
    key, neighbour = subject_of(lines[0]).encode(), subject_of(other[0]).encode()
    poison = {
        "bad JSON": lines[60][:-20],
        "wrong schema": changed(lines[60], data={"card": 7}),
        "a megabyte": b'{"data":"' + b"x" * 1_000_000 + b'"}',
        "an unknown type": changed(lines[60], type="catwalk.v1.card_eaten"),
        "invalid UTF-8": b'{"id":"\xff"}',
    }
    past = changed(lines[30], id="another-1")  # an event of the past with other bytes
    aside = [*poison.values(), past]
    mine = [*lines[:60], *aside, *lines[60:]]
    produce(environment, [Sent(b"no/table", lines[0]), Sent(b"no/table", None)])
    produce(environment, in_turn({key: mine, neighbour: other}))
    with workers(environment, tmp_path, "fold", "sink") as started:
        all_caught_up(environment)
        assert [one.process.poll() for one in started] == [None, None]
    foreign = [(b"no/table", lines[0]), (b"no/table", b"")]
    verdict = check(environment, {key: mine, neighbour: other}, [*((key, one) for one in aside), *foreign])
    assert verdict.wrong == []
    alerts = dict(execute(environment, ALERTS.format(key.decode())))
    assert alerts["integrity.schema"] == len(poison)
    assert alerts["integrity.conflict"] == 1
    assert execute(environment, ALERTS.format(neighbour.decode())) == []
    follow_the_runbook(environment, tmp_path, [*poison.values()], [past, *(line for _, line in foreign)])
    hands = HANDS.format(key.decode())
    there = execute(environment, hands)
    assert there == [row for row in dealt(lines) if row in there]
    assert len(there) == len(dealt(lines))


def follow_the_runbook(
    environment: Environment, folder: Path, unreadable: list[bytes], others: list[bytes]
) -> None:
    """Its first step shows each line with reason, place and bytes, by the commands that stand there."""
    text = RUNBOOK.read_text(encoding="utf-8")
    assert "`catwalk export --out out`" in text
    catwalk(environment, "export", "--out", str(folder / "out"))
    letters = [json.loads(line) for line in (folder / "out" / "deadletters.ndjson").read_text().splitlines()]
    assert Counter(b64decode(one["bytes_base64"]) for one in letters) == Counter(unreadable)
    assert all(one["reason"] and one["offset"] >= 0 for one in letters)
    [asked] = re.findall(r"`(SELECT [^`]+)`", text)
    rows = execute(environment, re.sub(r"catwalk_vN", "`@`", asked))
    found = Counter(row[-1].encode() if isinstance(row[-1], str) else row[-1] for row in rows)
    assert found == Counter([*unreadable, *others])


def dealt(lines: list[bytes]) -> list[tuple[object, ...]]:
    """Round, hand and cards of a table that nobody disturbed."""
    rounds = [one for line_rounds in rounds_of(lines) for one in line_rounds]
    return sorted((one.round, name, list(hand.cards)) for one in rounds for name, hand in one.hands.items())


def rounds_of(lines: list[bytes]) -> list[tuple[RoundResult, ...]]:
    pipeline = TablePipeline(subject_of(lines[0]))
    return [tuple(pipeline.advance(line).rounds) for line in lines]


def test_a_checkpoint_that_another_key_signed_passes_as_an_event_and_the_auditor_names_it(
    live_environment: Environment, tmp_path: Path
) -> None:
    prepared(live_environment)
    lines = stream(30)
    lines.append(checkpoint(lines, 30, KEY))
    lines.append(checkpoint(lines, 31, OTHER_KEY))
    (tmp_path / "shift.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
    catwalk(live_environment, "record", str(tmp_path / "shift.ndjson"))
    with workers(live_environment, tmp_path, "fold", "sink"):
        all_caught_up(live_environment)
    assert check(live_environment, {b"FB90-1": lines}).wrong == []
    keys = tmp_path / "keys.toml"
    keys.write_text(f'k1 = "{KEY.public_key().public_bytes_raw().hex()}"\n')
    journal = Path(load(environment=live_environment).values.data) / "journal.db"
    said = catwalk(live_environment, "verify", str(journal), "--keys", str(keys), status=1)
    assert "the signature of checkpoint 32 is not by key k1" in said
