"""What `make test` needs of a machine: installed where that is possible, and named where it is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("java", "mvn", "npm", "cc", "chromium-headless-shell")
PACKAGES = "default-jre-headless maven npm gcc libc6-dev chromium-headless-shell"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The only folder in which commands are looked for."""
    _command(tmp_path, "id", "echo 1000")
    return tmp_path


def _command(folder: Path, name: str, does: str = "") -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
    path.chmod(0o755)


def _tools(folder: Path) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", "tests/tools.sh"]
    return subprocess.run(command, cwd=ROOT, env={"PATH": str(folder)}, capture_output=True, text=True)


def test_where_all_is_there_nothing_is_done_or_said(folder: Path) -> None:
    for name in NEEDED:
        _command(folder, name)
    done = _tools(folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_who_may_install_nothing_reads_in_one_line_what_is_missing_and_how_to_get_it(folder: Path) -> None:
    _command(folder, "apt-get", "exit 1")
    for name in ("java", "npm", "cc"):
        _command(folder, name)
    done = _tools(folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "make test: missing: Maven (mvn), Chromium (chromium-headless-shell); install them"
        " (on Debian, as root: apt-get install maven chromium-headless-shell) and run it again\n"
    )


def test_root_elsewhere_than_on_debian_reads_it_too(folder: Path) -> None:
    _command(folder, "id", "echo 0")
    done = _tools(folder)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"apt-get install {PACKAGES}" in done.stderr


def test_root_on_debian_gets_it_and_reads_what_is_done(folder: Path) -> None:
    _command(folder, "id", "echo 0")
    _command(folder, "apt-get", f'echo "$@" >>{folder}/asked')
    done = _tools(folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"make test: installing {PACKAGES} from Debian (once, about two minutes)\n"
    assert (folder / "asked").read_text().splitlines() == [
        "update -qq",
        f"install -y -qq --no-install-recommends {PACKAGES}",
    ]


@pytest.mark.parametrize(("works", "instead"), [("", []), ("exit 1", ["Chromium takes its place"])])
def test_root_on_debian_with_chromium_gets_the_quicker_one_if_it_can_be_had(
    folder: Path, works: str, instead: list[str]
) -> None:
    for name in (*NEEDED[:-1], "chromium"):
        _command(folder, name)
    assert _tools(folder).stdout == ""  # who may install nothing does with Chromium
    _command(folder, "id", "echo 0")
    _command(folder, "apt-get", f'echo "$@" >>{folder}/asked; {works}')
    done = _tools(folder)
    assert (done.returncode, done.stderr) == (0, "")
    said, *then = done.stdout.splitlines()
    assert said.startswith("make test: installing chromium-headless-shell from Debian")
    assert [line.rpartition("; ")[2] for line in then] == instead
