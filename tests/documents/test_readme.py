"""What the README shows is what a reader gets who types it."""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _sessions(text: str) -> list[list[tuple[str, str]]]:
    """Each console block as pairs of a command, which may have several lines, and the output shown for it."""
    blocks = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
        steps: list[tuple[str, str]] = []
        command, output, quoted = "", "", False
        for line in block.splitlines(keepends=True):
            if line.startswith("$ "):
                if command:
                    steps.append((command, output))
                command, output = line[2:], ""
                quoted = command.count("'") % 2 == 1
            elif quoted:
                command += line
                quoted = command.count("'") % 2 == 1
            else:
                output += line
        blocks.append([*steps, (command, output)])
    return blocks


def _differences(block: list[tuple[str, str]], folder: Path) -> str:
    """Run the block's commands one after the other in `folder`; how what they print differs from what is shown."""
    (folder / "examples").symlink_to(ROOT / "examples")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    found: list[str] = []
    for command, shown in block:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        found += difflib.unified_diff(
            shown.splitlines(), (done.stdout + done.stderr).splitlines(), "README", command, lineterm="", n=0
        )
    return "\n".join(found)


def test_the_readme_opens_with_a_hand_that_is_reconstructed() -> None:
    opening = README.partition("## ")[0]
    ((first, _), *_) = _sessions(opening)[0]
    assert first.startswith("catwalk replay examples/")
    assert "make demo" in README.partition("## ")[2]


@pytest.mark.parametrize("block", _sessions(README), ids=lambda block: block[0][0].strip()[:40])
def test_a_command_of_the_readme_prints_what_the_readme_shows(
    block: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert _differences(block, tmp_path) == ""


def test_output_that_differs_is_seen(tmp_path: Path) -> None:
    block = _sessions("```console\n$ echo 'a\nb'\na\nb\n$ echo c\nd\n```\n")[0]
    assert block == [("echo 'a\nb'\n", "a\nb\n"), ("echo c\n", "d\n")]
    assert _differences(block, tmp_path).splitlines()[-2:] == ["-d", "+c"]


def test_every_file_and_folder_the_documents_point_to_is_there() -> None:
    for name in ("README.md", "DECISIONS.md", "GLOSSARY.md", "CHANGELOG.md", "docs/readings.md"):
        folder = (ROOT / name).parent
        links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text(encoding="utf-8"))
        assert [link for link in links if not (folder / link).exists()] == []
    paths = re.findall(r"`((?:schemas|producers|processors|deploy|tests|docs|examples)/[\w./-]*)`", README)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_target_the_readme_names_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = set(re.findall(r"(?:`|^)make ([a-z]+)\b", README, re.M))
    assert named <= targets
    assert {"demo", "test", "check", "soak", "lock"} <= named
