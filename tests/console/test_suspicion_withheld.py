"""Rounds that are withheld from a reader stand neither on the page of a suspicion nor on its paper."""

from __future__ import annotations

from msgspec.structs import replace

from dashboards.ledger.acts import Raised, Withheld
from dashboards.web.console import Console
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from schemas.findings import Finding
from tests.console.desk_building import T0
from tests.console.test_people import text_of
from tests.console.test_people_evidence import DEALER, Visit, fold, shown, signing_in, visit
from tests.console.test_suspicion_page import page_of, print_of, suspicion

__all__ = ("fold", "shown", "signing_in", "suspicion", "visit")


def test_rounds_of_a_table_that_is_withheld_stand_neither_on_page_nor_paper(
    visit: Visit, shown: Console, suspicion: Finding
) -> None:
    rows = [
        {"table": table, "round": 7, "seats": [3], "cents": 123_400, "factor": 9.0}
        for table in ("S-8", "S-9")
    ]
    one = replace(suspicion, finding_id="f" * 32, observed={"rounds": rows})
    shown.desk.raise_alerts([Raised(finding=one, decided_at=T0)])
    shown.desk.note(Withheld(user="hale", kind="table", value="S-9"), "ann")
    for told in (text_of(page_of(visit, one)), print_of(visit, one.finding_id)):
        assert "S-8 round 7" in told
        assert "S-9" not in told
    assert "S-9 round 7" in text_of(page_of(visit, one, "ito"))


def test_rounds_of_a_dealer_who_is_withheld_stand_neither_on_page_nor_paper(
    visit: Visit, shown: Console, suspicion: Finding, fold: tuple[EmbeddedFold, ChdbWarehouse]
) -> None:
    dealt = fold[1].query(
        "SELECT dealer, subject, max(round) FROM rounds FINAL GROUP BY dealer, subject ORDER BY 1, 2"
    )
    [mine, other] = [next(row for row in dealt if (row[0] == DEALER) is same) for same in (True, False)]
    rows = [{"table": table, "round": number} for _, table, number in (mine, other)]
    one = replace(suspicion, finding_id="f" * 32, observed={"rounds": rows}, subject=other[1], round=other[2])
    shown.desk.raise_alerts([Raised(finding=one, decided_at=T0)])
    shown.desk.note(Withheld(user="hale", kind="dealer", value=str(other[0])), "ann")
    [mine_said, other_said] = [f"{table} round {number}" for _, table, number in (mine, other)]
    page, paper = page_of(visit, one), print_of(visit, one.finding_id)
    assert mine_said in text_of(page)
    assert mine_said in paper
    assert other_said not in text_of(page) + paper
    place = f"/hands/{other[1]}/{other[2]}"
    lists = [visit("hale").get(f"/patterns{asked}").text for asked in ("", "?outcome=any")]
    assert [place in one for one in (page, *lists)] == [False, False, False], "the round in which it rose"
    assert f"round {other[2]}" not in paper
    assert other_said in text_of(page_of(visit, one, "ito"))
    assert f'{place}"' in page_of(visit, one, "ito")
    for row, status in ((mine, 200), (other, 404)):
        assert visit("hale").get(f"/hands/{row[1]}/{row[2]}").status_code == status
