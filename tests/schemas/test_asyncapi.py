"""The AsyncAPI document says what the types and the published streams say."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from schemas import topics
from schemas.contract import asyncapi
from schemas.events.envelope import PAYLOADS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = asyncapi.document()


def _published() -> dict[str, dict[str, Any]]:
    """One event of each type that the published streams hold."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((ROOT / "examples").glob("*.ndjson")):
        for line in path.read_bytes().splitlines():
            name = line.partition(b'"catwalk.v1.')[2].partition(b'"')[0].decode()
            if name not in found:
                found[name] = json.loads(line)
    return found


PUBLISHED = _published()


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for name, value in node.items():
            if name == "$ref":
                yield value
            else:
                yield from _references(value)
    elif isinstance(node, list):
        for inner in node:
            yield from _references(inner)


def _found(reference: str) -> Any:
    node: Any = DOCUMENT
    for step in reference.removeprefix("#/").split("/"):
        node = node[step]
    return node


def _judge(name: str) -> Draft202012Validator:
    payload = DOCUMENT["components"]["messages"][name]["payload"]
    return Draft202012Validator({**payload, "components": DOCUMENT["components"]})


def test_the_committed_document_is_up_to_date_and_the_same_in_every_process() -> None:
    command = [sys.executable, "-m", "schemas.contract.asyncapi"]
    written = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    committed = (ROOT / "docs" / "asyncapi.json").read_bytes()
    assert committed == written, "docs/asyncapi.json is old; run `make asyncapi`"


def test_every_reference_leads_somewhere_and_every_type_is_a_message() -> None:
    assert all(_found(reference) for reference in _references(DOCUMENT))
    assert set(PAYLOADS) < set(DOCUMENT["components"]["messages"])
    assert set(DOCUMENT["channels"]) == {topic.name for topic in topics.TOPICS}
    carried = [r for channel in DOCUMENT["channels"].values() for r in _references(channel["messages"])]
    assert sorted(carried) == sorted(f"#/components/messages/{n}" for n in DOCUMENT["components"]["messages"])


def test_every_published_event_fits_its_message() -> None:
    assert len(PUBLISHED) > 60
    for name, event in PUBLISHED.items():
        assert [error.message for error in _judge(name).iter_errors(event)] == [], name


@pytest.mark.parametrize("change", ["an unknown field", "another type", "no subject", "a seat that is none"])
def test_an_event_that_the_contract_refuses_does_not_fit_its_message(change: str) -> None:
    event = json.loads(json.dumps(PUBLISHED["wager_placed"]))
    match change:
        case "an unknown field":
            event["data"]["colour"] = "red"
        case "another type":
            event["type"] = "catwalk.v1.card_drawn"
        case "no subject":
            del event["subject"]
        case _:
            event["data"]["seat"] = 10
    assert not _judge("wager_placed").is_valid(event)
