"""The files of the project: what git tracks or would track, or, outside a git clone, what lies there."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DERIVED = {
    ".venv",
    ".git",
    "__pycache__",
    "node_modules",
    "build",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
}


def tracked_files(root: Path = ROOT) -> list[Path]:
    """Files of the project under `root` that exist, sorted."""
    if (root / ".git").exists():
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z"], check=True, capture_output=True, text=True
        ).stdout.split("\0")
        return sorted(path for name in listed if name and (path := root / name).is_file())
    return sorted(p for p in root.rglob("*") if p.is_file() and not DERIVED & set(p.relative_to(root).parts))


def syntax_of(text: str) -> ast.Module:
    """The syntax tree of a source.

    CPython 3.11 fails to make one now and then, of any source (python/cpython#106905): then it is asked again.
    """
    try:
        return ast.parse(text)
    except SystemError:
        return ast.parse(text)
