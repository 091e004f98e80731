"""Which package may import which, and what the pure layers may not touch; read from the source by `ast`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.architecture.sources import Source, source_of

FIRST_PARTY = ("schemas", "producers", "processors", "dashboards", "deploy", "benchmarks")

# Layer -> what it may import of this project; the longest matching name of a module is its layer.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "schemas": ("schemas",),
    "producers": ("schemas", "producers"),
    "processors.core": ("schemas", "processors.core"),
    "processors.games": ("schemas", "processors.core", "processors.games"),
    "processors.play": ("schemas", "processors.core", "processors.games", "processors.play"),
    "processors.law": ("schemas", "processors.core", "processors.games", "processors.law"),
    "processors.law.citations": ("schemas", "processors.law.citations"),
    "processors.detectors": (
        "schemas",
        "processors.core",
        "processors.games",
        "processors.play",
        "processors.detectors",
    ),
    "processors.rack": (
        "schemas",
        "processors.core",
        "processors.games",
        "processors.law.citations",
        "processors.rack",
    ),
    "processors.pipeline": (
        "schemas",
        "processors.core",
        "processors.games",
        "processors.law",
        "processors.detectors",
        "processors.play",
        "processors.rack",
        "processors.proof",
        "processors.pipeline",
    ),
    "processors.proof": (
        "schemas",
        "processors.core",
        "processors.games",
        "processors.rack",
        "processors.proof",
    ),
    "processors.runtime": ("schemas", "processors"),
    "dashboards": ("schemas", "processors.core", "processors.games", "dashboards"),
    "deploy": (  # all but the command line, which stands above its rooms
        "schemas",
        "producers",
        "processors",
        "dashboards",
        "benchmarks",
        *(
            f"deploy.{room}"
            for room in (
                "audit",
                "backup",
                "capture",
                "checkpoints",
                "configured",
                "console",
                "demo",
                "evidence",
                "notify",
                "replay",
                "stack",
                "upgrade",
            )
        ),
        *(
            f"deploy.{name}"
            for name in (
                "checkpoint_settings",
                "errors",
                "private_files",
                "progress",
                "setting_forms",
                "settings",
            )
        ),
    ),
    "deploy.cli": FIRST_PARTY,
    "benchmarks": FIRST_PARTY,
}

# Part of a layer -> what it may not import of its own layer or of those below: a duty asks the state, and never the
# modules that find out which words are missing.
MAY_NOT_IMPORT: dict[str, tuple[str, ...]] = {
    "processors.law.duties": (
        "processors.core.devices",
        "processors.core.folding.lingering",
        "processors.core.folding.unracked",
        "processors.core.grammar",
        "processors.core.unheard",
        "processors.core.witnesses",
        "processors.law.finding",
        "processors.law.judge",
        "processors.law.rehear",
    ),
}

# Third-party package -> the only places that may import it.
ONLY_IN: dict[str, tuple[str, ...]] = {
    # Benchmarks measure ours beside the bare client.
    "kafka": ("producers", "benchmarks"),
    "aiokafka": ("processors.runtime", "benchmarks"),
    "faust": ("processors.runtime", "benchmarks"),
    "clickhouse_driver": ("processors.runtime", "dashboards.reader", "benchmarks"),
}

PURE = ("schemas", "processors")
IMPURE = ("processors.runtime",)
FORBIDDEN_MODULES = {
    "asyncio": "wait in processors.runtime",
    "chdb": "query through the Warehouse port of the runtime",
    "glob": "find files in deploy and pass their bytes",
    "http": "speak to the network in processors.runtime",
    "importlib.resources": "declare the data as an exception here, with its reason",
    "io": "read in deploy and pass bytes",
    "logging": "return a finding; the runtime logs",
    "multiprocessing": "divide the work in deploy",
    "os": "take the value as an argument; settings are read in deploy",
    "pathlib": "read in deploy and pass bytes",
    "random": "take the numbers as an argument",
    "secrets": "take the numbers as an argument",
    "shutil": "move files in deploy",
    "socket": "speak to the network in processors.runtime",
    "sqlite3": "store through the ports of the runtime",
    "subprocess": "start processes in deploy",
    "sys": "take the value as an argument",
    "tempfile": "write files in deploy",
    "threading": "divide the work in the runtime",
    "time": "use the event's own time",
    "urllib": "speak to the network in processors.runtime",
}
FORBIDDEN_CALLS = {
    "open": "read in deploy and pass bytes",
    "input": "take the value as an argument",
    "print": "return the text",
    "now": "use the event's own time",
    "utcnow": "use the event's own time",
    "today": "use the gaming day",
    "uuid1": "derive ids from content",
    "uuid4": "derive ids from content",
    "import_module": "import by name, so that layers can be seen",
    "__import__": "import by name, so that layers can be seen",
}


@dataclass(frozen=True, slots=True)
class Excepted:
    """One thing a pure module may touch all the same, and why."""

    module: str
    touches: str
    reason: str


EXCEPTIONS = (
    Excepted("schemas.rulesets", "importlib.resources", "the package's own dated rules, read once at import"),
    Excepted(
        "schemas.provisions", "importlib.resources", "the package's own clause list, read once at import"
    ),
    Excepted("schemas.zones", "importlib.resources", "the package's own list of zones, read once at import"),
    Excepted("schemas.provisions", "io", "a csv reader wants lines of a text in memory"),
    Excepted(
        "processors.law.citations", "importlib.resources", "the package's own citations, read once at import"
    ),
    Excepted("processors.law.citations", "io", "a csv reader wants lines of a text in memory"),
    Excepted("schemas.contract.asyncapi", "sys", "writes the document to stdout when run as a program"),
)


@dataclass(frozen=True, slots=True)
class Violation:
    """A line that breaks a rule, and what to do instead."""

    path: Path
    line: int
    found: str
    fix: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.found}; {self.fix}"


def violations(root: Path, exceptions: tuple[Excepted, ...] = EXCEPTIONS) -> list[Violation]:
    """Every broken rule under `root`, and every exception that excepts nothing."""
    found: list[Violation] = []
    used: set[Excepted] = set()
    for path in sorted(p for name in FIRST_PARTY for p in (root / name).rglob("*.py")):
        module = module_name(path.relative_to(root))
        source = source_of(path)
        shown = path.relative_to(root)
        for line, target in imports_of(source, module, path.name == "__init__.py"):
            found.extend(_import_rules(shown, line, module, target))
        if _within(module, PURE) and not _within(module, IMPURE):
            for line, touched, fix in _impurities(source, module, path.name == "__init__.py"):
                excepted = [e for e in exceptions if _within(module, (e.module,)) and e.touches == touched]
                used.update(excepted)
                if not excepted:
                    found.append(Violation(shown, line, f"{module} touches {touched}", fix))
    here = Path(__file__).name
    for exception in exceptions:
        if exception not in used and (root / exception.module.replace(".", "/")).with_suffix(".py").exists():
            what = f"{exception.module} no longer touches {exception.touches}"
            found.append(Violation(Path(here), 0, what, "take the exception out"))
    return found


def module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def _layer(module: str) -> str | None:
    names = [layer for layer in MAY_IMPORT if _within(module, (layer,))]
    return max(names, key=len, default=None)


def imports_of(source: Source, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything imported: `from a import b` is `a.b`; no relative names."""
    for node in source.imports:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        else:
            base = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{stem}.{alias.name}") for alias in node.names)


def _import_rules(path: Path, line: int, module: str, target: str) -> Iterator[Violation]:
    top = target.partition(".")[0]
    if top in ONLY_IN and not _within(module, ONLY_IN[top]):
        fix = f"only {' and '.join(ONLY_IN[top])} may; go through its port"
        yield Violation(path, line, f"{module} imports {top}", fix)
    if top not in FIRST_PARTY:
        if top == "tests":
            yield Violation(path, line, f"{module} imports tests", "move what is shared into the package")
        return
    layer = _layer(module)
    if layer is None:
        if module != "processors":
            layers = ", ".join(name for name in MAY_IMPORT if name.startswith("processors."))
            yield Violation(path, line, f"{module} is in no layer", f"put it into one of {layers}")
        else:
            yield Violation(path, line, f"{module} imports {target}", "leave the package marker empty")
    elif not _within(target, MAY_IMPORT[layer]):
        fix = f"{layer} may import only {', '.join(MAY_IMPORT[layer])}; move the code, or pass the value in"
        yield Violation(path, line, f"{module} imports {target}", fix)
    for part, barred in MAY_NOT_IMPORT.items():
        if _within(module, (part,)) and _within(target, barred):
            yield Violation(
                path, line, f"{module} imports {target}", "let the state of the round or table answer it"
            )


def _impurities(source: Source, module: str, is_package: bool) -> Iterator[tuple[int, str, str]]:
    """Line, thing and fix for every clock, chance, environment, file and network in a pure module."""
    for line, target in imports_of(source, module, is_package):
        for name, fix in FORBIDDEN_MODULES.items():
            if _within(target, (name,)):
                yield line, name, fix
    for line, called in source.calls:
        if called in FORBIDDEN_CALLS:
            yield line, f"{called}()", FORBIDDEN_CALLS[called]
