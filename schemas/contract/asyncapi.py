"""The AsyncAPI 3.0 document of the topics, generated from the types; `make asyncapi` writes it to `docs/`."""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import msgspec

from schemas import topics, values
from schemas.events.envelope import PAYLOADS, Envelope
from schemas.findings import Finding
from schemas.payload import WIRE_PREFIX, Payload
from schemas.rounds import RoundResult

VERSION = "1.0.0"
# Value types that fields share; each stands once in the document, under its name.
SHARED = (
    "Card", "Hand", "Spot", "Ruleset", "SideWager", "WagerKind", "Hex64", "When", "Day", "Seat", "Cents", "Count",
    "Text",
)  # fmt: skip
Json = dict[str, Any]


def _reference(kind: str, name: str) -> Json:
    return {"$ref": f"#/components/{kind}/{name}"}


def _hoisted(schema: Any, shared: dict[str, str]) -> Any:
    """The schema with every shared value type replaced by a reference to it."""
    if isinstance(schema, dict):
        name = shared.get(json.dumps(schema, sort_keys=True))
        return _reference("schemas", name) if name else {k: _hoisted(v, shared) for k, v in schema.items()}
    return [_hoisted(inner, shared) for inner in schema] if isinstance(schema, list) else schema


def _described(schema: Json) -> Json:
    """The schema with its docstring's lines joined."""
    text = schema.get("description")
    return {**schema, "description": " ".join(inspect.cleandoc(text).split())} if text else schema


def _schemas() -> dict[str, Json]:
    """Every type of the document by name: shared values, envelope, payloads, rounds and findings."""
    shared: dict[str, Json] = {name: msgspec.json.schema(getattr(values, name)) for name in SHARED}
    by_content = {json.dumps(schema, sort_keys=True): name for name, schema in shared.items()}
    types = (*PAYLOADS.values(), Envelope, Finding, RoundResult)
    _, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    found = {name: _described(_hoisted(schema, by_content)) for name, schema in components.items()}
    found["Envelope"]["properties"]["type"] = {"type": "string"}
    return {**shared, **found}


def _event_message(name: str, payload: type[Payload]) -> Json:
    own = {"type": {"const": WIRE_PREFIX + name}, "data": _reference("schemas", payload.__name__)}
    return {
        "name": WIRE_PREFIX + name,
        "title": name,
        "summary": inspect.cleandoc(payload.__doc__ or "").partition("\n")[0],
        "contentType": topics.CLOUDEVENT,
        "payload": {"allOf": [_reference("schemas", "Envelope"), {"type": "object", "properties": own}]},
    }


def _object(*texts: str, **others: Json) -> Json:
    """An object whose fields are all required: texts, then others."""
    properties = {**dict.fromkeys(texts, _TEXT), **others}
    return {"type": "object", "required": list(properties), "properties": properties}


_TEXT: Json = {"type": "string"}
_TEXT_OR_NULL: Json = {"type": ["string", "null"]}
_OWNED: Json = {"property": _TEXT_OR_NULL, "dealer": _TEXT_OR_NULL, "at": {**_TEXT, "format": "date-time"}}
_ROUND: Json = {"type": "object", "properties": {**_OWNED, "round": _reference("schemas", "RoundResult")}}
_FINDING: Json = {"type": "object", "properties": {**_OWNED, "finding": _reference("schemas", "Finding")}}
_LETTER = _object("reason", "origin", bytes_base64={**_TEXT, "contentEncoding": "base64"})
_CLAIM = _object("subject", "gateway", "instance", epoch={"type": "integer"})
_OTHER_MESSAGES: dict[str, tuple[topics.Topic, str, str, Json]] = {
    "frame": (topics.EVENTS, topics.FRAME, "Several events of one table in order, one a line.", _TEXT),
    "round": (
        topics.ROUNDS, topics.JSON, "One reconstructed round, whose it is, and when it was decided.", _ROUND,
    ),
    "finding": (topics.FINDINGS, topics.JSON, "One finding, who dealt then, and when it was decided.", _FINDING),
    "observation": (
        topics.OBSERVATIONS, topics.BYTES, "What an event tells of a dealer or a player, for this system alone.", _TEXT,
    ),
    "snapshot": (topics.SNAPSHOTS, topics.BYTES, "State of one table, for this system alone.", _TEXT),
    "desk_event": (topics.DESK, topics.FRAME, "Acts and accesses that were kept together, one a line.", _TEXT),
    "dead_letter": (topics.DEADLETTER, topics.JSON, "One line that is no event of the contract.", _LETTER),
    "counter": (
        topics.COUNTERS, topics.JSON, "What a day, table, ruleset and dealer come to.", {"type": "object"},
    ),
    "analysis": (topics.ANALYSIS, topics.BYTES, "State of the analyst, for this system alone.", _TEXT),
    "claim": (topics.WRITERS, topics.JSON, "A gateway takes a table, or lets go of it.", _CLAIM),
    "version": (
        topics.VERSIONS, topics.JSON, "A fold is put in force, compared, or removed.", _object("what", "at", "by"),
    ),
}  # fmt: skip
"""Messages that are no single event: the topic that carries each, its content type, summary and payload."""


def _channel(topic: topics.Topic, messages: list[str]) -> Json:
    configuration: Json = {"cleanup.policy": [topic.cleanup]}
    if topic.cleanup == "delete":
        configuration["retention.ms"] = topic.retention_ms
    address = topic.name + ".v{fold}" if topic.by_fold else topic.name
    kafka: Json = {"topic": address, "topicConfiguration": configuration, "bindingVersion": "0.5.0"}
    if topic.partitions is not None:
        kafka["partitions"] = topic.partitions
    return {
        "address": address,
        **({"parameters": {"fold": {"description": "Version of the fold."}}} if topic.by_fold else {}),
        "description": f"{topic.content} Key: {topic.key}.",
        "messages": {name: _reference("messages", name) for name in messages},
        "bindings": {"kafka": kafka},
    }


def document() -> Json:
    """The whole document, equal for equal types."""
    others = {
        name: {"summary": summary, "contentType": content_type, "payload": payload}
        for name, (_, content_type, summary, payload) in _OTHER_MESSAGES.items()
    }
    carried = {
        topic.name: [name for name, (carrier, *_) in _OTHER_MESSAGES.items() if carrier is topic]
        for topic in topics.TOPICS
    }
    carried[topics.EVENTS.name] = [*PAYLOADS, *carried[topics.EVENTS.name]]
    channels = {topic.name: _channel(topic, carried[topic.name]) for topic in topics.TOPICS}
    events = {name: _event_message(name, payload) for name, payload in PAYLOADS.items()}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Catwalk",
            "version": VERSION,
            "description": "Event-sourced audit and surveillance of casino table games.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": topics.JSON,
        "channels": channels,
        "operations": {
            "record": _operation("send", topics.EVENTS, "A producer records what a table does."),
            **{
                f"follow_{topic.name.removeprefix('catwalk.')}": _operation("receive", topic, topic.content)
                for topic in topics.TOPICS
            },
        },
        "components": {
            "messages": {**events, **others},
            "schemas": _schemas(),
        },
    }


def _operation(action: str, topic: topics.Topic, summary: str) -> Json:
    return {"action": action, "channel": {"$ref": f"#/channels/{topic.name}"}, "summary": summary}


def text() -> str:
    """The document as the committed file holds it."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
