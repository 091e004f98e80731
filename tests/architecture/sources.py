"""What the tests of architecture ask of a module's source, read by `ast` once however many ask."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.architecture.tracked import syntax_of


@dataclass(slots=True)
class Source:
    """Of one module: its imports, and with their lines what it calls, its functions, and the texts in it."""

    imports: list[ast.Import | ast.ImportFrom] = field(default_factory=list)
    calls: list[tuple[int, str]] = field(default_factory=list)  # the last name of what is called
    functions: list[tuple[int, int, str]] = field(default_factory=list)  # first line, last line, name
    texts: list[tuple[int, str]] = field(default_factory=list)


def source_of(path: Path) -> Source:
    """What a module holds."""
    return _read(path.read_text(encoding="utf-8"))


@cache
def _read(text: str) -> Source:
    found = Source()
    for node in ast.walk(syntax_of(text)):
        match node:
            case ast.Import() | ast.ImportFrom():
                found.imports.append(node)
            case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
                found.calls.append((node.lineno, name))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found.functions.append((node.lineno, node.end_lineno or node.lineno, node.name))
            case ast.Constant(value=str(value)):
                found.texts.append((node.lineno, value))
    return found
