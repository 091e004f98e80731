"""Relations of a cluster: two shards with real servers, a real ZooKeeper, rows spread and read back as one.

The engine's library has no port between servers, so its replicas never become active, and it runs no statement
`ON CLUSTER`: each server gets the statements itself; replicated relations are created and compared, and rows are
spread over relations that are replicated in nothing but their declaration. What is not tried here: statements
`ON CLUSTER`, inserts that wait for most replicas, copying between them, and the loss of one.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.stack.clickhouse import ClickHouse
from deploy.stack.parts import JAVA, jars, needed
from deploy.stack.ports import answers, choose
from deploy.stack.processes import Process
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.client import ServerAddress
from processors.runtime.store.form import drifts
from processors.runtime.store.server_warehouse import ServerWarehouse
from processors.runtime.store.warehouse import Warehouse
from schemas.warehouse import APPLIED, PROJECTIONS, Topology
from schemas.warehouse.ddl import add_projection, create, create_database
from schemas.warehouse.migrations import relations_after
from tests.deploy.files import DEPLOY
from tests.embedded.asked import CASES, ledger
from tests.embedded.asked_of_money import CASES_OF_MONEY
from tests.warehouse.samples import EVERY_KIND, WITH_SAMPLE, row

REPLICATED = Topology("replicated", cluster="floor", retention_years=5)
SPREAD = Topology("spread", cluster="floor")
ENGINE = re.compile(r"ReplicatedReplacingMergeTree\('[^']*', '[^']*', ")
RELATIONS = relations_after(WITH_SAMPLE)


def _zookeeper(folder: Path, port: int) -> Process:
    folder.mkdir()
    config = folder / "zoo.cfg"
    config.write_text(
        f"tickTime=500\ndataDir={folder / 'data'}\nclientPort={port}\nclientPortAddress=127.0.0.1\n"
        "admin.enableServer=false\n4lw.commands.whitelist=srvr\n",
        encoding="utf-8",
    )
    classes = jars("zookeeper", Path(__file__).with_name("zookeeper"))
    process = Process("zookeeper", folder)
    main = "org.apache.zookeeper.server.quorum.QuorumPeerMain"
    process.start([needed(JAVA), "-Xmx128m", "-cp", f"{classes}/*", main, str(config)], os.environ)
    process.wait_until(lambda: answers(port) and _serves(port), 60)
    return process


def _serves(port: int) -> bool:
    """Whether it takes sessions: its port is open before, and whoever comes then is sent away."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as asked:
            asked.sendall(b"srvr")
            said = b"".join(iter(lambda: asked.recv(4096), b""))
    except OSError:
        return False
    return b"Mode: standalone" in said


def _server(folder: Path, shard: int, ports: tuple[int, int], keeper: int) -> ClickHouse:
    folder.mkdir()
    shards = "".join(
        "<shard><internal_replication>true</internal_replication>"
        f"<replica><host>127.0.0.1</host><port>{port}</port></replica></shard>"
        for port in ports
    )
    config = folder / "config.xml"
    config.write_text(
        f"<clickhouse><macros><shard>{shard}</shard><replica>only</replica></macros>"
        f"<remote_servers><floor>{shards}</floor></remote_servers>"
        f"<zookeeper><node><host>127.0.0.1</host><port>{keeper}</port></node></zookeeper></clickhouse>",
        encoding="utf-8",
    )
    server = ClickHouse(ports[shard - 1], Process(f"clickhouse-{shard}", folder), config)
    server.start()
    server.wait()
    return server


def _plain(port: int, topology: Topology) -> ServerWarehouse:
    return ServerWarehouse(ServerAddress(host="127.0.0.1", port=port), topology, WITH_SAMPLE)


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """Ports of the two servers, each a shard."""
    folder = tmp_path_factory.mktemp("cluster")
    keeper, one, two = choose(3)
    running = [_zookeeper(folder / "zookeeper", keeper)]
    try:
        for shard in (1, 2):
            running.append(_server(folder / f"shard-{shard}", shard, (one, two), keeper).process)
        yield one, two
    finally:
        for process in running:
            process.kill()


def _create(port: int, topology: Topology) -> None:
    outside = _plain(port, Topology("default"))
    outside.query(create_database(topology).replace(" ON CLUSTER `floor`", "") + " ENGINE = Atomic")
    for relation in (*RELATIONS.values(), APPLIED):
        for statement in create(relation, topology):
            here = statement.replace(" ON CLUSTER `floor`", "")
            outside.query(here if topology is REPLICATED else ENGINE.sub("ReplacingMergeTree(", here))
    for name, projection in (
        PROJECTIONS if topology is SPREAD else ()
    ):  # a replica that is not active takes no ALTER
        for statement in add_projection(name, projection, topology):
            outside.query(statement.replace(" ON CLUSTER `floor`", ""))
    outside.close()


@pytest.fixture(scope="module")
def stores(ports: tuple[int, int]) -> Iterator[list[ServerWarehouse]]:
    """The spread relations as each of the two servers shows them."""
    opened = []
    for port in ports:
        _create(port, SPREAD)
        opened.append(_plain(port, SPREAD))
    yield opened
    for store in opened:
        store.close()


def test_replicated_relations_have_the_form_that_is_declared_for_a_cluster(ports: tuple[int, int]) -> None:
    for port in ports:
        _create(port, REPLICATED)
        store = _plain(port, REPLICATED)
        missing = [(f"{name}_local", f"projection {one.name}") for name, one in PROJECTIONS]
        assert [(d.relation, d.field) for d in drifts(store, REPLICATED, RELATIONS)] == missing
        replicas = (
            "SELECT count(), uniqExact(zookeeper_path) FROM system.replicas WHERE database = 'replicated'"
        )
        assert store.query(replicas) == [(len(RELATIONS) + 1, len(RELATIONS) + 1)]
        store.query("ALTER TABLE racks COMMENT COLUMN subject 'else'")
        found = [(d.relation, d.field) for d in drifts(store, REPLICATED, RELATIONS)]
        assert found == [("racks", "comment of subject"), *missing]
        store.close()


def test_rows_lie_on_the_shard_of_their_table_and_are_read_as_one_relation(
    stores: list[ServerWarehouse],
) -> None:
    one, two = stores
    rows = [row(number, subject=f"T-{number % 7}") for number in range(700)]
    one.insert(EVERY_KIND, rows[:400])
    two.insert(EVERY_KIND, rows[300:])  # a hundred of them again, by another way
    for store in stores:
        found = store.query(
            "SELECT subject, count(), sum(number) FROM every_kind FINAL GROUP BY subject ORDER BY 1"
        )
        assert found == [(f"T-{n}", 100, sum(range(n, 700, 7))) for n in range(7)]
    here = [{s for (s,) in store.query("SELECT DISTINCT subject FROM every_kind_local")} for store in stores]
    assert here[0] | here[1] == {f"T-{n}" for n in range(7)}
    assert not here[0] & here[1]
    assert here[0]
    assert here[1]


def test_a_later_version_replaces_the_row_whichever_server_takes_it(stores: list[ServerWarehouse]) -> None:
    one, two = stores
    one.insert(EVERY_KIND, [row(1, subject="V", version=1, cents=1)])
    two.insert(EVERY_KIND, [row(1, subject="V", version=2, cents=2)])
    one.insert(EVERY_KIND, [row(1, subject="V", version=1, cents=1)])
    for store in stores:
        assert store.query("SELECT cents FROM every_kind FINAL WHERE subject = 'V'") == [(2,)]


@pytest.fixture(scope="module")
def folded(stores: list[ServerWarehouse]) -> ServerWarehouse:
    """A ledger of several tables, folded by one server and read by the other."""
    one, two = stores
    EmbeddedFold(ledger(), one).catch_up()
    return two


@pytest.mark.parametrize("case", [*CASES, *CASES_OF_MONEY], ids=lambda case: case.__name__)
def test_the_console_s_questions_are_asked_of_all_shards(
    case: Callable[[Warehouse], None], folded: ServerWarehouse
) -> None:
    case(folded)


def test_the_engine_reads_the_cluster_and_its_place_in_it_from_the_deployment_s_file(tmp_path: Path) -> None:
    config = DEPLOY / "clickhouse" / "config.d" / "cluster.xml"
    [port] = choose(1)
    server = ClickHouse(port, Process("clickhouse", tmp_path / "server"), config)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"SHARD": "2", "REPLICA": "clickhouse-2-3", "CLUSTER_SECRET": "hush"}.items():
            patch.setenv(name, value)
        server.start()
    store = _plain(port, Topology("default"))
    try:
        server.wait()
        macros = store.query("SELECT macro, substitution FROM system.macros ORDER BY macro")
        assert macros == [("replica", "clickhouse-2-3"), ("shard", "2")]
        places = "SELECT shard_num, count(), min(port) FROM system.clusters WHERE cluster = 'floor'"
        assert store.query(f"{places} GROUP BY 1 ORDER BY 1") == [(1, 3, 9440), (2, 3, 9440)]
    finally:
        store.close()
        server.process.kill()
