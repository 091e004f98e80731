"""Long counts in many sittings: a file gets one line for each piece of work as soon as it is done.

A sitting that ends early, by Ctrl-C or a kill, loses only the pieces under way.
"""

from __future__ import annotations

import fcntl
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from deploy.replay.collecting import rarely_collected

_T = TypeVar("_T", bound=msgspec.Struct)


@contextmanager
def appended(path: Path) -> Iterator[IO[bytes]]:
    """The file, open for appending by this process alone; half a line that a kill left at its end is ended."""
    with path.open("ab+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"{path}: another sitting writes to it; wait for its end, or name another file")
        end = file.seek(0, 2)
        if end:
            file.seek(end - 1)
            if file.read(1) != b"\n":
                file.write(b"\n")
        yield file


def read(paths: Iterable[Path], kind: type[_T], key: Callable[[_T], object]) -> Iterator[_T]:
    """What these files hold, each key once; what a kill left half written is passed over."""
    decode = msgspec.json.Decoder(kind).decode
    seen: set[object] = set()
    for path in paths:
        for line in path.read_bytes().splitlines() if path.exists() else ():
            try:
                one = decode(line)
            except msgspec.DecodeError:
                continue
            if (mark := key(one)) not in seen:
                seen.add(mark)
                yield one


def work(
    file: IO[bytes],
    pieces: Iterable[tuple[object, ...]],
    function: Callable[..., msgspec.Struct],
    jobs: int,
    advance: Callable[[int], None] = lambda _: None,
) -> int:
    """Do each piece in one of `jobs` processes and append what comes of it; how many were done.

    `advance` is told the pieces done.
    """
    made = 0
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        running: set[Future[msgspec.Struct]] = set()
        for arguments in pieces:
            running.add(pool.submit(_done, function, arguments))
            if len(running) >= 2 * jobs:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                made += _append(file, ended, advance)
        return made + _append(file, wait(running).done, advance)


def _done(function: Callable[..., _T], arguments: tuple[object, ...]) -> _T:
    with rarely_collected():
        return function(*arguments)


def _append(file: IO[bytes], ended: set[Future[msgspec.Struct]], advance: Callable[[int], None]) -> int:
    for one in ended:
        file.write(msgspec.json.encode(one.result()) + b"\n")
    file.flush()
    advance(len(ended))
    return len(ended)
