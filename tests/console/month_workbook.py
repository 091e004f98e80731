"""The month's workbook read back and held against the JSON of the same report, cell by cell."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from itertools import chain
from typing import Any

from tests.console.reckoning import Reckoned

SHEETS = [
    "days",
    "irregularities",
    "faults of the record",
    "alerts",
    "disputes",
    "devices",
    "sealed",
    "not known",
]
MONEY = {"owed", "overpaid", "money", "sealed_money", "money_now"}
NOT_MONEY = {
    "key", "hours", "lacks", "rounds", "hands", "stakes", "void_rounds", "unseen_stakes", "corrections",
}  # fmt: skip
SUMMED = ("proven", "by_one_reading", "not_proven", "suspected")
Rows = list[dict[str, Any]]


def require_told(file: bytes, told: Any) -> None:
    """Hold every cell of the workbook against this JSON, and each formula, reckoned anew, against its value."""
    book = Reckoned(file)
    assert book.book.sheetnames == SHEETS
    for place in book.formulas():
        assert book.value(*place) == book.written(*place), place
    for sheet in SHEETS:
        assert book.book[sheet].freeze_panes == ("C2"), sheet
        due = [row for name in ("month", "before") for row in expected(sheet, told[name])]
        assert shown(book, sheet) == due, sheet


def shown(book: Reckoned, sheet: str) -> Rows:
    """The rows below the heads: numbers exact, money in cents, empty cells left out."""
    heads, *rows = book.held[sheet].iter_rows(values_only=True)
    found = []
    for row in rows:
        cells = {str(head): cell for head, cell in zip(heads, row, strict=True) if cell not in (None, "")}
        found.append({head: exact(sheet, head, cell) for head, cell in cells.items()})
    return found


def exact(sheet: str, head: str, cell: Any) -> Any:
    if isinstance(cell, str):
        return cell
    of_money = head in MONEY or (sheet == "days" and head not in NOT_MONEY)
    return round(Decimal(str(round(cell, 2))) * (100 if of_money else 1), 2)


def expected(sheet: str, month: Any) -> Rows:
    """The rows of a month, out of its JSON."""
    name = {"month": month["month"]}
    rows: Iterator[dict[str, Any]]
    match sheet:
        case "days":
            rows = days(month["revenue"])
        case "irregularities" | "faults of the record":
            rows = found(month["irregularities" if sheet == "irregularities" else "faults"])
        case "alerts":
            rows = alerts(month["alerts"])
        case "disputes":
            rows = disputes(month["disputes"])
        case "devices":
            rows = devices(month["devices"])
        case "sealed":
            rows = chain(days_sealed(month["days_sealed"]), sealed(month["sealed"], month["tells_seal"]))
        case _:
            rows = not_known(month)
    whole = [name | {key: one for key, one in row.items() if one not in (None, "")} for row in rows]
    return [
        {key: one if isinstance(one, str) else round(Decimal(str(one)), 2) for key, one in row.items()}
        for row in whole
    ]


def days(revenue: Any) -> Iterator[dict[str, Any]]:
    for line in revenue["lines"]:
        yield line | {"lacks": "; ".join(line["lacks"])}
    yield revenue["total"] | {"key": "total", "lacks": "; ".join(revenue["total"]["lacks"])}


def found(lines: Any) -> Iterator[dict[str, Any]]:
    for line in lines:
        yield line | {"clauses": "; ".join(line["clauses"])}
    if lines:
        yield {"check": "total"} | {name: sum(line[name] for line in lines) for name in SUMMED}


def counted(field: str, counts: dict[str, int]) -> Iterator[dict[str, Any]]:
    for name, count in counts.items():
        yield {"field": field, "name": name, "count": count}
    yield {"field": field, "name": "total", "count": sum(counts.values())}


def alerts(counts: Any) -> Iterator[dict[str, Any]]:
    if counts is None:
        yield {"field": "there is no desk"}
        return
    yield from counted("raised", counts["raised"])
    yield from counted("closed", counts["closed"])
    yield {"field": "open", "count": counts["open"]}


def disputes(counts: Any) -> Iterator[dict[str, Any]]:
    if counts is None:
        yield {"field": "there is no desk"}
        return
    yield from ({"field": name, "count": counts[name]} for name in ("opened", "open"))
    yield from counted("decided", counts["decided"])
    yield from ({"field": name, "money": counts[name]} for name in ("paid", "returned"))


def devices(lines: Any) -> Iterator[dict[str, Any]]:
    yield from lines
    if lines:
        counts = {name: sum(line[name] for line in lines) for name in ("failures", "rounds", "undecided")}
        yield {"table": "total"} | counts


def days_sealed(seals: Any) -> Iterator[dict[str, Any]]:
    for one in seals:
        at = dt.datetime.fromisoformat(one["at"])
        yield {"of": one["first"], "figure": f"sealed by {one['by']}, {at:%-d %b %Y %H:%M:%S} UTC"}


def sealed(told: Any, is_known: bool) -> Iterator[dict[str, Any]]:
    if told is None:
        unknown = "not told: there is no desk, or it is withheld in part"
        yield {"of": "the month is not sealed" if is_known else unknown}
        return
    at = dt.datetime.fromisoformat(told["seal"]["at"])
    yield {"of": f"sealed by {told['seal']['by']}", "figure": f"{at:%-d %b %Y %H:%M:%S} UTC"}
    for one in told["changed"]:
        of_money = one["figure"] not in NOT_MONEY
        heads = ("sealed_money", "money_now") if of_money else ("sealed", "now")
        values = dict(zip(heads, (one["sealed"], one["now"]), strict=True))
        yield {"of": one["key"] or "total", "figure": one["figure"]} | values


def not_known(month: Any) -> Iterator[dict[str, Any]]:
    for table, rounds in month["dayless"].items():
        yield {
            "of": table,
            "rounds": rounds,
            "why": "rounds of no gaming day, which are in no sum of money",
        }
    if month["dayless"]:
        yield {"of": "total", "rounds": sum(month["dayless"].values())}
    for line in month["revenue"]["lines"]:
        yield from ({"of": line["key"], "why": why} for why in line["lacks"])
