"""The dealer and one seat beside an alert: the names of people stand off the rail, whatever lies before them."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import example, given, settings
from msgspec.structs import replace

from dashboards.drawing.palette import DARK
from dashboards.drawing.part import draw_part
from dashboards.drawing.scene import DrawnHand, DrawnSeat, Felt
from tests.drawing.scenes import SVG, felts

BARE = DrawnSeat(1, "P-01-003", (DrawnHand("1", total="18", state="stands · racked"),))
MEDIUM = DrawnHand("D", total="18", state="Masque: medium · medium again, twice")


@settings(max_examples=40)
@given(felts())
@example(Felt("DU-102 · round 22", "Rack", "", (BARE,)))
def test_the_name_of_the_dealer_stands_above_the_rail(felt: Felt) -> None:
    felt = replace(felt, dealer=replace(felt.dealer, name="Dealer D-011", hand=replace(MEDIUM, cards=())))
    for seat in felt.seats:
        drawing = ElementTree.fromstring(draw_part(felt, seat.number, DARK))
        (rail,) = (one for one in drawing.iter(f"{SVG}rect") if one.attrib.get("fill") == DARK.rail)
        (name,) = (one for one in drawing.iter(f"{SVG}text") if one.text == "Dealer D-011")
        assert float(name.attrib["y"]) + 5 <= float(rail.attrib["y"])
        _, top, _, height = map(float, drawing.attrib["viewBox"].split())
        assert float(rail.attrib["y"]) + float(rail.attrib["height"]) <= top + height + 0.5
