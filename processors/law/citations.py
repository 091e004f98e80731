"""The citations: one row a role, with the ids of the provisions that give it in each ruleset.

A role (`insurance.at_most_half`) is a duty, permission or definition that the rulesets share, whatever number its
clause has in each. Checks cite roles; `citations.csv` is the only place where a provision's id is written down.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib import resources

from msgspec import Struct

from schemas.provisions import PROVISIONS, Provision
from schemas.rulesets import RULESETS

FILE = "processors/law/citations.csv"


class LawRole(Struct, frozen=True):
    """One role: its name, the provisions that give it by ruleset, the row it stands in, and its duty in our words."""

    name: str
    cites: Mapping[str, tuple[str, ...]]
    row: int
    duty: str


class BadCitation(ValueError):
    """A row of the citations that cannot be; the message names file, row, what is wrong, and the remedy."""

    def __init__(self, row: int, wrong: str, remedy: str) -> None:
        """`row` counts the lines of the file, its header included."""
        super().__init__(f"{FILE}:{row}: {wrong}; {remedy}")


def read_citations(
    text: str, provisions: Mapping[str, Provision] = PROVISIONS, rulesets: Collection[str] = tuple(RULESETS)
) -> dict[str, LawRole]:
    """The roles of a file of citations, by name.

    Raises:
        BadCitation: a column that is no ruleset, a role named twice, a provision that does not exist, is another
            ruleset's or stands twice, or a provision of the register without a role.
    """
    reader = csv.DictReader(io.StringIO(text))
    columns = [name for name in reader.fieldnames or () if name not in ("role", "duty")]
    if sorted(columns) != sorted(rulesets):
        raise BadCitation(1, f"the columns are {', '.join(columns)}", f"name {', '.join(rulesets)}")
    roles: dict[str, LawRole] = {}
    stands: dict[str, int] = {}
    for row in reader:
        at, name = reader.line_num, row["role"]
        if name in roles:
            wrong = f"{name} stands in row {roles[name].row} too"
            raise BadCitation(at, wrong, "give one of them another name")
        cites = {ruleset: tuple(row[ruleset].split()) for ruleset in columns if row[ruleset].strip()}
        for ruleset, ids in cites.items():
            for provision in ids:
                _refuse(at, ruleset, provision, provisions, stands)
                stands[provision] = at
        roles[name] = LawRole(name, cites, at, row["duty"])
    for provision in provisions:
        if provision not in stands:
            raise BadCitation(reader.line_num, f"{provision} has no role", "add its row, or put it into one")
    return roles


def _refuse(
    row: int, ruleset: str, provision: str, provisions: Mapping[str, Provision], stands: Mapping[str, int]
) -> None:
    known = provisions.get(provision)
    if known is None:
        raise BadCitation(row, f"{provision} is no provision", "see schemas/provisions.csv for the ids")
    if known.ruleset != ruleset:
        raise BadCitation(row, f"{provision} is a provision of {known.ruleset}", f"not of {ruleset}; move it")
    if provision in stands:
        wrong = f"{provision} stands in row {stands[provision]} too"
        raise BadCitation(row, wrong, "leave it in one of them")


CITATIONS: dict[str, LawRole] = read_citations(
    resources.files("processors.law").joinpath("citations.csv").read_text("utf-8")
)
ROLES: dict[str, str] = {
    provision: role.name for role in CITATIONS.values() for ids in role.cites.values() for provision in ids
}
"""The role of each provision."""


@cache
def cite(ruleset: str, roles: tuple[str, ...]) -> tuple[str, ...]:
    """The provisions of a ruleset that give the roles, in their order, once each; roles it lacks are left out.

    Raises:
        KeyError: a name that is no role.
    """
    return tuple(dict.fromkeys(one for role in roles for one in CITATIONS[role].cites.get(ruleset, ())))


def rulesets_of(roles: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What the roles cite in each ruleset that has one of them."""
    names = tuple(roles)
    return {ruleset: ids for ruleset in RULESETS if (ids := cite(ruleset, names))}
