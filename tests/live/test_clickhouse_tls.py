"""TLS to ClickHouse: rows travel, and a server that cannot prove who it is gets nothing, not even the password.

The engine's library speaks no TLS; what decides here is the client's side, so TLS ends in front of the server.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from processors.runtime.store.client import ServerAddress, StoreAway
from processors.runtime.store.server_warehouse import ServerWarehouse
from schemas.warehouse import Topology
from tests.live.certificates import Authority, Signed
from tests.warehouse.samples import EVERY_KIND, WITH_SAMPLE, row


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            sink.sendall(data)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def tls_in_front_of(server: tuple[str, int], signed: Signed) -> Iterator[tuple[int, list[int]]]:
    """A port that speaks TLS and hands what comes to the server; and how many clients were let in."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(signed.certificate, signed.key)
    listener = socket.create_server(("127.0.0.1", 0))
    let_in: list[int] = []
    open_sockets: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def serve() -> None:
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            try:
                client = context.wrap_socket(plain, server_side=True)
            except OSError:
                plain.close()
                continue
            let_in.append(1)
            behind = socket.create_connection(server)
            open_sockets.extend((client, behind))
            for ends in ((client, behind), (behind, client)):
                threads.append(threading.Thread(target=_pump, args=ends))
                threads[-1].start()

    accepting = threading.Thread(target=serve)
    accepting.start()
    try:
        yield listener.getsockname()[1], let_in
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join()
        for end in open_sockets:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
        for end in open_sockets:
            end.close()


def test_rows_travel_over_tls_to_a_server_whose_certificate_is_trusted(
    clickhouse: tuple[str, int], database: str, tmp_path: Path
) -> None:
    authority = Authority(tmp_path)
    with tls_in_front_of(clickhouse, authority.sign("server")) as (port, let_in):
        for host in ("127.0.0.1", "localhost"):
            address = ServerAddress(
                host=host, port=port, tls=True, ca=str(authority.certificate), compress=True
            )
            store = ServerWarehouse(address, Topology(database), WITH_SAMPLE)
            store.migrate()
            store.insert(EVERY_KIND, [row(n) for n in range(1000)])
            assert store.query("SELECT count() FROM every_kind FINAL") == [(1000,)]
            store.close()
        assert let_in


@pytest.mark.parametrize("wrong", ["another authority", "the system's authorities", "another host"])
def test_a_server_that_cannot_prove_who_it_is_gets_nothing(
    wrong: str, clickhouse: tuple[str, int], tmp_path: Path
) -> None:
    authority = Authority(tmp_path / "one")
    trusted = {
        "another authority": str(Authority(tmp_path / "two", "other").certificate),
        "the system's authorities": "",
        "another host": str(authority.certificate),
    }[wrong]
    elsewhere = {"host": "elsewhere.test", "address": "127.0.0.9"} if wrong == "another host" else {}
    with tls_in_front_of(clickhouse, authority.sign("server", **elsewhere)) as (port, let_in):
        store = ServerWarehouse(
            ServerAddress(host="127.0.0.1", port=port, password="hush", tls=True, ca=trusted)
        )
        with pytest.raises(StoreAway, match=r"(?i)certificate.*clickhouse_ca"):
            store.version()
        store.close()
        assert let_in == []
