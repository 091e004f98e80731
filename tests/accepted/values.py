"""Values at the ends of what a field may hold, by the field's type in the schema."""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec import inspect

from schemas.events.envelope import PAYLOADS

# Both ends of time, with offsets, and moments that clocks are read wrongly at.
TIMES = (
    "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00-23:59", "0001-12-31T23:59:60Z",
    "1753-01-01T00:00:00-11:30", "1899-12-31T23:59:59.999999Z", "1900-01-01T00:00:00+14:00",
    "1900-01-02T00:00:00Z", "1900-01-02T00:00:00.000001Z", "1900-01-02T06:00:00+05:30", "1925-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z", "2026-03-08T02:30:00-05:00", "2026-11-01T01:30:00-04:00",
    "2016-12-31T23:59:60.5Z", "2026-03-02T12:00:00.123456789Z", "2038-01-19T03:14:08Z", "2106-02-07T06:28:16Z",
    "2148-12-31T23:59:59Z", "2149-06-07T00:00:00Z", "2262-04-11T23:47:17Z", "2283-11-12T00:00:00-12:00",
    "2299-12-29T23:59:59.999999Z", "2299-12-30T00:00:00Z", "2299-12-31T23:59:59-14:00", "2300-01-01T00:00:00Z",
    "4712-12-31T00:00:00+14:00", "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999-23:59",
    "9999-12-31T23:59:59.999999+23:59", "9999-12-31T23:59:60-12:00",
)  # fmt: skip
DAYS = (
    "0001-01-01", "0001-12-31", "1753-01-01", "1899-12-31", "1900-01-01", "1925-01-01", "1969-12-31", "1970-01-01",
    "2024-02-29", "2026-03-02", "2026-12-31", "2106-02-07", "2149-06-06", "2149-06-07", "2262-04-12", "2299-12-31",
    "2300-01-01", "9999-01-01", "9999-12-31",
)  # fmt: skip
TEXTS = (
    "", " ", "x", "/", "..", "../../etc/passwd", "a/b", "?", "#", "%2F", "%", "\x00", "a\x00b", "\t", "\n", "a\r\nb",
    "\x1b[31m", "\x7f", "\x85", "\u2028", "\u00a0", "\u200b", "\ufeff", "\u202eabc", "e\u0301\u0327", "\u0130\u0131",
    "ß", "\ufffd", "\ufffe", "\uffff", "\U0001f0a1", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0010ffff",
    "'", '"', "''", "\\", "\\'", "`", "$x$", "#sym", "*_[]", "<script>alert(1)</script>", "&amp;", "]]>", "{", "}",
    "{}", "{0}", "{seat}", "%s", "%(x)s", "=1+1", "@x", "+1", "-1", "None", "null", "nan", "true", "0", "-0", "1e999",
    "9" * 200, "99:99", "00:60", "24:00", "Ab" * 100, "é" * 200, "\x00" * 200, "\U0001f600" * 200, "א" * 200, "D",
    "1.1", "bonus", "Jo", "??", "UTC", "America/New_York", "/etc/localtime", "../UTC", "A" * 200, "a,b;c|d", "S/3",
    "1 to 0", "0 to 1", "3 to 0", "9999999999 to 1", "3:2", "1/0", "inf to 1", "²", "٣ to 2", "1_0 to 1", "A1",
)  # fmt: skip
LONG = ("A" * 10_000, "é" * 10_000, "\U0001f600" * 2_000, '"' * 10_000, "a b " * 2_500, "\x00" * 5_000)
_WHOLE = (
    0,
    1,
    2,
    3,
    9,
    10,
    52,
    53,
    255,
    65_535,
    65_536,
    2**31 - 1,
    2**31,
    2**32,
    2**53,
    2**63 - 1,
    2**63,
    2**64,
    10**40,
)
_LENGTHS = (0, 1, 2, 7, 53, 199, 200, 201, 999, 1000)
FIELDS: dict[str, inspect.StructType] = {
    name: described
    for name, payload in PAYLOADS.items()
    if isinstance(described := inspect.type_info(payload), inspect.StructType)
}


class Extreme:
    """Draws values that a type allows, mostly from its ends; `names` are some that the stream uses itself."""

    def __init__(self, random: Random, names: dict[str, list[Any]]) -> None:
        self._random, self._names = random, names

    def data(self, name: str) -> dict[str, Any]:
        """The data of a whole event of this type."""
        fields = FIELDS[name].fields
        return {f.name: self.of(f) for f in fields if f.required or self._random.random() < 0.6}

    def of(self, field: inspect.Field) -> Any:
        """A value of a field: now and then one that the stream has in a field of this name."""
        if self._names.get(field.name) and self._random.random() < 0.25:
            return self._random.choice(self._names[field.name])
        return self.value(field.type)

    def value(self, kind: inspect.Type) -> Any:
        """A value of a type."""
        choose = self._random.choice
        match kind:
            case inspect.Metadata():
                return self.value(kind.type)
            case inspect.UnionType():
                return self.value(choose(kind.types))
            case inspect.LiteralType():
                return choose(kind.values)
            case inspect.BoolType():
                return choose((True, False))
            case inspect.IntType():
                return self._number(kind)
            case inspect.DateTimeType():
                return choose(TIMES)
            case inspect.DateType():
                return choose(DAYS)
            case inspect.StrType():
                return self._text(kind)
            case inspect.VarTupleType():
                return [self.value(kind.item_type) for _ in range(min(self._length(), kind.max_length or 20))]
            case inspect.DictType():
                return {self.value(kind.key_type): self.value(kind.value_type) for _ in range(self._length())}
        raise AssertionError(f"no values are known of {kind}")

    def _length(self) -> int:
        return self._random.choice(_LENGTHS) if self._random.random() < 0.15 else self._random.randrange(4)

    def _number(self, kind: inspect.IntType) -> float:
        low = kind.ge if kind.ge is not None else 0
        fit = [n for n in (*_WHOLE, *([] if kind.le is None else [kind.le, kind.le - 1]))
               if n >= low and (kind.le is None or n <= kind.le)]  # fmt: skip
        number = self._random.choice(fit)
        return float(number) if self._random.random() < 0.03 else number

    def _text(self, kind: inspect.StrType) -> str:
        if kind.pattern is not None and "64" in kind.pattern:
            return self._random.choice(("0" * 64, "f" * 64, "0123456789abcdef" * 4))
        if kind.pattern is not None:
            return self._random.choice(("00:00", "23:59", "24:00", "99:99", "06:00"))
        long = LONG if kind.max_length is None and self._random.random() < 0.1 else TEXTS
        return self._random.choice(long)[: kind.max_length] or "x" * (kind.min_length or 0)
