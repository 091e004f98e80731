"""Single events whose loss, change or displacement breaks a duty about decks and shoe, with the clauses broken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tests.mutations.deck_streams import chapter, ruleset_of, shuffler, streams
from tests.mutations.rechain import Event, altered, breaches, inserted, kind, like, moved
from tests.mutations.stack_mutations import all_of, change, drop, insert
from tests.mutations.stack_streams import named
from tests.mutations.table import Broken, Row, spread

Where = Callable[[list[Event], int], bool]
Break = Callable[[list[Event], int], list[Event]]
LATER = 1500  # events in which all consequences of one show: the rest of the shoe, and the next one
_OUT = {"590": "590.13(f)", "672a": "672a.12(f)", "685a": "685a.12(e)"}
_JAM = {"590": "590.13(k)", "672a": "672a.12(k)", "685a": "685a.12(j)"}
_DOWN = {"590": "590.13(l)", "672a": "672a.12(l)", "685a": "685a.12(k)"}


@dataclass(frozen=True)
class Mutation:
    """One way to break a stream: where it can be done, how, and which clauses that breaks."""

    name: str
    where: Where
    how: Break
    clauses: tuple[str, ...]
    beside: tuple[str, ...] = ()

    def _in_chapter(self, forms: tuple[str, ...], events: list[Event]) -> tuple[str, ...]:
        ch = chapter(events)
        return tuple(form.format(ch=ch, out=_OUT[ch], jam=_JAM[ch], down=_DOWN[ch]) for form in forms)

    def tries(self, most: int) -> Iterator[Broken]:
        """The mutation at so many of the places where it can be done."""
        places = [
            (name, events, index)
            for name, events in streams().items()
            for index in range(len(events))
            if self.where(events, index)
        ]
        for name, events, index in spread(places, most):
            told = self.how(events, index)[: index + LATER]
            due, beside = (self._in_chapter(forms, events) for forms in (self.clauses, self.beside))
            yield Broken(f"{name}, event {index + 1}", breaches(told), due, beside)


def rows(mutations: Iterable[Mutation]) -> list[list[Row]]:
    """Each mutation as a row of the table."""
    return [[Row(f"decks: {one.name}", one.tries)] for one in mutations]


def _is(name: str, and_: Where) -> Where:
    return lambda events, index: kind(events[index]) == name and and_(events, index)


def _behind(events: list[Event], index: int, name: str, most: int = 14) -> int | None:
    """The next event of a type within a few."""
    for later in range(index + 1, min(index + most, len(events))):
        if kind(events[later]) == name:
            return later
    return None


def _move_behind(name: str) -> Break:
    def how(events: list[Event], index: int) -> list[Event]:
        later = _behind(events, index, name)
        assert later is not None
        return moved(events, index, later + 1)

    return how


def _moves(name: str, behind: str) -> Where:
    return _is(name, lambda events, index: _behind(events, index, behind) is not None)


def _opening(events: list[Event], index: int) -> bool:
    """Before the first card is dealt."""
    return index < 60 and not any(kind(event) == "card_drawn" for event in events[:index])


def in_round(events: list[Event], index: int) -> bool:
    """Whether an event stands within a round."""
    for before in range(index - 1, -1, -1):
        if kind(events[before]) in ("round_started", "round_ended"):
            return kind(events[before]) == "round_started"
    return False


def _cut_table(events: list[Event], index: int) -> bool:
    return shuffler(events) != "continuous"


def _between_rounds(events: list[Event], index: int) -> bool:
    """A round follows directly upon another, so that nothing has been done to the cards."""
    both = kind(events[index]) == "round_started" and index > 0 and kind(events[index - 1]) == "round_ended"
    return both and _cut_table(events, index)


def _after_stacking(events: list[Event], index: int) -> bool:
    """The stack that is cut next."""
    following = [kind(event) for event in events[index + 1 : index + 30]]
    until = following.index("cut_offered") if "cut_offered" in following else None
    return (
        until is not None
        and "cards_stacked" not in following[:until]
        and kind(events[index - 1]) != "cards_washed"
        and kind(events[index - 2]) != "cards_stacked"  # of the other batch: two shoes are made ready at once
    )


def _shallow(events: list[Event], index: int) -> list[Event]:
    size = events[index]["data"]["stack"]
    return altered(events, index, cards_on_top=9 if index % 2 else size - 9)


def _deep_cover(events: list[Event], index: int) -> list[Event]:
    return altered(events, index, cards_below=-(-events[index]["data"]["stack"] // 4) - 1)


def _other_batch(events: list[Event], index: int) -> list[Event]:
    names = sorted({event["data"]["batch"] for event in events if kind(event) == "decks_received"})
    own = events[index]["data"]["batch"]
    return altered(events, index, batch=next(name for name in names if name != own))


def _dealer_of(events: list[Event], index: int) -> str:
    return [str(event["data"]["staff"]) for event in events[:index] if kind(event) == "dealer_arrived"][-1]


def _by_dealer(events: list[Event], index: int) -> list[Event]:
    return altered(events, index, staff=_dealer_of(events, index))


def _days_old(events: list[Event], index: int) -> list[Event]:
    year = "2015-05-30" if ruleset_of(events) == "free_bet_590" else "2026-02-28"
    return altered(events, index, opened_at=f"{year}T09:00:00Z")


def _idle_soon(events: list[Event], index: int) -> bool:
    return any(kind(event) == "table_idle" for event in events[max(0, index - 8) : index])


def _with(name: str, shuffled_by: str) -> Where:
    return _is(name, lambda events, index: shuffler(events) == shuffled_by)


def _no_recut(events: list[Event], index: int) -> bool:
    return "recut_ordered" not in (kind(events[index - 1]), kind(events[index + 1]))


def _recut(events: list[Event], index: int) -> bool:
    return kind(events[index - 1]) == "recut_ordered"


def _less(field: str, by: int) -> Break:
    return lambda events, index: altered(events, index, **{field: events[index]["data"][field] - by})


def _again(events: list[Event], index: int) -> list[Event]:
    return inserted(events, index + 1, like(events[index], kind(events[index]), **events[index]["data"]))


def _share_of_stack(field: str, share: Callable[[int], int]) -> Break:
    return lambda events, index: altered(events, index, **{field: share(events[index]["data"]["stack"])})


def _ends_a_round(events: list[Event], index: int) -> list[Event]:
    return inserted(events, index - 1, like(events[index], "cover_card_reached", at="1"))


def _never_begun(events: list[Event], index: int) -> bool:
    before = kind(events[index - 1])  # a stack from the rack is said to be shuffled by the word before
    return kind(events[index + 1]) == "shuffle_completed" and before not in (
        "device_restored",
        "stack_shuffled_from_rack",
    )


def _rest_of_a_shoe(events: list[Event], index: int) -> bool:
    return not in_round(events, index) and not _idle_soon(events, index)


OPENING = (
    Mutation("no inspection", _is("cards_inspected", _opening), drop, ("{ch}.4(a)#1",)),
    Mutation("no verification", _is("inspection_verified", _opening), drop, ("{ch}.4(a)#2",)),
    Mutation("no spread", _is("cards_spread", _opening), drop, ("{ch}.4(b)#1",)),
    Mutation("spread face down", _is("cards_spread", _opening), change(face_up=False), ("{ch}.4(b)#1",)),
    Mutation("spread out of order", _is("cards_spread", _opening), change(in_sequence=False), ("{ch}.4(b)#2",)),
    Mutation("no viewing", _is("player_viewing_given", _opening), drop, ("{ch}.4(c)#1", "{ch}.4(b)#1")),
    Mutation("another views", _is("player_viewing_given", _opening), change(seat=5), ("{ch}.4(b)#1",)),
    Mutation("no wash", _is("cards_washed", _opening), drop, ("{ch}.4(c)#1",)),
    Mutation("not stacked after the wash",
        _is("cards_stacked", lambda e, i: _opening(e, i) and kind(e[i - 1]) == "cards_washed"), drop,
        ("{ch}.4(c)#1",)),
    Mutation("defects", _is("cards_inspected", _opening), change(defects=1), ("{ch}.4(a)#1",)),
    Mutation("inspected by another", _is("cards_inspected", _opening), change(staff="X-9"), ("{ch}.4(a)#1",)),
    Mutation("verified by the dealer", _is("inspection_verified", _opening), _by_dealer, ("{ch}.4(a)#2",)),
    Mutation(
        "viewed after the wash", lambda e, i: _opening(e, i) and _moves("player_viewing_given", "cards_washed")(e, i),
        _move_behind("cards_washed"), ("{ch}.4(c)#1",)),
    Mutation("spread after the viewing",
        lambda e, i: _opening(e, i) and _moves("cards_spread", "player_viewing_given")(e, i),
        _move_behind("player_viewing_given"), ("{ch}.4(b)#1",)),
    Mutation("decks over a day old", _is("decks_received", _opening), _days_old, ("{ch}.3(c)",)),
)  # fmt: skip

CUTTING = (
    Mutation("too shallow", _is("cut_made", _cut_table), _shallow, ("{ch}.5(d)#1",)),
    Mutation("part of the stack cut", named("cut_made"), _less("stack", 8), ("{ch}.5(d)#1",)),
    Mutation("cover card too deep", named("cover_card_inserted"), _deep_cover, ("{ch}.5(d)#3",)),
    Mutation("no cover card", named("cover_card_inserted"), drop, ("{ch}.5(d)#3",)),
    Mutation("not offered", named("cut_offered"), drop, ("{ch}.5(b)#1", "{ch}.5(c)")),
    Mutation("no refusal", named("cut_refused"), drop, ("{ch}.5(b)", "{ch}.5(c)")),
    Mutation("no cut", _is("cut_made", _no_recut), drop, ("{ch}.5(b)#2",)),
    Mutation("recut not made", _is("cut_made", _recut), drop, ("{ch}.5(e)#3",)),
    Mutation("recut without order", named("recut_ordered"), drop, ("{ch}.5(e)#1",)),
    Mutation("recut ordered by the dealer", named("recut_ordered"), _by_dealer, ("{ch}.5(e)#1",)),
    Mutation("recut ordered after the load", _is("shoe_loaded", _cut_table),
        insert("recut_ordered", 1, staff="F-12", reason="late"), ("{ch}.5(e)#1",)),
    Mutation("cover card before the cut is made", all_of(_moves("cut_made", "cover_card_inserted"), _no_recut),
        _move_behind("cover_card_inserted"), ("{ch}.5(b)", "{ch}.5(d)", "{ch}.5(e)")),
    Mutation("cut after the load", all_of(_moves("cut_made", "shoe_loaded"), _no_recut), _move_behind("shoe_loaded"),
        ("{ch}.5(b)#2",)),
    Mutation("offered after the cut", _moves("cut_offered", "cut_made"), _move_behind("cut_made"),
        ("{ch}.5(b)#1", "{ch}.5(c)")),
)  # fmt: skip

SHOE = (
    Mutation("no burn", named("card_burned", reason="load"), drop, ("{ch}.7(c)#1",)),
    Mutation("no burn by a new dealer", named("card_burned", reason="new_dealer"), drop, ("{ch}.7(c)#2",)),
    Mutation("no burn after a reload", named("card_burned", reason="reload"), drop, ("{out}#2",)),
    Mutation("burned after the first card", _moves("card_burned", "card_drawn"), _move_behind("card_drawn"),
        ("{ch}.7(c)", "{out}#2")),
    Mutation("two burned", named("card_burned"), _again, ("{ch}.7(c)",), ("{out}#1",)),
    Mutation("rest of the shoe not racked", _is("shoe_emptied", _rest_of_a_shoe), drop, ("{ch}.7(d)(1)",)),
    Mutation("rest of an idle table's shoe not taken out", _is("shoe_emptied", _idle_soon), drop, ("{ch}.5(g)#1",)),
    Mutation("played on after the cover card", _between_rounds, _ends_a_round, ("{ch}.7(d)#2", "{ch}.5(f)#1")),
    Mutation(
        "order to reshuffle ignored", _between_rounds, insert("reshuffle_ordered", 0, staff="F-12", reason="count"),
        ("{ch}.5(a)#1",)),
    Mutation("idle table's cards left", _between_rounds, insert("table_idle", 0), ("{ch}.5(g)#1",)),
    Mutation("cover card never set aside", named("cover_card_reached"), drop, ("{ch}.7(d)#1",)),
    Mutation("reshuffled without order", named("reshuffle_ordered"), drop, ("{ch}.5(f)#2",)),
    Mutation("reshuffle ordered by the dealer", named("reshuffle_ordered"), _by_dealer, ("{ch}.5(f)#2",)),
    Mutation("same batch again", _with("shoe_loaded", "batch"), _other_batch, ("{ch}.3(b)", "{ch}.5(g)(2)#2")),
    Mutation("part of the rack reloaded", named("stack_shuffled_from_rack"), _less("cards", 3), ("{out}#1",)),
)  # fmt: skip

SHUFFLE = (
    Mutation("not stacked after the shuffle", _is("cards_stacked", _after_stacking), drop, ("{ch}.5(a)#3",)),
    Mutation("stack a card short", named("cards_stacked"), _less("cards", 1), ("{ch}.5(a)#3", "{ch}.4(c)#1")),
    Mutation("shuffle never begun", _is("shuffle_started", _never_begun), drop, ("{ch}.5(a)#1",)),
    Mutation("by hand: shuffle not completed", _with("shuffle_completed", "none"), drop, ("{ch}.5(a)#1",)),
    Mutation(
        "returned rack not shuffled", all_of(_with("shuffle_completed", "continuous"), lambda e, i: i < len(e) - 3),
        drop, ("{ch}.5(a)#1",)),
    Mutation("jam, and no new shuffle", named("shuffle_completed", method="device"),
        insert("device_fault", 0, device="shuffler", fault="jam"), ("{jam}",)),
    Mutation(
        "broken shuffler not marked", named("device_out_of_service_marked", device="shuffler"), drop, ("{down}",)),
)  # fmt: skip

LAWFUL = (
    Mutation("cut ten from the top", named("cut_made"), change(cards_on_top=10), ()),
    Mutation("cut ten from the bottom", named("cut_made"), _share_of_stack("cards_on_top", lambda size: size - 10), ()),
    Mutation(
        "a quarter exactly", named("cover_card_inserted"), _share_of_stack("cards_below", lambda size: -(-size // 4)),
        ()),
    Mutation("half the stack below the cover card", named("cover_card_inserted"),
        _share_of_stack("cards_below", lambda size: size // 2), ()),
)  # fmt: skip
MUTATIONS = (*OPENING, *CUTTING, *SHOE, *SHUFFLE, *LAWFUL)
