"""Ports on the loopback address: which are free, and which to take."""

from __future__ import annotations

import errno
import os
import random
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Final

from deploy.errors import UserError

LOOPBACK: Final = "127.0.0.1"
TAKEN: Final = "something listens on it already"
# Below the range from which systems give ports to outgoing connections: one of those could take the port of
# a server that is down for a moment.
_RANGE: Final = (20_000, 32_000)
_TRIES: Final = 200


def is_free(port: int) -> bool:
    """Whether a server could listen on that port now."""
    return not why_not(LOOPBACK, port)


def why_not(host: str, port: int) -> str:
    """Why no server could listen there now; "" if one could."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        return "no address of that name is known"
    found = [_refused(family, address) for family, _, _, _, address in places]
    taken = [one for one in found if one == errno.EADDRINUSE]
    # A name may have an address of a kind that this machine has not: the others do.
    if taken:
        return TAKEN
    return "" if 0 in found else os.strerror(found[0]).lower()


def _refused(family: int, address: Any) -> int:
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            probe.bind(address)
    except OSError as error:
        return error.errno or errno.EINVAL
    return 0


def answers(port: int, seconds: float = 0.5) -> bool:
    """Whether something accepts connections on that port."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout=seconds):
            return True
    except OSError:
        return False


def choose(count: int) -> tuple[int, ...]:
    """So many free ports, all different.

    Raises:
        UserError: there are not so many.
    """
    chosen: list[int] = []
    with ExitStack() as held:
        for _ in range(_TRIES):
            if len(chosen) == count:
                return tuple(chosen)
            port = random.SystemRandom().randrange(*_RANGE)
            probe = held.enter_context(socket.socket())
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            chosen.append(port)
    raise UserError("ports", f"no {count} free ones from {_RANGE[0]} to {_RANGE[1]}", "name them yourself")


def refuse_taken(ports: Sequence[int], option: str) -> None:
    """Check that servers could listen there.

    Raises:
        UserError: something else listens on one of them.
    """
    for port in ports:
        if not is_free(port):
            remedy = f"stop what listens there, or give {option} another port (0 chooses free ones)"
            raise UserError(f"port {port}", TAKEN, remedy)
