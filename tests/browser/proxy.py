"""A link that can be cut, silenced, narrowed and answered for, in user space, between a browser and the console."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Literal

Mode = Literal["open", "cut", "refusing", "silent", "stalled"]
_UNAVAILABLE = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 1\r\nconnection: close\r\n\r\n"
)
_LOOK = 0.05
_AT_ONCE = 16 << 10


class Link:
    """Takes connections on `port` and passes them on to `to`, as its mode says.

    `cut` ends connections and takes none; `refusing` ends them and answers 503; `silent` keeps them and takes new
    ones, and passes nothing on, nor ends them: a half-open link. `stalled` reads nothing of what the console sends.
    """

    def __init__(self, port: int, to: int) -> None:
        self._to = to
        self._mode: Mode = "open"
        self._pairs: set[socket.socket] = set()
        self._ended = threading.Event()
        self._listening = socket.socket()
        self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listening.bind(("127.0.0.1", port))
        self._listening.listen(64)
        self._listening.settimeout(_LOOK)
        self._taking = threading.Thread(target=self._take, daemon=True)
        self._taking.start()

    def be(self, mode: Mode) -> None:
        """Behave so from now on."""
        self._mode = mode
        if mode in ("cut", "refusing"):
            self._end_all()

    def close(self) -> None:
        self._ended.set()
        self._taking.join()
        self._listening.close()
        self._end_all()

    def _take(self) -> None:
        while not self._ended.is_set():
            try:
                near, _ = self._listening.accept()
            except TimeoutError:
                continue
            if self._mode == "cut":
                _end(near)
            elif self._mode == "refusing":
                threading.Thread(target=_refuse, args=(near,), daemon=True).start()
            else:
                self._join(near)

    def _join(self, near: socket.socket) -> None:
        far = socket.socket()
        far.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 10)
        try:
            far.connect(("127.0.0.1", self._to))
        except OSError:
            _end(near)
            return
        self._pairs |= {near, far}
        for source, sink, down in ((near, far, False), (far, near, True)):
            threading.Thread(target=self._pass_on, args=(source, sink, down), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, down: bool) -> None:
        with contextlib.suppress(OSError):
            while not self._ended.is_set():
                self._wait(("silent", "stalled") if down else ("silent",))
                data = source.recv(_AT_ONCE)
                self._wait(("silent",))
                if not data:
                    break
                sink.sendall(data)
        for end in (source, sink):
            _end(end)
            self._pairs.discard(end)

    def _wait(self, modes: tuple[Mode, ...]) -> None:
        while self._mode in modes:
            time.sleep(_LOOK)

    def _end_all(self) -> None:
        for end in list(self._pairs):
            _end(end)


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


def _refuse(near: socket.socket) -> None:
    with contextlib.suppress(OSError):
        near.settimeout(1)
        near.recv(_AT_ONCE)
        near.sendall(_UNAVAILABLE)
    _end(near)
