"""Cards out of place broken in one place (12(a)-(d), 13(a)-(d))."""

from __future__ import annotations

from tests.mutations.rechain import Event
from tests.mutations.rounds import Mutation, Section, both, drop, first, of

SHOWN = of("card_exposed", where="drawn_in_error")


def _refused(section: Section, index: int, event: Event) -> bool:
    return first(section, "card_refused") is not None


MUTATIONS = [
    Mutation(
        "a boxed card is not racked", drop(of("cards_racked", reason="boxed")), ("{irr}(a)#2",), ("685a.12(a)#2",)),
    Mutation("a card is racked as boxed that nobody saw face up", drop(of("card_exposed", where="in_shoe")),
        ("{irr}(b)", "{irr}(a)"), ("685a.12(b)", "685a.12(a)")),
    Mutation("a card is refused that nobody saw", drop(both(SHOWN, _refused)), ("{irr}(b)", "{irr}(c)"),
        ("685a.12(b)", "685a.12(c)")),
    Mutation("a refused card of no use is not racked", drop(of("cards_racked", reason="refused")), ("{irr}(c)#3",),
        ("685a.12(c)#3",)),
]  # fmt: skip
