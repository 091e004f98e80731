"""Evidence of shoes that adds up over shoes, from the first shoe or from any later one.

The evidence of one shoe by itself has a mean of at most 1, given all shoes before it; it only grows while the shoe is
dealt from, and is 0 as long as the shoe shows nothing. A share of what there is is bet on each shoe: 1 - s + s e has a
mean of at most 1 as well (Waudby-Smith and Ramdas, J. R. Statist. Soc. B 86, 2024). A small share loses little to the
shoes that show nothing, so that one shoe is enough after many; a large one gains most where shoe after shoe shows it.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from processors.detectors.mixture import Mixture, fresh, heaviest, weigh

BETS: Final = {1 / 2: 0.1, 1 / 40: 0.8, 1 / 1000: 0.1}
"""The shares that are bet on each shoe, and the weight of each."""
_KEPT = 8  # shoes
_TOLD = 3  # shoes in a sentence


class ToldShoe(Struct, array_like=True, frozen=True):
    """A shoe that showed a pattern: its number, its place among the shoes begun, the pattern in words, the variant."""

    shoe: int
    begun: int
    words: str
    variant: str


class OverShoes(Struct):
    """One table: the evidence of all shoes, that of the shoe in play alone, and the latest that showed something."""

    mixture: Mixture = field(default_factory=lambda: fresh(tuple(BETS.values())))
    of_shoe: float = 0.0
    told: list[ToldShoe] = field(default_factory=list)

    def begin(self) -> None:
        """A shoe is begun, which has shown nothing yet."""
        weigh(self.mixture, _factors(0.0))
        self.of_shoe = 0.0

    def take(self, e_value: float, shoe: int, words: str, variant: str) -> float:
        """Take the evidence of the shoe in play by itself, and what it showed; the evidence of all shoes then."""
        if not self.mixture.rounds:
            self.begin()
        if e_value > self.of_shoe:
            before, after = _factors(self.of_shoe), _factors(e_value)
            more = [new / old for new, old in zip(after, before, strict=True)]
            weigh(self.mixture, more, rounds=0)
            self.of_shoe = e_value
            begun = self.mixture.rounds
            others = [one for one in self.told if one.begun != begun]
            self.told = [*others[1 - _KEPT :], ToldShoe(shoe, begun, words, variant)]
        return self.mixture.value()

    def before(self) -> list[ToldShoe]:
        """The latest shoes before the one in play that showed something, of the stretch that weighs most."""
        begun = self.mixture.rounds
        first = begun - heaviest(self.mixture).rounds
        return [one for one in self.told if first < one.begun < begun]


def in_words(shoes: list[ToldShoe]) -> str:
    """Some shoes and what they showed, the latest of them: `shoe 10 (7 of Ks) and shoe 11 (7 of Ks)`."""
    *others, last = [f"shoe {one.shoe} ({one.words})" for one in shoes[-_TOLD:]]
    return f"{', '.join(others)} and {last}" if others else last


def shown(shoes: list[ToldShoe]) -> dict[str, dict[str, str]]:
    """What some shoes showed, by shoe, as an observation; nothing where there is none."""
    return {"shoes_before": {f"shoe {one.shoe}": one.words for one in shoes}} if shoes else {}


def _factors(e_value: float) -> list[float]:
    return [1 - share + share * e_value for share in BETS]
