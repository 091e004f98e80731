"""What the source uses of itself: modules it imports or starts, and names it reads. Tests are no users."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.architecture.imports import FIRST_PARTY, Violation, imports_of, module_name
from tests.architecture.sources import source_of
from tests.architecture.tracked import syntax_of, tracked_files

RENAME = "rename one of the two: outside of its folder a class's name stands for one thing"
DELETE = "delete it with its tests, or move it to the tests if only they need it"
# Bases from outside the source whose library calls none of a class's methods by name.
SILENT_BASES = {
    "ABC",
    "Enum",
    "Generic",
    "IntEnum",
    "NamedTuple",
    "Protocol",
    "StrEnum",
    "Struct",
    "TypedDict",
}
# Decorators that register nothing: the function still needs a caller.
SILENT_DECORATORS = {"asynccontextmanager", "cache", "contextmanager", "lru_cache", "overload", "wraps"}
COMMANDS = "deploy.cli"  # the table of `deploy.cli.main` names modules from here
STARTS = re.compile(r"-m ([\w.]+)|\b([\w.]+):[a-z]")  # `python -m a.b`, or an entry point `a.b:name`
STARTERS = {".md", ".sh", ".toml", ".yaml", ".yml", ""}
HISTORY = {"CHANGELOG.md", "DECISIONS.md"}


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, class, method or constant of a module; `owner` is the class of a method."""

    name: str
    first: int
    last: int
    owner: str
    kind: type[ast.AST]
    decorators: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()


@dataclass(slots=True)
class Module:
    """One module: what it defines, what its imports bind, and the lines where it reads a name."""

    path: Path
    definitions: list[Definition] = field(default_factory=list)
    bound: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # local name -> full names
    names: list[tuple[int, str]] = field(default_factory=list)
    dotted: list[tuple[int, str]] = field(default_factory=list)  # `a.b.c`; `?.c` behind an expression


def unused(root: Path) -> list[Violation]:
    """Every module that nothing imports or starts, and every name that nothing refers to."""
    uses, started = _uses(root)
    return [*uses.unstarted(started), *uses.unused_names()]


def namesakes(root: Path) -> list[Violation]:
    """Every class that is used outside of its folder by a name that another such class has."""
    return list(_uses(root)[0].names_of_two())


@cache
def _uses(root: Path) -> tuple[Uses, set[str]]:
    """The references of the source, and what names a module to start or import it."""
    files = [(path, path.relative_to(root)) for path in tracked_files(root)]
    source = [(path, at) for path, at in files if at.suffix == ".py" and at.parts[0] in FIRST_PARTY]
    modules = {module_name(at): _module(path, at) for path, at in source}
    texts = {module_name(at): {text for _, text in source_of(path).texts} for path, at in source}
    started = {f"{COMMANDS}.{text}" for text in texts.get(f"{COMMANDS}.main", ())}
    templates: set[str] = set()
    for path, at in files:
        if at.suffix == ".html":
            templates.update(re.findall(r"\.(\w+)", path.read_text(encoding="utf-8")))
        elif at.suffix in STARTERS and at.parts[0] != "tests" and at.name not in HISTORY:
            found = STARTS.findall(path.read_text(encoding="utf-8"))
            started.update(module or entry for module, entry in found)
    uses = Uses(modules, templates)
    for name, module in modules.items():
        started.update(uses.imported(module) - {name}, texts[name] - {name})
    return uses, started


def _module(path: Path, at: Path) -> Module:
    module, source = Module(at), source_of(path)
    targets = imports_of(source, module_name(at), at.name == "__init__.py")
    aliases = (alias for node in source.imports for alias in node.names)
    for alias, (_, target) in zip(aliases, targets, strict=True):
        module.bound[alias.asname or alias.name].add(target)
    tree = syntax_of(path.read_text(encoding="utf-8"))
    module.definitions.extend([*_constants(tree), *_definitions(tree, "")])
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            module.dotted.append((node.lineno, _dotted(node)))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            module.names.append((node.lineno, node.id))
    return module


def _constants(tree: ast.Module) -> Iterator[Definition]:
    for node in tree.body:
        for target in _targets(node):
            if isinstance(target, ast.Name):
                yield Definition(target.id, node.lineno, node.end_lineno or node.lineno, "", ast.Name)


def _targets(node: ast.stmt) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=targets):
            return targets
        case ast.AnnAssign(target=target):
            return [target]
    return []


def _definitions(node: ast.AST, owner: str) -> Iterator[Definition]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            decorators = tuple(map(_dotted, child.decorator_list))
            bases = tuple(map(_dotted, child.bases)) if isinstance(child, ast.ClassDef) else ()
            last = child.end_lineno or child.lineno
            yield Definition(child.name, child.lineno, last, owner, type(child), decorators, bases)
            yield from _definitions(child, child.name if isinstance(child, ast.ClassDef) else "")
        else:
            yield from _definitions(child, owner)


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
        case ast.Subscript(value=value) | ast.Call(func=value):
            return _dotted(value)
    return "?"


class Uses:
    """The references of all modules to one another's names."""

    def __init__(self, modules: dict[str, Module], templates: set[str]) -> None:
        """`templates` holds the names that stand behind a dot in a template."""
        self._modules = modules
        self._templates = templates
        # Full names that modules read through their imports: the folders of those modules.
        self._read: dict[str, set[Path]] = defaultdict(set)
        self._attributes: dict[str, list[tuple[Module, int]]] = defaultdict(list)
        for module in modules.values():
            for _, name in module.names:
                self._note(module, name)
            for line, dotted in module.dotted:
                self._note(module, dotted)
                self._attributes[dotted.rpartition(".")[2]].append((module, line))

    def _note(self, module: Module, name: str) -> None:
        for home in self._homes(module, name):
            self._read[home].add(module.path.parent)

    def imported(self, module: Module) -> set[str]:
        """The modules that a module imports, or of which it imports a name."""
        targets = {target for targets in module.bound.values() for target in targets}
        return {target if target in self._modules else target.rpartition(".")[0] for target in targets}

    def unstarted(self, started: set[str]) -> Iterator[Violation]:
        """Modules that nothing imports or starts."""
        for name, module in self._modules.items():
            by_path = module.path.name in started  # a program that is started by its file's name
            if not (name in started or by_path or module.path.name in {"__init__.py", "__main__.py"}):
                yield Violation(module.path, 1, f"nothing imports or starts {name}", DELETE)

    def unused_names(self) -> Iterator[Violation]:
        """Functions, classes, methods and constants that nothing refers to outside of their own definition."""
        for name, module in self._modules.items():
            for one in module.definitions:
                dunder = one.name.startswith("__") and one.name.endswith("__")
                used = self._method_is_used if one.owner else self._is_used
                if not dunder and not used(name, module, one):
                    shown = f"{one.owner}.{one.name}" if one.owner else one.name
                    yield Violation(module.path, one.first, f"nothing refers to {shown}", DELETE)

    def names_of_two(self) -> Iterator[Violation]:
        """Classes that other folders read under a name under which other folders read another class, too."""
        known: dict[str, list[tuple[Module, Definition]]] = defaultdict(list)
        for name, module in self._modules.items():
            for one in module.definitions:
                readers = self._read.get(f"{name}.{one.name}", set())
                if one.kind is ast.ClassDef and not one.owner and readers - {module.path.parent}:
                    known[one.name].append((module, one))
        for name, (first, *others) in known.items():
            for module, one in others:
                found = f"{name} is the name of a class of {first[0].path}, too"
                yield Violation(module.path, one.first, found, RENAME)

    def _is_used(self, name: str, module: Module, one: Definition) -> bool:
        registered = any(each.rpartition(".")[2] not in SILENT_DECORATORS for each in one.decorators)
        return (
            (registered and one.kind is not ast.ClassDef)
            or (one.kind is ast.Name and one.name in self._attributes)  # of a module in a variable
            or f"{name}.{one.name}" in self._read
            or any(read == one.name and not one.first <= line <= one.last for line, read in module.names)
        )

    def _method_is_used(self, name: str, module: Module, one: Definition) -> bool:
        return (
            one.name in self._templates
            or self._is_called_back(name, one.owner)
            or any(
                where is not module or not one.first <= line <= one.last
                for where, line in self._attributes[one.name]
            )
        )

    def _is_called_back(self, name: str, owner: str) -> bool:
        """Whether a class has a base from outside the source, at any remove, that may call its methods."""
        module = self._modules[name]
        bases = (
            base
            for one in module.definitions
            if one.kind is ast.ClassDef and one.name == owner
            for base in one.bases
        )
        for base in bases:
            for home in self._homes(module, base) or {f"{name}.{base}"}:
                where, _, parent = home.rpartition(".")
                if where in self._modules:
                    if parent != owner and self._is_called_back(where, parent):
                        return True
                elif parent not in SILENT_BASES:
                    return True
        return False

    def _homes(self, module: Module, dotted: str) -> set[str]:
        """The full names under which a name was defined that an import binds; none of an unbound name."""
        found: set[str] = set()
        parts = dotted.split(".")
        for end in range(1, len(parts) + 1):
            for target in module.bound.get(".".join(parts[:end]), ()):
                found.update(self._home(".".join([target, *parts[end:]])))
        return found

    def _home(self, target: str) -> set[str]:
        where, _, name = target.rpartition(".")
        if where in self._modules and name in self._modules[where].bound:
            return self._homes(self._modules[where], name)
        return {target}
