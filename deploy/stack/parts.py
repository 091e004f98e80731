"""The broker's jars and the ClickHouse engine: fetched once for this machine, checked, found again offline."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
import msgspec

from deploy.errors import UserError

HERE: Final = Path(__file__).parent
FETCH_SECONDS: Final = 900.0
JAVA: Final = ("java", "the broker runs on it", "apt-get install default-jre-headless")
MAVEN: Final = ("mvn", "it fetches jars", "apt-get install maven")
NPM: Final = ("npm", "it fetches packages", "apt-get install npm")
_PACKAGE: Final = "@chdb/lib-linux-x64-gnu"


def cache_folder() -> Path:
    """Where parts are kept for all stacks of this user: `$XDG_CACHE_HOME/catwalk`, `~/.cache/catwalk`."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "catwalk"


def needed(tool: tuple[str, str, str]) -> str:
    """Path of a program.

    Raises:
        UserError: it is not there; the remedy is the Debian package that has it.
    """
    name, purpose, remedy = tool
    found = shutil.which(name)
    if found is None:
        raise UserError(name, f"not found, and {purpose}", remedy)
    return found


def kafka_jars() -> Path:
    """Folder of the broker's jars, fetched by Maven the first time.

    Raises:
        UserError: Maven is missing or could not fetch them, or a jar is not the one that is pinned.
    """
    return jars("kafka", HERE)


def jars(name: str, declared: Path) -> Path:
    """Folder of the jars that `pom.xml` in `declared` asks for and `jars.sha256` beside it pins.

    Raises:
        UserError: Maven is missing or could not fetch them, or a jar is not the one that is pinned.
    """
    digests = (declared / "jars.sha256").read_bytes()
    target = cache_folder() / f"{name}-{hashlib.sha256(digests).hexdigest()[:12]}"
    with kept_once(target, f"the jars of {name}") as made:
        if made is not None:
            goal = ("dependency:copy-dependencies", f"-DoutputDirectory={made}", "-DincludeScope=runtime")
            command = [needed(MAVEN), "-q", "-B", "-f", str(declared / "pom.xml"), *goal]
            _run(command, made, f"the jars of {name}")
            _refuse_others(made, declared / "jars.sha256")
    return target


def clickhouse_engine() -> Path:
    """The shared library that is the ClickHouse engine, fetched by npm the first time.

    Raises:
        UserError: npm is missing or could not fetch it.
    """
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        why = f"the engine's library is for Linux on x86-64, not for {sys.platform} on {platform.machine()}"
        raise UserError("ClickHouse", why, "use the images: deploy/compose.yaml")
    lock = msgspec.json.decode((HERE / "package-lock.json").read_bytes())
    version = lock["packages"][f"node_modules/{_PACKAGE}"]["version"]
    target = cache_folder() / f"clickhouse-{version}"
    with kept_once(target, "the ClickHouse engine, 174 MB,") as made:
        if made is not None:
            npm_ci(HERE, made, "the ClickHouse engine")
            (made / "node_modules" / _PACKAGE / "libchdb.so").rename(made / "libchdb.so")
            shutil.rmtree(made / "node_modules")
    return target / "libchdb.so"


def npm_ci(declared: Path, folder: Path, what: str) -> None:
    """Fetch the packages that `package-lock.json` in `declared` pins by version and digest into `folder`.

    Raises:
        UserError: npm is missing, could not fetch them, or a package is not the one that is pinned.
    """
    for name in ("package.json", "package-lock.json"):
        shutil.copy(declared / name, folder / name)
    _run([needed(NPM), "ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder, what)


@contextmanager
def kept_once(target: Path, what: str, doing: str = "fetching") -> Iterator[Path | None]:
    """A folder to fill that becomes `target` when all went well; None if it is there already."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with (target.parent / f"{target.name}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may be fetching the same
        if target.exists():
            yield None
            return
        click.echo(f"{doing} {what} into {target}", err=True)
        made = Path(tempfile.mkdtemp(dir=target.parent, prefix=f"{target.name}."))
        try:
            yield made
            made.rename(target)
        finally:
            shutil.rmtree(made, ignore_errors=True)


def _run(command: list[str], folder: Path, what: str) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=FETCH_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        remedy = "check the network and try again"
        raise UserError(what, f"not fetched within {FETCH_SECONDS:.0f} s", remedy) from error
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if "ERR" in line]
        why = said[0].strip()[:200] if said else f"{command[0]} ended with {done.returncode}"
        raise UserError(what, f"could not be fetched: {why}", "check the network and try again")


def _refuse_others(folder: Path, pinned: Path) -> None:
    wanted = dict(line.split()[::-1] for line in pinned.read_text(encoding="utf-8").splitlines())
    found = {jar.name: hashlib.sha256(jar.read_bytes()).hexdigest() for jar in folder.glob("*.jar")}
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            why = f"{name} is not the file that is pinned there"
            raise UserError(str(pinned), why, "check where Maven fetches from")
