"""Puts faults into the source, one at a time, and says which tests find them: `python -m tests.planted --seed 1`.

Run it in a clone of its own, with its own environment, for it changes the source while it works; the tree must hold
nothing but its commit. Each fault is one of three: a comparison turned, a line dropped, a constant changed. It is
looked for by format, lint and types, by the quick tests of its part, by all tests of `make check`, and by the rest of
the tests of its part, until a test is red. `make test` never runs this: a fault that nobody finds takes ten minutes and
more, and thirty faults some hours; `--only` goes on with the rest of them.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.architecture.tracked import ROOT, syntax_of, tracked_files


class Part(NamedTuple):
    """What is broken together, and the folders of tests that hold it; a module is of the first part that has it."""

    name: str
    source: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = (
    Part(
        "law",
        ("processors/law",),
        ("law", "golden", "mutations", "rulesets", "readings", "pipeline", "conservation"),
    ),
    Part(
        "fold",
        ("processors/core", "processors/games"),
        ("pipeline", "law", "mutations", "noise", "golden", "hands"),
    ),
    Part("rack", ("processors/rack",), ("rack", "conservation", "mutations", "drawing", "documents")),
    Part("detectors", ("processors/detectors",), ("detectors", "pipeline", "runtime")),
    Part("sink", ("processors/runtime",), ("runtime", "warehouse", "embedded", "live")),
    Part(
        "desk",
        ("dashboards/desk", "dashboards/alerts", "dashboards/ledger"),
        ("console", "notify", "embedded", "browser"),
    ),
    Part("console", ("dashboards",), ("console", "drawing", "hands", "commands", "documents", "browser")),
)
# Beside a limit a comparison takes the limit to the other side; two numbers of events, say, are never equal, and there
# the comparison is turned round.
AT_LIMIT = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ROUND = {"<": ">", "<=": ">", ">": "<", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
         "is": "is not", "is not": "is"}  # fmt: skip
MINUTES = 12  # a fault may keep a program from ending
OPERATOR = re.compile(r"not\s+in\b|is\s+not\b|<=|>=|==|!=|<|>|\bin\b|\bis\b")


class Fault(NamedTuple):
    """Bytes of a file that are put in place of others; `what` says so to a reader."""

    kind: str
    path: Path
    line: int
    start: int
    end: int
    text: bytes
    what: str


def faults(path: Path) -> Iterator[Fault]:
    """All faults that can be put into a module."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def fault(kind: str, node: ast.AST, start: int, end: int, text: str) -> Fault:
        what = f"{source[start:end].decode()!r} -> {text!r}"
        return Fault(kind, path, getattr(node, "lineno", 0), start, end, text.encode(), what)

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return starts[node.lineno - 1] + node.col_offset, starts[end_line - 1] + end_column

    for node in _inside_functions(syntax_of(source.decode())):
        match node:
            case ast.Compare(left=left, ops=[_], comparators=[right]):
                start = span(left)[1]
                found = OPERATOR.search(source[start : span(right)[0]].decode())
                if found is not None:
                    old = " ".join(found.group().split())
                    new = (AT_LIMIT if _is_limit(left) or _is_limit(right) else ROUND).get(old, ROUND[old])
                    yield fault("comparison", node, start + found.start(), start + found.end(), new)
            case (
                ast.Expr(value=ast.Call())
                | ast.AugAssign()
                | ast.Continue()
                | ast.Return(value=ast.Constant())
            ):
                yield fault("line", node, *span(node), "pass")
            case ast.Constant(value=bool() as value):
                yield fault("constant", node, *span(node), str(not value))
            case ast.Constant(value=int() as value):
                yield fault("constant", node, *span(node), str(value + 1))


def _is_limit(node: ast.expr) -> bool:
    """Whether an operand is a number of the source: a literal, a constant, or a rule's number by its name."""
    match node:
        case ast.Constant() | ast.Subscript(slice=ast.Constant(value=str())):
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
    return False


def _inside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Nodes that run when a function does, and what is assigned in a module: no annotations, no documentation."""
    for statement in ast.walk(tree):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in statement.body:
                yield from ast.walk(part)
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            yield from ast.walk(statement.value)


def chosen(seed: int, count: int) -> list[tuple[Part, Fault]]:
    """So many faults, of each part in turn, of each kind in turn, anywhere in it."""
    draw = random.Random(seed)
    found: list[tuple[Part, Fault]] = []
    for number in range(count):
        part = PARTS[number % len(PARTS)]
        kind = ("comparison", "line", "constant")[number // len(PARTS) % 3]
        found.append((part, draw.choice([fault for fault in _faults_of(part) if fault.kind == kind])))
    return found


@cache
def _faults_of(part: Part) -> list[Fault]:
    paths = [path for path in tracked_files() if path.suffix == ".py" and _part_of(path) is part]
    return [fault for path in paths for fault in sorted(set(faults(path)))]


def _part_of(path: Path) -> Part | None:
    folders = {folder.as_posix() for folder in path.relative_to(ROOT).parents}
    return next((part for part in PARTS if folders.intersection(part.source)), None)


def found_by(part: Part) -> str:
    """What is red while the fault is there, in words; empty if nothing is."""
    bin_ = ROOT / ".venv" / "bin"
    quick = "not live and not thorough and not soak"
    tests = [f"tests/{folder}" for folder in part.tests]
    pytest = ["sh", "tests/in_memory.sh", str(bin_ / "pytest"), "-q", "-x", "-p", "no:cacheprovider", "-n"]
    steps: tuple[tuple[str, list[str]], ...] = (
        (
            "lint",
            [str(bin_ / "ruff"), "check", "-q", "--ignore", "PIE790", "--output-format", "concise", "."],
        ),
        ("types", [str(bin_ / "mypy")]),
        ("its tests", [*pytest, "2", "-m", "not live and not soak", *tests]),
        ("make check", [*pytest, "2", "-m", quick]),
        ("its live tests", [*pytest, "6", "-m", "live and not soak", *tests]),
    )
    for name, command in steps:
        code, told = _run(command)
        if code is None:
            return f"{name}: no end in {MINUTES} minutes"
        if code not in (0, 5 if "live" in name else 0):  # 5: none of these tests is asked for
            red = [one for one in told if one.startswith(("FAILED", "ERROR")) or ": error:" in one]
            return f"{name}: {(red or told[-1:] or [''])[0].removeprefix('FAILED ')[:150]}"
    return ""


def _run(command: list[str]) -> tuple[int | None, list[str]]:
    """Exit status and lines of what was printed; no status if it had to be stopped, with all that it started."""
    environment = {**os.environ, "CI": "true"}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            told, _ = process.communicate(timeout=60 * MINUTES)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, []
    return process.returncode, told.splitlines()


def main() -> int:
    """Plants each fault, looks for it and takes it away again; 1 if nobody found some."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.planted", description=(__doc__ or "").split("\n", 1)[0]
    )
    parser.add_argument("--seed", type=int, required=True, help="which faults")
    parser.add_argument("--faults", type=int, default=30, help="how many (30)")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of those to try; all without it")
    parser.add_argument("--list", action="store_true", help="list them, and change nothing")
    given = parser.parse_args()
    changed = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    if changed and not given.list:
        raise SystemExit("planted: the tree holds more than its commit; commit it, or use a clone of its own")
    missed = 0
    for number, (part, fault) in enumerate(chosen(given.seed, given.faults), 1):
        if given.only and number not in given.only:
            continue
        place = f"{number:>3} {part.name:<9} {fault.path.relative_to(ROOT)}:{fault.line} {fault.kind}: {fault.what}"
        _say(place)
        if given.list:
            continue
        before = fault.path.read_bytes()
        try:
            fault.path.write_bytes(before[: fault.start] + fault.text + before[fault.end :])
            by = found_by(part)
        finally:
            fault.path.write_bytes(before)
        missed += not by
        _say(f"      {by or 'FOUND BY NOBODY'}")
    return 1 if missed else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
