"""The event types and the contract's JSON Schema say the same, in both directions."""

from __future__ import annotations

import copy
import json
from typing import Annotated, Any, Literal

import msgspec
import msgspec.inspect as mi
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from schemas.events.codec import Malformed, decode, decode_device
from schemas.events.envelope import CHAINED, PAYLOADS, Envelope
from schemas.payload import Payload
from schemas.values import CARD_NAMES, HAND_NAMES, SPOT_NAMES, Hand, Seat, Spot, Text
from tests.schemas.contract import BRANCHES, CONTRACT, TRANSLATED, WHOLE, envelopes, judge, resolved, words

NAMES = sorted(BRANCHES)


def _said_by_contract(schema: dict[str, Any]) -> Any:
    """A field of the contract in a form that both sides share: patterns of few words as the set of them."""
    schema = resolved(schema)
    match schema:
        case {"enum": members}:
            return ("one of", frozenset(members))
        case {"format": form}:
            return ("time", form)
        case {"pattern": pattern} if "|" in pattern:
            return ("one of", words(pattern))
        case {"pattern": pattern}:
            return ("text", pattern)
        case {"type": "array"}:
            return ("list", _said_by_contract(schema["items"]), schema.get("maxItems"))
        case {"type": "object"}:
            return ("map", _said_by_contract(schema["additionalProperties"]))
        case {"type": "string"}:
            return ("text", schema.get("minLength"), schema.get("maxLength"))
        case {"type": "integer"}:
            return ("integer", schema.get("minimum"), schema.get("maximum"))
    assert schema == {"type": "boolean"}, f"the contract says something new: {schema}"
    return "boolean"


def _said_by_type(kind: mi.Type) -> Any:
    """A field's type in the same form."""
    match kind:
        case mi.Metadata(type=inner):
            return _said_by_type(inner)
        case mi.LiteralType(values=members):
            return ("one of", frozenset(members))
        case mi.DateTimeType(tz=True):
            return ("time", "date-time")
        case mi.DateType():
            return ("time", "date")
        case mi.StrType(pattern=str() as pattern):
            return ("text", pattern.replace(r"(?!\n)", "").replace("[0-9]{", r"\d{"))
        case mi.StrType():
            return ("text", kind.min_length, kind.max_length)
        case mi.IntType():
            return ("integer", kind.ge, kind.le)
        case mi.VarTupleType():
            return ("list", _said_by_type(kind.item_type), kind.max_length)
        case mi.DictType(key_type=mi.StrType()):
            return ("map", _said_by_type(kind.value_type))
    assert isinstance(kind, mi.BoolType), f"no field of the contract has the type {kind}"
    return "boolean"


def test_the_types_are_those_of_the_contract_and_no_other() -> None:
    assert sorted(PAYLOADS) == NAMES
    assert {kind.__struct_config__.tag for kind in CHAINED} == {"catwalk.v1." + name for name in NAMES}


def _contract_fields(name: str) -> dict[str, Any]:
    data = BRANCHES[name]["properties"]["data"]
    return {f: (f in data["required"], _said_by_contract(schema)) for f, schema in data["properties"].items()}


def _type_fields(payload: type[Struct]) -> dict[str, Any]:
    struct = mi.type_info(payload)
    assert isinstance(struct, mi.StructType)
    assert struct.forbid_unknown_fields
    return {f.encode_name: (f.required, _said_by_type(f.type)) for f in struct.fields}


@pytest.mark.parametrize("name", NAMES)
def test_a_type_has_the_fields_of_the_contract_with_their_limits(name: str) -> None:
    assert BRANCHES[name]["properties"]["data"]["additionalProperties"] is False
    assert _type_fields(PAYLOADS[name]) == _contract_fields(name)


@pytest.mark.parametrize(
    ("seat", "hand", "reason"),
    [
        (Annotated[int, Meta(ge=1, le=8)], Hand, Text),
        (int, Hand, Text),
        (Seat, Spot, Text),
        (Seat, Hand | UnsetType, Text),
        (Seat, Hand, str),
        (Seat, Hand, Literal["bust"]),
    ],
)
def test_a_type_that_has_drifted_would_be_seen(seat: Any, hand: Any, reason: Any) -> None:
    contract = {"seat": (True, ("integer", 1, 9)), "hand": _contract_fields("hand_voided")["hand"]}
    contract["reason"] = (True, ("text", 1, 200))

    def drifted(seat: Any, hand: Any, reason: Any) -> dict[str, Any]:
        fields = [("seat", seat), ("hand", hand), ("reason", reason)]
        optional = [(n, t, UNSET) if "UnsetType" in str(t) else (n, t) for n, t in fields]
        return _type_fields(defstruct("Drifted", optional, bases=(Payload,), frozen=True, kw_only=True))

    assert drifted(Seat, Hand, Text) == contract
    assert drifted(seat, hand, reason) != contract


def test_the_envelope_has_the_attributes_of_the_contract() -> None:
    struct = mi.type_info(Envelope)
    assert isinstance(struct, mi.StructType)
    ours = {f.encode_name: f.required for f in struct.fields}
    required = set(CONTRACT["required"])
    assert {**ours, "type": True} == {name: name in required for name in CONTRACT["properties"]}
    assert not struct.forbid_unknown_fields, "other attributes are allowed, as the contract leaves it open"


def test_cards_hands_and_spots_are_the_words_of_the_contracts_patterns() -> None:
    for name, ours in (("card", CARD_NAMES), ("hand", HAND_NAMES), ("spot", SPOT_NAMES)):
        assert words(CONTRACT["$defs"][name]["pattern"]) == set(ours)


def test_one_branch_decides_as_the_whole_schema_does() -> None:
    tags = [branch["properties"]["type"]["const"] for branch in TRANSLATED["oneOf"]]
    assert len(set(tags)) == len(tags) == len(NAMES)
    assert all({"type", "data"} <= set(branch["required"]) for branch in TRANSLATED["oneOf"])


def _accepts(event: Any) -> bool:
    try:
        decode(json.dumps(event).encode())
    except Malformed:
        return False
    return True


@given(st.sampled_from(NAMES).flatmap(envelopes))
def test_every_event_the_contract_allows_is_decoded_and_says_the_same_again(event: dict[str, Any]) -> None:
    """With sequence and chain, and without them as a device sends it; its branch alone agrees with the whole schema."""
    assert WHOLE.is_valid(event)
    assert judge(event["type"].removeprefix("catwalk.v1.")).is_valid(event)
    _says_the_same_again(event)
    _says_the_same_without_its_place(event)


def _says_the_same_again(event: dict[str, Any]) -> None:
    line = json.dumps(event, ensure_ascii=False).encode()
    decoded = decode(line)
    said = json.loads(msgspec.json.encode(decoded.data))
    assert decoded.type == event["type"]
    assert decoded.sequence == event["sequence"]
    times = {f for f, schema in _fields(event).items() if resolved(schema).get("format")}
    assert {f: v for f, v in said.items() if f not in times} == {
        f: v for f, v in event["data"].items() if f not in times
    }
    assert times & set(event["data"]) == times & set(said)


def _fields(event: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = BRANCHES[event["type"].removeprefix("catwalk.v1.")]["properties"]["data"][
        "properties"
    ]
    return fields


def _says_the_same_without_its_place(event: dict[str, Any]) -> None:
    unchained = {name: value for name, value in event.items() if name not in ("sequence", "prevhash")}
    assert decode_device(json.dumps(unchained).encode()).data == decode(json.dumps(event).encode()).data
    for chained in ("sequence", "prevhash"):
        with pytest.raises(Malformed, match="already carries"):
            decode_device(json.dumps({**unchained, chained: event[chained]}).encode())


ODD = st.one_of(
    st.sampled_from(
        [None, True, False, "", [], {}, "D", "As", "3.1", "??", "bonus", "5", "10.1", "0.1", "as"]
    ),
    st.sampled_from([-1, 0, 1, 9, 10, 2**31 - 1, 2**31, 10**9, 10**9 + 1, 10**11, 10**11 + 1, 2**63, 2**64]),
    st.sampled_from([0.5, 5.0, -0.0, 1e10, 1e300]),
    st.sampled_from(
        ["x" * 200, "x" * 201, "\U0001f600" * 200, "é" * 201, "a" * 64, "A" * 64, "a" * 64 + "\n"]
    ),
    st.sampled_from(
        ["12:34", "12:34\n", "1:34", "१२:३४", "2026-02-29", "2024-02-29", "20240229", "2024-02-29\n"]
    ),
    st.sampled_from(["2024-02-29T23:59:60Z", "2024-02-29T24:00:00Z", "2024-02-29T23:59:59", "now", " "]),
    st.sampled_from([["As"] * 1000, ["As"] * 1001, ["As", "xx"], ["x"] * 200, ["x"] * 201, [1], ["push22"]]),
    st.sampled_from(
        [["push22", "push22"], {"a": 1}, {"a": -1}, {"a": "b"}, {"a": 2.0}, {"a": None}, ["main"]]
    ),
    st.text(max_size=5).filter(str.isascii),
)


@st.composite
def _mutated(draw: st.DrawFn) -> dict[str, Any]:
    """An event of the contract with one or two things changed, taken out or added."""
    event = copy.deepcopy(draw(st.sampled_from(NAMES).flatmap(envelopes)))
    for _ in range(draw(st.integers(1, 2))):
        inside = isinstance(event.get("data"), dict) and draw(st.integers(0, 3)) > 0
        holder = event["data"] if inside else event
        names = sorted(holder)
        match draw(st.sampled_from(["change", "change", "change", "take out", "add"])):
            case "change" if names:
                holder[draw(st.sampled_from(names))] = draw(ODD)
            case "take out" if names:
                del holder[draw(st.sampled_from(names))]
            case _:
                holder[draw(st.sampled_from(["extra", "cards", "hand", "type", "player"]))] = draw(ODD)
    return event


def _is_judged_alike(event: dict[str, Any]) -> None:
    name = str(event.get("type")).removeprefix("catwalk.v1.")
    wrong = [error.message for error in judge(name).iter_errors(event)] if name in BRANCHES else ["no type"]
    assert _accepts(event) == (not wrong), wrong


@given(_mutated())
def test_a_changed_event_is_refused_exactly_when_the_contract_refuses_it(event: dict[str, Any]) -> None:
    _is_judged_alike(event)


@pytest.mark.soak
@pytest.mark.timeout(1200)
@given(_mutated())
def test_thousands_of_changed_events_are_refused_exactly_when_the_contract_refuses_them(
    event: dict[str, Any],
) -> None:
    _is_judged_alike(event)
