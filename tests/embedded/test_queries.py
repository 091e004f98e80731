"""The console's questions answered by the engine in process; `tests/live` asks the server the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse
from tests.embedded.asked import CASES, ledger
from tests.embedded.asked_of_memory import CASES_OF_MEMORY
from tests.embedded.asked_of_money import CASES_OF_MONEY
from tests.embedded.asked_of_people import CASES_OF_PEOPLE


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    held = ChdbWarehouse(tmp_path_factory.mktemp("queries") / "warehouse")
    held.migrate()
    EmbeddedFold(ledger(), held).catch_up()
    yield held
    held.close()


@pytest.mark.parametrize(
    "case", CASES + CASES_OF_PEOPLE + CASES_OF_MONEY + CASES_OF_MEMORY, ids=lambda case: case.__name__
)
def test_the_engine_in_process_answers(case: Callable[[Warehouse], None], store: Warehouse) -> None:
    case(store)
