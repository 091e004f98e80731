"""Services of `deploy/compose.yaml` as processes that are held as a container holds them.

Each has its own mounts, processes, network and name of host; a root that cannot be written; the image's user without
any capability; and nothing to write to but what the file names. A limit of memory is one of the process's own writable
memory (`RLIMIT_DATA`), touched or not: stricter than a container's, which counts what was touched.
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.deploy.files import DEPLOY, documents
from tests.deploy.image import Image
from tests.starting import start
from tests.waiting import until

[COMPOSE] = documents(DEPLOY / "compose.yaml")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
_SIZES = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def size(text: str) -> int:
    """Bytes of `512m` and its like."""
    return int(text[:-1]) * _SIZES[text[-1]]


class Container:
    """One service, running from its making until the end of `with`."""

    def __init__(
        self,
        image: Image,
        folder: Path,
        service: str,
        *command: str,
        environment: Mapping[str, str] | None = None,
        network: Network | None = None,
        feed: bool = False,
    ) -> None:
        """`command` and `environment` as after `docker compose run` and its `--env`; without `network` it is alone.

        With `feed` its standard input stays open.
        """
        self.told = dict(SERVICES[service])
        self.name, self._image, self._folder = service, image, folder
        self.log = folder / f"{service}-{time.monotonic_ns()}.log"
        self._mount = folder / f"{service}-{time.monotonic_ns()}.root"
        self._mount.mkdir(parents=True)
        self.environment = {
            **image.environment,
            "HOME": image.working_folder,
            **self.told.get("environment", {}),
            **(environment or {}),
        }
        argv = [*image.entry_point, *(command or self.told["command"])]
        joined = network.joining(service) if network is not None else []
        hosts = network.addresses if network is not None else {}
        script = "umask 022\n" + "\n".join([*self._mounts(hosts), *joined, self._exec(argv)])
        apart = ["unshare", "--mount", "--propagation", "private", "--net", "--uts", "--ipc", "--pid"]
        with self.log.open("ab") as out:
            self._process = start(
                [*apart, "--fork", "--kill-child", "/bin/sh", "-euc", script],
                stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        if network is not None:
            network.connect(self._first_process())

    def __enter__(self) -> Container:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        if self._process.stdin is not None:
            self._process.stdin.close()

    @property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")

    @property
    def pid(self) -> int:
        """The first process in the container, as the machine numbers it."""
        return until(self._as_its_user, lambda: self.said[-2000:], running=self._process)

    def _as_its_user(self) -> int | None:
        """The first process, once it is no more the shell that makes what the service is held by."""
        first = self._first_process()
        is_user = f"Uid:\t{self._image.user}\t" in Path(f"/proc/{first}/status").read_text()
        return first if is_user else None

    def _first_process(self) -> int:
        return child_of(self._process)

    def give(self, lines: bytes, *, all_of_it: bool = False) -> None:
        """Write to its standard input, and end that if this is all of it."""
        assert self._process.stdin is not None
        self._process.stdin.write(lines)
        self._process.stdin.flush()
        if all_of_it:
            self._process.stdin.close()

    def kill(self) -> None:
        """As a power cut, or the kernel where memory is short."""
        if self._process.poll() is None:
            # With its first process all of the container ends; `--kill-child` is undone by the change of user.
            with suppress(AssertionError, ProcessLookupError):
                os.kill(self._first_process(), signal.SIGKILL)
            self._process.kill()
            self._process.wait()

    def wait(self, seconds: float) -> int:
        """Its exit status."""
        return self._process.wait(seconds)

    def stop(self) -> int:
        """As `docker compose stop`: TERM, and the exit status within the time that the service is given."""
        os.kill(self.pid, signal.SIGTERM)
        return self.wait(float(self.told.get("stop_grace_period", "10s").removesuffix("s")))

    def run(self, *command: str, user: int | None = None) -> subprocess.CompletedProcess[str]:
        """Another command in the container, as `docker compose exec`; as the image's user, or `user`."""
        spaces = ["--mount", "--net", "--uts", "--ipc", "--pid", "--root"]
        entered = ["nsenter", "--target", str(self.pid), *spaces]
        return subprocess.run(
            [*entered, *self._as_user(list(command), user)], capture_output=True, text=True, timeout=120
        )

    def healthy(self) -> subprocess.CompletedProcess[str]:
        """The service's health check once; its work is within the time that it is given, however busy the machine."""
        check = self.told["healthcheck"]
        assert check["test"][0] == "CMD"
        seconds = float(check["timeout"].removesuffix("s"))
        begun = _worked()
        done = self.run(*check["test"][1:])
        assert _worked() - begun < seconds, "a container's health check would be given up"
        return done

    def until_healthy(self, seconds: float | None = None) -> None:
        """Ask as the file says, as long as it says that a service may take."""
        check = self.told["healthcheck"]
        period, interval = (float(check.get(n, "0s").removesuffix("s")) for n in ("start_period", "interval"))
        until(
            lambda: self.healthy().returncode == 0,
            lambda: self.said[-3000:],
            seconds=seconds or period + interval * check["retries"],
            every=0.5,
        )

    def _mounts(self, hosts: Mapping[str, str]) -> list[str]:
        root = str(self._mount)
        lines = [f"mount --bind {self._image.root} {root}", *self._image.mounts(root)]
        lines += [f"mount -t tmpfs -o mode=755 tmpfs {root}/{name}" for name in ("run", "dev")]
        lines.append(f"mkdir -p {root}/run/secrets {root}/dev/shm")
        for name in ("null", "zero", "full", "random", "urandom"):
            lines.append(f"touch {root}/dev/{name} && mount --bind /dev/{name} {root}/dev/{name}")
        lines.append(f"mount -t tmpfs -o mode=1777,size=64m tmpfs {root}/dev/shm")
        lines.append(f"ln -s /proc/self/fd {root}/dev/fd")
        lines.append(f"mount -t proc proc {root}/proc")
        lines += [f"mount -t tmpfs -o mode=1777 tmpfs {root}{path}" for path in self.told.get("tmpfs", ())]
        for secret in self.told.get("secrets", ()):
            at = f"{root}/run/secrets/{secret}"
            lines += [f"touch {at}", f"mount --bind {self._folder / 'secrets' / secret} {at}"]
        for volume in self.told.get("volumes", ()):
            name, path = volume.split(":")
            lines.append(f"mount --bind {self._volume(name, path)} {root}{path}")
        known = {"localhost": "127.0.0.1", **hosts}
        names = self._mount.with_suffix(".hosts")
        names.write_text("".join(f"{ip} {name}\n" for name, ip in known.items()), encoding="utf-8")
        lines.append(f"mount --bind {names} {root}/etc/hosts")
        for path in ("", "/run", "/dev"):
            lines.append(f"mount -o remount,bind,ro {root}{path}")
        return [*lines, f"hostname {self.name}", "ip link set lo up"]

    def _volume(self, name: str, path: str) -> Path:
        """A volume; a new one is what the image has at its place, owner and rights too."""
        folder = self._folder / "volumes" / name
        if not folder.exists():
            folder.parent.mkdir(exist_ok=True)
            shutil.copytree(self._image.root / path.lstrip("/"), folder)
            shutil.copystat(self._image.root / path.lstrip("/"), folder)
            shutil.chown(folder, self._image.user, self._image.user)
        return folder

    def _exec(self, argv: list[str]) -> str:
        files = self.told["ulimits"]["nofile"]
        limits = [f"--data={size(self.told['mem_limit'])}", f"--nofile={files['soft']}:{files['hard']}"]
        # Every thread has a stack, of which a container counts what was touched and RLIMIT_DATA the whole.
        limits.append(f"--stack={1 << 20}:{1 << 20}")
        inside = ["chroot", str(self._mount), *self._as_user(argv, None)]
        return "exec " + shlex.join(["prlimit", *limits, "--", *inside])

    def _as_user(self, argv: list[str], user: int | None) -> list[str]:
        number = str(self._image.user if user is None else user)
        told = [f"{name}={value}" for name, value in self.environment.items()]
        rights = ["--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]
        return [
            *("/usr/bin/env", "-i", "-C", self._image.working_folder, *told),
            *("/usr/bin/setpriv", f"--reuid={number}", f"--regid={number}", *rights, "--no-new-privs"),
            *argv,
        ]


def child_of(process: subprocess.Popen[Any]) -> int:
    """The one process that `unshare` has begun."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return int(until(lambda: children.read_text().split(), running=process)[0])


class Network:
    """The network that services share: names and addresses, and processes of servers that listen in it.

    Servers are all at one address, for they are this machine's and not images; each service has one of its own.
    """

    def __init__(self, folder: Path, servers: Sequence[str]) -> None:
        self._server = "10.77.0.1"
        self.addresses = dict.fromkeys(servers, self._server)
        others = (name for name in SERVICES if name not in servers)
        self.addresses |= {name: f"10.77.0.{number}" for number, name in enumerate(others, 10)}
        self._names = folder / "hosts"
        known = {"localhost": "127.0.0.1", **self.addresses}
        self._names.write_text("".join(f"{ip} {name}\n" for name, ip in known.items()), encoding="utf-8")
        self._joined = 0
        self._held: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Network:
        lines = [
            f"mount --bind {self._names} /etc/hosts",
            "ip link set lo up && ip link add bridge type bridge",
            f"ip addr add {self._server}/24 dev bridge && ip link set bridge up",
            "echo up && exec sleep infinity",
        ]
        apart = ["unshare", "--mount", "--propagation", "private", "--net"]
        self._keeper = subprocess.Popen([*apart, "/bin/sh", "-euc", "\n".join(lines)], stdout=subprocess.PIPE)
        assert self._keeper.stdout is not None
        assert self._keeper.stdout.readline() == b"up\n"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one in (*self._held, self._keeper):
            one.kill()
            one.wait()
        assert self._keeper.stdout is not None
        self._keeper.stdout.close()

    def serve(self, log: Path, *command: str | Path, environment: Mapping[str, str]) -> None:
        """Start a server of this machine in it, until the end."""
        entered = ["nsenter", "--target", str(self._keeper.pid), "--mount", "--net"]
        with log.open("ab") as out:
            words = [*entered, *map(str, command)]
            self._held.append(subprocess.Popen(words, stdout=out, stderr=out, env=dict(environment)))

    def until_it_answers(self, address: str, seconds: float) -> None:
        """Wait until somebody listens there, as services wait for the health of those that they depend on."""
        host, port = address.split(":")
        ask = ["bash", "-c", f"exec 3<>/dev/tcp/{self.addresses[host]}/{port}"]
        entered = ["nsenter", "--target", str(self._keeper.pid), "--net"]
        until(
            lambda: subprocess.run([*entered, *ask], capture_output=True).returncode == 0,
            lambda: f"nobody listens at {address}",
            seconds=seconds,
            every=0.2,
        )

    def joining(self, name: str) -> list[str]:
        """Shell lines that give a service its address, once `connect` has laid its line."""
        return [
            "for n in $(seq 500); do ip link show eth0 >/dev/null 2>&1 && break; sleep 0.02; done",
            f"ip addr add {self.addresses[name]}/24 dev eth0 && ip link set eth0 up",
        ]

    def connect(self, pid: int) -> None:
        """Lay a line from a process' network to this one."""
        self._joined += 1
        line = f"line{self._joined}"
        entered = ["nsenter", "--target", str(self._keeper.pid), "--net", "ip", "link"]
        add = ["add", line, "type", "veth", "peer", "name", "eth0", "netns", str(pid)]
        subprocess.run([*entered, *add], check=True)
        subprocess.run([*entered, "set", line, "master", "bridge", "up"], check=True)


def _worked() -> float:
    """Processor seconds of what this process started and has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def limits_of(pid: int) -> dict[str, str]:
    """The soft limits of a process by their names in /proc."""
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()[1:]
    return {m[1]: m[2] for line in lines if (m := re.match(r"(.+?)\s{2,}(\S+)", line))}
