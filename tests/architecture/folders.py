"""Which folder imports from which, and the order in which the folders of a package stand; read from the imports.

A folder is the modules that lie directly in it; its subfolders are folders of their own. An import inside a function or
for types alone counts like any other. What Python loads on the way to a module does not: `import a.b.c` is an import of
`a.b.c`, and not of `a.b`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tests.architecture.circles import circles
from tests.architecture.imports import FIRST_PARTY, imports_of, module_name
from tests.architecture.sources import source_of

Rows = tuple[tuple[str, ...], ...]
OWN = "."  # the modules directly in a package, among its folders

# Package -> its folders from the highest to the lowest, each with all that it holds. A folder may import from folders
# below it; folders in one row do not import from one another.
ORDERS: dict[str, Rows] = {
    "processors/core": (("folding",), ("grammar",), ("devices",), (OWN,)),
    "processors/games": (("whichever",), ("blackjack", "stacks"), (OWN,)),
    "processors/law": (("rehear",), ("judge",), ("duties",), ("finding",), (OWN,)),
    "processors/detectors": (
        ("stages",),
        ("families",),
        ("favouring", "winning"),
        ("calling", "cutting", "following", "knowing", "sensing", "shuffling"),
        (OWN, "evidence"),
    ),
    "processors/rack": (("proving",), ("solving",), ("departures",), (OWN,)),
    "dashboards": (
        ("server",),
        ("people", "tuning"),
        ("cases", "log", "monthly", "patterns", "shelves", "shift", "tables"),
        ("alerts", "disputes"),
        ("hands", "restitution"),
        ("debts", "health", "personal", "revenue", "sign_in", "suspected", "watching"),
        ("web",),
        ("reports",),
        ("queue", "suspicions"),
        ("accounts",),
        ("desk", "folding"),
        ("casebook", "filters", "replayer", "terminal"),
        (OWN, "drawing", "ledger", "reader", "wording"),
    ),
    "dashboards/revenue": (("pages",), ("sealing",), ("filing",), (OWN,)),
    "producers/simulator": (
        ("patterns",),
        ("noise",),
        ("scenarios",),
        (OWN,),
        ("blackjack", "stacks"),
        ("day",),
        ("floor",),
    ),
    "schemas": (("contract",), ("events",), (OWN,), ("rulesets", "tlog", "warehouse")),
}


@dataclass(frozen=True, slots=True)
class Import:
    """A module that a line imports from another folder."""

    path: PurePosixPath
    line: int
    module: str
    folder: str  # of the module

    @property
    def own(self) -> str:
        """The folder of the line."""
        return str(self.path.parent)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: imports {self.module}"


def imports_between_folders(root: Path) -> list[Import]:
    """Every import of a module of the project from a folder that is not the importing module's."""
    paths = sorted(path for name in FIRST_PARTY for path in (root / name).rglob("*.py"))
    modules = {module_name(path.relative_to(root)): path for path in paths}
    found = {}
    for name, path in modules.items():
        for line, target in imports_of(source_of(path), name, path.name == "__init__.py"):
            while target and target not in modules:
                target = target.rpartition(".")[0]
            if target and modules[target].parent != path.parent:
                own, other = (PurePosixPath(one.relative_to(root)) for one in (path, modules[target]))
                found[own, line, target] = Import(own, line, target, str(other.parent))
    return list(found.values())


def folder_circles(imports: Iterable[Import]) -> list[str]:
    """Each circle of folders, with the imports that close it and what to do about them."""
    between: dict[str, dict[str, list[Import]]] = defaultdict(lambda: defaultdict(list))
    for one in imports:
        between[one.own][one.folder].append(one)
    said = []
    for circle in circles(between):
        against = "\n".join(f"  {one}" for one in _closing(circle, between))
        said.append(
            f"{', '.join(circle)} import from one another; move what these lines import, or the importing module, "
            f"to the folder it belongs to:\n{against}"
        )
    return said


def _closing(circle: list[str], between: dict[str, dict[str, list[Import]]]) -> list[Import]:
    """Of a circle, imports without which there is none: the folder that imports least of the others stands lowest."""
    rest, found = list(circle), []
    while rest:
        lowest = min(rest, key=lambda folder: sum(len(between[folder][one]) for one in rest if one != folder))
        rest.remove(lowest)
        found += [one for other in rest for one in between[lowest][other]]
    return found


def broken_orders(root: Path, imports: Iterable[Import], orders: Mapping[str, Rows] = ORDERS) -> list[str]:
    """Imports against the order of a package, folders that an order does not name, and names without a folder."""
    listed, said = list(imports), []
    for package, rows in orders.items():
        rank = {folder: place for place, row in enumerate(rows) for folder in row}
        there = {
            _child(package, str(PurePosixPath(path.relative_to(root)).parent))
            for path in (root / package).rglob("*.py")
        }
        said += [f"{package}/{name} has no place in the order of {package}" for name in there - rank.keys()]
        said += [f"{package}/{name}, of the order of {package}, is no folder" for name in rank.keys() - there]
        for one in listed:
            upper, lower = _child(package, one.own), _child(package, one.folder)
            if upper in rank and lower in rank and upper != lower and rank[lower] <= rank[upper]:
                says = (
                    f"{upper} stands below {lower}" if rank[lower] < rank[upper] else "they stand in one row"
                )
                said.append(f"{one}; in {package}, {says}: move the code, or pass the value in")
    return sorted(said)


def _child(package: str, folder: str) -> str:
    """Of a folder, the folder directly in a package that holds it; empty if it lies outside of the package."""
    if folder == package:
        return OWN
    return folder.removeprefix(package + "/").partition("/")[0] if folder.startswith(package + "/") else ""
