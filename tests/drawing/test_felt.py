"""The felt: everything once, nothing over anything, nothing a strict page refuses."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import example, given, settings
from msgspec.structs import replace

from dashboards.drawing.cards import STEP
from dashboards.drawing.felt import draw_felt, shared
from dashboards.drawing.geometry import HEIGHT, WIDTH, Box, Geometry, lay_out, printed_at
from dashboards.drawing.palette import DARK, LIGHT
from dashboards.drawing.scene import Bet, Card, DrawnHand, DrawnSeat, Felt
from dashboards.drawing.svg import CHAR_WIDTH, ELEMENTS
from dashboards.drawing.tall import draw_tall
from dashboards.drawing.words import TEXT
from tests.drawing.scenes import SVG, drawn, felts, on_page, shown

FEW = settings(max_examples=40)


@FEW
@given(felts())
def test_every_visible_card_is_drawn_once_a_hidden_one_as_a_back_and_no_letter_too_small(felt: Felt) -> None:
    assert drawn(draw_felt(felt, DARK, standalone=True)) == shown(felt)
    markup = draw_felt(felt, DARK)
    assert drawn(markup) == on_page(felt)
    letters = ElementTree.fromstring(markup).iter(f"{SVG}text")
    assert min(float(text.attrib["font-size"]) for text in letters) >= TEXT


def _overlap(one: Box, other: Box) -> bool:
    """Whether the two share more than an edge."""
    return (
        one.x < other.x + other.width - 0.01
        and other.x < one.x + one.width - 0.01
        and one.y < other.y + other.height - 0.01
        and other.y < one.y + one.height - 0.01
    )


@FEW
@given(felts())
def test_hands_share_no_place_hold_their_cards_and_words_and_stay_within_their_column(felt: Felt) -> None:
    geometry = lay_out(felt)
    _share_no_place(geometry)
    for seat in geometry.seats:
        room = seat.column.width
        for hand in seat.hands:
            assert hand.box.holds(hand.cards)
            assert hand.card_width > 0
            assert STEP * hand.card_width >= 4 or len(hand.hand.cards) > 8
            lines = hand.lines
            assert all(len(line) * CHAR_WIDTH * TEXT <= room + 0.2 for line in (*lines.words, *lines.moved))
            assert all(sum(one.length for one in row) <= room + 0.2 for row in lines.stakes if len(row) > 1)
        assert all(len(said) * CHAR_WIDTH * TEXT <= room + 0.2 for said, _ in seat.said)


def _share_no_place(geometry: Geometry) -> None:
    """No hand shares a place with another hand, side wager, plate or device, and all lie on the page."""
    boxes = [hand.box for seat in geometry.seats for hand in seat.hands]
    boxes += [seat.sides for seat in geometry.seats] + [seat.plate for seat in geometry.seats]
    boxes += [geometry.dealer.box, geometry.shoe, geometry.tray, geometry.strip]
    boxes += [geometry.bonus.box] if geometry.bonus is not None else []
    page = Box(0, 0, WIDTH, HEIGHT)
    for place, box in enumerate(boxes):
        assert page.holds(box)
        assert not any(_overlap(box, other) for other in boxes[place + 1 :])


@FEW
@given(felts())
def test_what_is_printed_on_the_layout_is_not_seen_under_a_hand(felt: Felt) -> None:
    felt = replace(
        felt, print=("Free Bet Blackjack", "Blackjack pays 3 to 2, insurance 2 to 1, dealer 22 pushes")
    )
    hands = [hand.box for seat in lay_out(felt).seats for hand in seat.hands]
    drawn = draw_felt(felt, DARK)
    for row, said in enumerate(felt.print):
        assert (said in drawn) is not any(_overlap(printed_at(row, said), one) for one in hands)


def _of_four_cards() -> Felt:
    cards = (Card("As"), Card("6c"), Card("7c"), Card("7h"))
    seats = (DrawnSeat(one, hands=(DrawnHand(f"{one}.1", cards, "21"),)) for one in (1, 2, 3))
    return Felt("BJ-12", "Settle", "", tuple(seats))


@FEW
@given(felts())
@example(_of_four_cards())
def test_upright_every_card_lies_on_the_drawing_and_a_seat_of_two_on_its_half(felt: Felt) -> None:
    chosen = felt.seats[0].number
    root = ElementTree.fromstring(draw_tall(felt, chosen, DARK))
    left, _, width, _ = map(float, root.attrib["viewBox"].split())
    for outer in root.iterfind(f"{SVG}g[@transform]"):
        shift = float(outer.attrib["transform"].removeprefix("translate(").partition(" ")[0])
        cards = [use.attrib for use in outer.iter(f"{SVG}use") if "width" in use.attrib]
        spans = [
            (float(card["x"]) + shift, float(card["x"]) + shift + float(card["width"])) for card in cards
        ]
        assert all(left <= first and last <= left + width for first, last in spans)
        if spans and outer[0].attrib["data-seat"] != str(chosen):
            assert max(last for _, last in spans) - min(first for first, _ in spans) <= width / 2


@FEW
@given(felts())
def test_a_standalone_drawing_is_whole_names_no_card_not_shown_and_keeps_a_strict_page_policy(
    felt: Felt,
) -> None:
    for palette in (DARK, LIGHT):
        root = ElementTree.fromstring(draw_felt(felt, palette, standalone=True))
        known: set[str] = set()
        used: set[str] = set()
        for node in root.iter():
            tag = node.tag.removeprefix(SVG)
            assert tag in ELEMENTS
            for name, value in node.attrib.items():
                assert name != "style"
                assert not name.startswith("on")
                assert "url(" not in value
                assert "javascript:" not in value
            known |= {node.attrib["id"]} if "id" in node.attrib else set()
            used |= {node.attrib["href"][1:]} if tag == "use" else set()
        assert used <= known
        symbols = {node.attrib["id"].removeprefix("cw-") for node in root.iter(f"{SVG}symbol")}
        assert symbols == set(shown(felt))


def test_what_frames_share_is_drawn_once_for_a_page_and_shows_nothing_itself() -> None:
    root = ElementTree.fromstring(shared(DARK))
    assert (root.attrib["width"], root.attrib["height"]) == ("0", "0")
    assert len(list(root.iter(f"{SVG}symbol"))) == 55  # 52 cards, the joker, a card not known, a back


def _of_one_hand(*bets: Bet, fault: str = "") -> str:
    hand = DrawnHand("1.1", (Card("As"), Card("Kd")), "21", "Blackjack", bets, fault=fault)
    return draw_felt(Felt("BJ-12", "Settle", "", (DrawnSeat(1, hands=(hand,)),)), DARK)


def test_a_wrong_payment_is_told_by_sign_words_and_a_filled_tag_not_by_colour_alone() -> None:
    wrong = _of_one_hand(Bet("main", 10000, moved=12000, due=15000))
    assert ">✕ paid 120, due 150<" in wrong
    assert 'class="wrong"' in wrong
    right = _of_one_hand(Bet("main", 10000, moved=15000, due=15000))
    assert ">paid 150 ✓<" in right
    assert 'class="wrong"' not in right


def test_a_payment_whose_due_is_not_known_is_neither_right_nor_wrong() -> None:
    assert ">paid 150<" in _of_one_hand(Bet("main", 10000, moved=15000))


def test_two_wrongs_of_one_hand_that_cancel_out_are_still_wrong() -> None:
    bets = (Bet("main", 10000, moved=12000, due=10000), Bet("double", 10000, moved=8000, due=10000))
    assert ">✕ paid 200, due 200<" in _of_one_hand(*bets)


def test_an_inferred_card_is_dashed_and_says_what_was_not_seen() -> None:
    hand = DrawnHand("1.1", (Card("As"), Card("Kd", inferred="laid unseen")), "21")
    markup = draw_felt(Felt("BJ-12", "Deal", "", (DrawnSeat(1, hands=(hand,)),)), DARK)
    assert "stroke-dasharray" in markup
    assert "laid unseen" in markup


def test_a_card_whose_place_is_inferred_says_why_to_those_who_point_at_it_and_to_those_who_listen() -> None:
    inferred = Card("Kd", inferred="place inferred", why="drawn at event 7")
    hand = DrawnHand("1.1", (Card("As"), inferred), "21")
    markup = draw_felt(Felt("BJ-12", "Deal", "", (DrawnSeat(1, hands=(hand,)),)), DARK)
    told = "king of diamonds (place inferred: drawn at event 7)"
    assert f'<g class="inferred"><title>{told}</title>' in markup
    assert f"Hand 1.1: ace of spades, {told}; 21." in markup
    assert "stroke-dasharray" in markup
    assert "place inferred<" in markup


def test_the_drawing_says_in_words_what_lies_on_the_table() -> None:
    assert "Hand 1.1: ace of spades, king of diamonds; 21." in _of_one_hand()


def test_seat_one_lies_at_the_dealers_far_left_beside_the_shoe() -> None:
    geometry = lay_out(Felt("BJ-12", "Bets", "", tuple(DrawnSeat(number) for number in range(1, 7))))
    columns = [seat.column.x for seat in geometry.seats]
    assert columns == sorted(columns, reverse=True)
    assert geometry.shoe.x > geometry.dealer.box.x > geometry.tray.x


def test_in_a_crowd_of_split_hands_total_and_what_moved_stand_in_one_line() -> None:
    def hand(number: int) -> DrawnHand:
        bets = (Bet("main", 10000, moved=-10000, due=-10000), Bet("double", 10000, moved=-10000, due=-10000))
        return DrawnHand(f"1.{number}", (Card("As"), Card("9d"), Card("9c")), "19", "doubled", bets)

    seats = tuple(DrawnSeat(n, hands=tuple(hand(each) for each in range(1, 5))) for n in range(1, 7))
    place = lay_out(Felt("BJ-12", "Settle", "", seats)).seats[0]
    assert [hand.lines.stakes for hand in place.hands] == [()] * 4
    assert [hand.lines.moved for hand in place.hands] == [("19: lost 200 ✓",)] * 4
    assert all(hand.card_width * STEP >= 8 for hand in place.hands)
