"""The console's questions answered by a ClickHouse server, as the engine in process answers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from clickhouse_driver import Client

from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.client import ServerAddress
from processors.runtime.store.server_warehouse import ServerWarehouse
from processors.runtime.store.warehouse import Warehouse
from schemas.warehouse import Topology
from tests.embedded.asked import CASES, ledger
from tests.embedded.asked_of_memory import CASES_OF_MEMORY
from tests.embedded.asked_of_money import CASES_OF_MONEY
from tests.embedded.asked_of_people import CASES_OF_PEOPLE
from tests.sampling import one_in


@pytest.fixture(scope="module")
def store(clickhouse: tuple[str, int]) -> Iterator[Warehouse]:
    host, port = clickhouse
    database = f"t{uuid4().hex[:10]}"
    held = ServerWarehouse(ServerAddress(host=host, port=port), Topology(database=database))
    held.migrate()
    EmbeddedFold(ledger(), held).catch_up()
    yield held
    held.close()
    client = Client(host, port=port)
    client.execute(f"DROP DATABASE `{database}` SYNC")
    client.disconnect()


@pytest.mark.parametrize(
    "case",
    [*one_in(4, CASES + CASES_OF_PEOPLE + CASES_OF_MONEY), *CASES_OF_MEMORY],
    ids=lambda case: case.__name__,
)
def test_the_server_answers(case: Callable[[Warehouse], None], store: Warehouse) -> None:
    case(store)
