"""The image built into a folder, as `deploy/Dockerfile` says, on a machine that has no builder of images.

Each instruction is carried out as it stands, in a mount namespace of its own. In place of the base image stand this
machine's system and the Python that runs the tests, at `/usr/local`, where the base image has it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.deploy.files import DEPLOY, ROOT

HELD = Path("/opt/held")  # where packages are found that were not installed into the image
_NEEDED = ("unshare", "nsenter", "setpriv", "prlimit", "chroot", "mount", "ip", "useradd")
# What the base image's /etc has and ours needs: how users are made, names resolved and libraries found.
_ETC = ("login.defs", "nsswitch.conf", "ld.so.conf", "ld.so.conf.d")


def needs_root() -> None:
    """Skip where namespaces cannot be had; where every test has to run, fail."""
    missing = [name for name in _NEEDED if shutil.which(name) is None]
    if os.getuid() == 0 and not missing:
        return
    why = f"not found: {', '.join(missing)}" if missing else "only root may make what a container is made of"
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


@dataclass(frozen=True)
class Stage:
    """The instructions of one stage, each with what follows its name."""

    name: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def values(self, instruction: str) -> list[str]:
        return [value for name, value in self.instructions if name == instruction]

    @property
    def environment(self) -> dict[str, str]:
        pairs = (pair.split("=", 1) for line in self.values("ENV") for pair in shlex.split(line))
        return {name: value.replace("$PATH", "/usr/local/bin:/usr/bin:/bin") for name, value in pairs}


def stages(path: Path) -> list[Stage]:
    """The stages of a Dockerfile, in their order."""
    found: list[Stage] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        instruction, _, rest = line.partition(" ")
        assert not line.endswith("\\"), "written over several lines, which is not read here"
        if instruction == "FROM":
            found.append(Stage(rest.partition(" AS ")[2]))
        else:
            found[-1].instructions.append((instruction, rest))
    return found


def context(folder: Path) -> Path:
    """What a builder is given: the repository without what `.dockerignore` leaves out."""
    rules = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] != "#"]
    kept = {rule[1:] for rule in rules if rule.startswith("!")}
    gone = [rule.removeprefix("**/") for rule in rules if not rule.startswith("!")]
    assert gone[0] == "*"

    def left_out(where: str, names: list[str]) -> Iterator[str]:
        for name in names:
            path = (Path(where) / name).relative_to(ROOT)
            if any(fnmatch(str(path), rule) or fnmatch(name, rule) for rule in gone[1:]):
                yield name

    for name in kept:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=lambda w, n: set(left_out(w, n)))
        else:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return folder


@dataclass(frozen=True)
class Image:
    """A built image: its root as a folder, and what the last stage says about the process in it."""

    root: Path
    environment: Mapping[str, str]
    user: int
    working_folder: str
    entry_point: list[str]
    python: Path  # the folders that make up /usr/local, the first over the second
    held: Path | None  # packages beside the image's own, at `HELD`

    def mounts(self, root: str) -> list[str]:
        """Shell lines that put system and Python in place below `root`, for reading alone."""
        lines = [f"mount --rbind /usr {root}/usr", f"mount -o remount,bind,ro {root}/usr"]
        lines.append(python_at(self.python, f"{root}/usr/local"))
        if self.held is not None:
            lines.append(f"mount --bind {self.held} {root}{HELD}")
            lines.append(f"mount -o remount,bind,ro {root}{HELD}")
        return lines


def python_at(python: Path, place: str) -> str:
    """A shell line that puts the Python of the tests over what this machine has at `place`."""
    return f"mount -t overlay overlay -o lowerdir={python}:/usr/local {place}"


def _python(folder: Path) -> Path:
    """The folder of this Python; where it is the system's, one that has it under the base image's name."""
    if sys.base_prefix not in ("/usr", "/usr/local"):
        return Path(sys.base_prefix)
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    return folder


def build(folder: Path, *, whole: bool) -> Image:
    """The image of `deploy/Dockerfile`.

    `whole` installs all packages of the lock file as it says; otherwise those of the environment that runs the tests
    take their place, which saves a minute.
    """
    first, last = stages(DEPLOY / "Dockerfile")
    assert first.name == "build"
    root, source, python = folder / "root", context(folder / "context"), _python(folder / "python")
    for name in ("usr", "proc", "dev", "sys", "tmp", "run/secrets", "etc", "var/lib", "opt"):
        (root / name).mkdir(parents=True)
    copied = [value.partition(" ")[2].split() for value in last.values("COPY")]
    assert copied == [["/opt/catwalk", "/opt/catwalk"]], "another folder goes from one stage to the next"
    product = root / "opt" / "catwalk"
    product.mkdir()
    held = None if whole else _site_packages(Path(sys.prefix))
    _first_stage(first, folder, source, product, python, held)
    _system(root)
    image = Image(
        root=root,
        environment=last.environment,
        user=int(last.values("USER")[0]),
        working_folder=last.values("WORKDIR")[0],
        entry_point=_words(last.values("ENTRYPOINT")[0]),
        python=python,
        held=held,
    )
    if held is not None:
        (root / HELD.relative_to("/")).mkdir()
    for command in last.values("RUN"):
        inside = f"chroot {root} /bin/sh -ec {shlex.quote(command)}"
        run_apart([*image.mounts(str(root)), f"ldconfig -r {root}", inside])
    return image


def _words(line: str) -> list[str]:
    return [word.strip(' "') for word in line.strip("[]").split(",")]


def _site_packages(environment: Path) -> Path:
    [found] = (environment / "lib").glob("python3.*/site-packages")
    return found


def _system(root: Path) -> None:
    """What the base image has beside `/usr` and Python."""
    for name in ("bin", "sbin", "lib", "lib64"):
        if (Path("/") / name).is_symlink():
            (root / name).symlink_to((Path("/") / name).readlink())
    for name in _ETC:
        at = Path("/etc") / name
        if at.is_dir():
            shutil.copytree(at, root / "etc" / name)
        elif at.exists():
            shutil.copy(at, root / "etc" / name)
    (root / "etc" / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\n", encoding="utf-8")
    (root / "etc" / "group").write_text("root:x:0:\n", encoding="utf-8")
    for name in ("hosts", "resolv.conf", "hostname"):
        (root / "etc" / name).touch()
    (root / "tmp").chmod(0o1777)


def _first_stage(
    stage: Stage, folder: Path, source: Path, product: Path, python: Path, held: Path | None
) -> None:
    """Carry the first stage out: this machine's root for reading, `/src` and `/opt/catwalk` for writing."""
    root, work = folder / "machine", folder / "src"
    root.mkdir()
    work.mkdir()
    lines = [f"mount -t tmpfs tmpfs {root}"]
    for entry in sorted(Path("/").iterdir()):
        at = f"{root}/{entry.name}"
        if entry.is_symlink():
            lines.append(f"ln -s {entry.readlink()} {at}")
        elif entry.is_dir() and entry.name == "opt":
            lines.append(f"mkdir {at}")
            for one in sorted(entry.iterdir()):
                if one.is_dir() and one.name not in (product.name, HELD.name):
                    lines.append(f"mkdir {at}/{one.name} && mount --rbind {one} {at}/{one.name}")
        elif entry.is_dir() and entry.name not in ("src", "tmp", "lost+found"):
            lines.append(f"mkdir {at} && mount --rbind {entry} {at}")
    lines += [
        f"mkdir -m 1777 {root}/tmp",
        f"mkdir -p {root}/opt/{product.name} {root}{HELD} {root}/src {root}/context",
    ]
    lines += [f"mount --bind {product} {root}/opt/{product.name}", f"mount --bind {work} {root}/src"]
    lines.append(python_at(python, f"{root}/usr/local"))
    if held is not None:
        lines.append(f"mount --bind {held} {root}{HELD}")
    lines += [f"mount --bind {source} {root}/context", f"mount -o remount,bind,ro {root}/usr"]
    told = {"HOME": "/tmp", "PATH": "/usr/local/bin:/usr/bin:/bin"} | stage.environment
    steps = ["cd /src"]
    for instruction, value in stage.instructions:
        if instruction == "COPY":
            *names, target = value.split()
            steps += [f"cp -r /context/{name} {target}" for name in names]
        elif instruction == "RUN" and held is not None and "--require-hashes" in value:
            steps.append("cd /opt/catwalk/lib/python3.*/site-packages")
            steps.append("rm -rf setuptools* pkg_resources")  # an older one, which the lock file's replaces
            steps.append(f"echo {HELD} >held.pth && cd /src")
        elif instruction == "RUN":
            steps.append(value)
        else:
            assert instruction in ("ENV", "WORKDIR"), instruction
    script = " && ".join(f"{{ {step}; }}" for step in steps)
    said = " ".join(f"{name}={shlex.quote(value)}" for name, value in told.items())
    lines.append(f"exec chroot {root} /usr/bin/env {said} /bin/sh -ec {shlex.quote(script)}")
    run_apart(lines)


def run_apart(lines: list[str]) -> None:
    """Carry shell lines out in a mount namespace, which nothing outside sees and which ends with them."""
    script = "umask 022\n" + "\n".join(lines)
    command = ["unshare", "--mount", "--propagation", "private", "/bin/sh", "-euc", script]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-4000:]


def opened_to_others(path: Path) -> None:
    """Let every user go through the folders above, as in an image: pytest keeps its own to itself."""
    for folder in path.parents:
        mode = folder.stat().st_mode
        if folder != Path("/") and not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXOTH)
