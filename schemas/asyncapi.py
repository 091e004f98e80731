"""The AsyncAPI 3.0 document of the topics, generated from the types; `make asyncapi` writes it to `docs/`."""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import msgspec

from schemas import topics, values
from schemas.envelope import PAYLOADS, Envelope
from schemas.findings import Finding
from schemas.payload import WIRE_PREFIX, Payload
from schemas.rounds import RoundResult

VERSION = "1.0.0"
# Value types that fields share; each stands once in the document, under its name.
SHARED = (
    "Card",
    "Hand",
    "Spot",
    "Ruleset",
    "SideWager",
    "WagerKind",
    "Hex64",
    "When",
    "Day",
    "Seat",
    "Cents",
    "Count",
    "Text",
)
Json = dict[str, Any]


def _reference(kind: str, name: str) -> Json:
    return {"$ref": f"#/components/{kind}/{name}"}


def _shared() -> dict[str, Json]:
    return {name: msgspec.json.schema(getattr(values, name)) for name in SHARED}


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
    shared = _shared()
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


_LETTER: Json = {
    "type": "object",
    "required": ["reason", "origin", "bytes_base64"],
    "properties": {
        "reason": {"type": "string"},
        "origin": {"type": "string"},
        "bytes_base64": {"type": "string", "contentEncoding": "base64"},
    },
}
_CLAIM: Json = {
    "type": "object",
    "required": ["subject", "gateway", "instance", "epoch"],
    "properties": {
        "subject": {"type": "string"},
        "gateway": {"type": "string"},
        "instance": {"type": "string"},
        "epoch": {"type": "integer"},
    },
}


def _other_messages() -> dict[str, tuple[topics.Topic, Json]]:
    """Messages that are no single event, with the topic that carries them."""
    text: Json = {"type": "string"}
    owned: Json = {"property": {"type": ["string", "null"]}, "dealer": {"type": ["string", "null"]}}
    owned["at"] = {**text, "format": "date-time"}
    return {
        "frame": (
            topics.EVENTS,
            _message("Several events of one table in order, one a line.", topics.FRAME, text),
        ),
        "round": (
            topics.ROUNDS,
            _message(
                "One reconstructed round, whose it is, and when it was decided.",
                topics.JSON,
                {"type": "object", "properties": {**owned, "round": _reference("schemas", "RoundResult")}},
            ),
        ),
        "finding": (
            topics.FINDINGS,
            _message(
                "One finding, who dealt then, and when it was decided.",
                topics.JSON,
                {"type": "object", "properties": {**owned, "finding": _reference("schemas", "Finding")}},
            ),
        ),
        "snapshot": (
            topics.SNAPSHOTS,
            _message("State of one table, for this system alone.", topics.BYTES, {"type": "string"}),
        ),
        "desk_event": (
            topics.DESK,
            _message("Acts and accesses that were kept together, one a line.", topics.FRAME, text),
        ),
        "dead_letter": (
            topics.DEADLETTER,
            _message("One line that is no event of the contract.", topics.JSON, _LETTER),
        ),
        "counter": (
            topics.COUNTERS,
            _message("What a day, table, ruleset and dealer come to.", topics.JSON, {"type": "object"}),
        ),
        "analysis": (
            topics.ANALYSIS,
            _message("State of the analyst, for this system alone.", topics.BYTES, {"type": "string"}),
        ),
        "claim": (
            topics.WRITERS,
            _message("A gateway takes a table, or lets go of it.", topics.JSON, _CLAIM),
        ),
    }


def _message(summary: str, content_type: str, payload: Json) -> Json:
    return {"summary": summary, "contentType": content_type, "payload": payload}


def _channel(topic: topics.Topic, messages: list[str]) -> Json:
    configuration: Json = {"cleanup.policy": [topic.cleanup]}
    if topic.cleanup == "delete":
        configuration["retention.ms"] = topic.retention_ms
    kafka: Json = {"topic": topic.name, "topicConfiguration": configuration, "bindingVersion": "0.5.0"}
    if topic.partitions is not None:
        kafka["partitions"] = topic.partitions
    return {
        "address": topic.name,
        "description": f"{topic.content} Key: {topic.key}.",
        "messages": {name: _reference("messages", name) for name in messages},
        "bindings": {"kafka": kafka},
    }


def document() -> Json:
    """The whole document, equal for equal types."""
    others = _other_messages()
    carried = {
        topic.name: [n for n, (where, _) in others.items() if where is topic] for topic in topics.TOPICS
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
            "messages": {**events, **{name: message for name, (_, message) in others.items()}},
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
