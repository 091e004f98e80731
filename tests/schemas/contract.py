"""The contract's JSON Schema, read as its own standards mean it: the judge the types are held against."""

from __future__ import annotations

import datetime as dt
import json
import re
import string
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

SCHEMA_FILE = Path(__file__).resolve().parents[2] / "schemas" / "contract" / "event-v1.schema.json"
CONTRACT: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
BRANCHES: dict[str, dict[str, Any]] = {branch["title"]: branch for branch in CONTRACT["oneOf"]}

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
FORMATS = FormatChecker(formats=())


@FormatChecker.checks(FORMATS, "date", raises=ValueError)
def _is_date(value: object) -> bool:
    return not isinstance(value, str) or bool(dt.date.fromisoformat(value))


@FormatChecker.checks(FORMATS, "date-time", raises=ValueError)
def _is_moment(value: object) -> bool:
    if not isinstance(value, str):
        return True
    if not _RFC3339.fullmatch(value):
        return False
    usual = re.sub(r":60(?=[.Z+-])", ":59", value.upper())
    return dt.datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", usual)).tzinfo is not None


def in_python(pattern: str) -> str:
    """The same pattern for Python's `re`: ECMA's `$` is the very end, its `\\d` ten digits."""
    return pattern.replace("$", r"\Z").replace(r"\d", "[0-9]")


def _translated(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            k: in_python(v) if k == "pattern" and isinstance(v, str) else _translated(v)
            for k, v in schema.items()
        }
    return [_translated(inner) for inner in schema] if isinstance(schema, list) else schema


TRANSLATED: dict[str, Any] = _translated(CONTRACT)
WHOLE = Draft202012Validator(TRANSLATED, format_checker=FORMATS)


def _inlined(schema: Any) -> Any:
    """The same schema with its definitions where it refers to them: to look them up takes almost half the work."""
    if isinstance(schema, list):
        return [_inlined(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {name: _inlined(inner) for name, inner in schema.items() if name != "$ref"}
    if "$ref" not in schema:
        return rest
    meant = _inlined(TRANSLATED["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    return {"allOf": [meant], **rest} if rest else meant


@cache
def judge(name: str) -> Draft202012Validator:
    """Validator of one event type: the whole schema with the one branch that its `type` selects."""
    branch = next(branch for branch in TRANSLATED["oneOf"] if branch["title"] == name)
    whole = {key: inner for key, inner in TRANSLATED.items() if key != "$defs"}
    return Draft202012Validator(_inlined({**whole, "oneOf": [branch]}), format_checker=FORMATS)


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema itself, or the definition it refers to."""
    reference = schema.get("$ref")
    return CONTRACT["$defs"][reference.removeprefix("#/$defs/")] if reference else schema


@cache
def words(pattern: str) -> frozenset[str]:
    """Every text the pattern accepts, of all with up to two characters or a dot between two, and `bonus`."""
    letters = string.ascii_letters + string.digits + ".?_- "
    pairs = [(a, b) for a in letters for b in letters]
    texts = {"", "bonus", *letters, *(a + b for a, b in pairs), *(f"{a}.{b}" for a, b in pairs)}
    return frozenset(filter(re.compile(in_python(pattern)).search, texts))


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that the schema allows; whole numbers now and then as 5.0, times in every form RFC 3339 has."""
    schema = resolved(schema)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "boolean":
            return st.booleans()
        case "integer":
            low, high = schema["minimum"], schema.get("maximum")
            whole = (
                st.integers(low, high) | st.just(low) | (st.just(high) if high is not None else st.nothing())
            )
            return whole | st.integers(low, min(high or 10**6, 10**6)).map(float)
        case "array":
            unique = schema.get("uniqueItems", False)
            return st.lists(values(schema["items"]), max_size=6, unique=unique)
        case "object":
            return st.dictionaries(st.text(max_size=5), values(schema["additionalProperties"]), max_size=3)
        case _:
            return _texts(schema)


def _texts(schema: dict[str, Any]) -> st.SearchStrategy[str]:
    match schema.get("format"):
        case "date":
            return st.dates().map(dt.date.isoformat)
        case "date-time":
            return st.builds(
                "{}{}{:%H:%M}:{}{}{}".format,
                st.dates(min_value=dt.date(2, 1, 1), max_value=dt.date(9998, 1, 1)).map(dt.date.isoformat),
                st.sampled_from("Tt"),
                st.times(),
                st.sampled_from(["00", "59", "60"]),
                st.sampled_from(["", ".0", ".123456", ".1234567"]),
                st.sampled_from(["Z", "z", "+00:00", "-05:00", "+05:30"]),
            )
    if "pattern" in schema:
        return st.from_regex(re.compile(in_python(schema["pattern"])))
    characters = st.characters(exclude_categories=["Cs"])
    return st.text(
        characters, min_size=schema.get("minLength", 0), max_size=min(schema.get("maxLength", 20), 20)
    )


@cache
def envelopes(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Whole events of one type, optional fields there or not, with attributes the contract does not name."""
    head = CONTRACT["properties"]
    data = BRANCHES[name]["properties"]["data"]
    required = {field: values(head[field]) for field in CONTRACT["required"] if field not in ("type", "data")}
    required["type"] = st.just("catwalk.v1." + name)
    required["data"] = st.fixed_dictionaries(
        {field: values(data["properties"][field]) for field in data["required"]},
        optional={f: values(s) for f, s in data["properties"].items() if f not in data["required"]},
    )
    unnamed = {"traceparent": st.text(max_size=5), "datacontenttype": st.just("application/json")}
    return st.fixed_dictionaries(required, optional={"recordedtime": values(head["recordedtime"]), **unnamed})
