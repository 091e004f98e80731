"""What a simulated table is: its rules submission and equipment, and how lively its day is."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from msgspec import UNSET
from msgspec.structs import fields

from producers.simulator.floor.rulesets import GAMES, Game
from schemas.events import ApprovalRecorded, TableConfigured
from schemas.events.people import Matter
from schemas.values import Ruleset, SideWager

RULESETS: tuple[Ruleset, ...] = get_args(Ruleset)
BLACKJACK = tuple(ruleset for ruleset in RULESETS if GAMES[ruleset].is_blackjack)
Shuffler = Literal["none", "batch", "continuous", "self_shuffling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How often things happen between rounds: chances per round unless a unit is named."""

    arrives: float = 0.02
    leaves: float = 0.01
    sits_out: float = 0.01
    buys_more: float = 0.01
    colours_up: float = 0.01
    tips: float = 0.01
    fills_for_nothing: float = 0.002  # a fill or credit that the tray did not need
    idles: float = 0.004
    asks_at_spread: float = 0.3  # per idle spread: face up, or another shuffle
    dealer_minutes: float = 40.0
    shift_hours: float = 8.0
    floor_reshuffles: float = 0.003
    refuses_cut: float = 0.15  # per offer
    recuts: float = 0.05  # per cut
    jams: float = 0.01  # per device shuffle
    breaks: float = 0.002  # per device shuffle: out of service, and shuffled by hand
    shuffles_on: float = 0.3  # per swap: the outgoing batch is ready only after some rounds
    preshuffled: float = 0.1  # per gaming day
    boxes_two: float = 0.1  # per arrival


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetup:
    """One table: the fields of `table_configured`, and what the simulator needs beside them.

    `number` keeps pseudonyms, staff and slips of different tables apart. `signs` are texts that stand on an
    approved sign instead of on the layout (`payouts`, `no_surrender`). `dealer_stop` says whether the dealer
    is a stop on the clockwise circuit of stacks or always the last (670a.10(c)).
    """

    subject: str
    ruleset: Ruleset
    number: int = 1
    property_name: str = "Parkside"
    pit: str = "2"
    seats: int = 6
    decks: int = 6
    shuffler: Shuffler = "none"
    shuffler_counts: bool = False
    side_wagers: tuple[SideWager, ...] = ()
    paytables: dict[str, str] = field(default_factory=dict)
    even_money: bool = False
    settle_order: Literal["collect_then_pay", "seat_by_seat"] = "collect_then_pay"
    pickup_order: Literal["seats_descending", "seats_ascending", "losers_first"] = "seats_descending"
    dealer_cards: Literal["last", "first"] = "last"
    bust_collection: Literal["immediate", "at_settlement"] = "immediate"
    boxes_per_player: int = 2
    min_cents: int = 1500
    max_cents: int = 100_000
    chip_cents: int = 50
    gaming_day_start: str = "06:00"
    timezone: str = "America/New_York"
    readings: dict[str, str] | None = None
    signs: tuple[str, ...] = ()
    cameras: tuple[str, ...] = ()
    first_day: dt.date = dt.date(2026, 3, 2)
    opens: dt.time = dt.time(10, 0)
    open_hours: float = 17.0  # below 24, so that no deck stays in use for a day (3(c))
    first_day_hours: float | None = None  # hours of the first gaming day, where it is a short one
    patrons: tuple[int, int] = (3, 5)
    opening_cents: int = 5_000_000
    mid_shoe_entry: bool = True
    counts_chips: bool = False
    dealer_stop: Literal["circuit", "last"] = "circuit"
    habits: Habits = field(default_factory=Habits)

    def hours_open(self, day: dt.date) -> float:
        """How long the table is open on this gaming day, in hours."""
        if day == self.first_day and self.first_day_hours is not None:
            return self.first_day_hours
        return self.open_hours

    def stake(self, cents: int) -> int:
        """A stake within the limits, in chips of the table."""
        cents = max(self.min_cents, min(self.max_cents, cents))
        return cents - cents % self.chip_cents

    @property
    def game(self) -> Game:
        """The ruleset as houses play it."""
        return GAMES[self.ruleset]

    @property
    def is_blackjack(self) -> bool:
        """Whether one of the three blackjack rulesets governs the table."""
        return self.game.is_blackjack

    @property
    def batches(self) -> int:
        """Two where a batch shuffler works for a blackjack shoe (3(b)), else one."""
        return 2 if self.is_blackjack and self.shuffler == "batch" else 1

    @property
    def reshuffles_itself(self) -> bool:
        """Whether 5(h) governs: no cut, no cover card, the rack goes back after every round."""
        return self.shuffler in ("continuous", "self_shuffling")

    @property
    def batch_cards(self) -> int:
        """Cards of one batch."""
        return self.decks * (53 if self.game.joker else 52)

    @property
    def layout(self) -> tuple[str, ...]:
        """Codes of what layout and table carry."""
        codes = [*self.game.layout, *(["side_area"] if self.is_blackjack and self.side_wagers else [])]
        return tuple(code for code in codes if code not in self.signs)

    def configuration(self) -> TableConfigured:
        """The table's `table_configured`."""
        names = [field.name for field in fields(TableConfigured) if hasattr(self, field.name)]
        given = {name: getattr(self, name) for name in names}
        given |= {"property": self.property_name, "readings": self._readings() or UNSET}
        return TableConfigured(**(given | {"cameras": self.cameras or UNSET}))

    def approvals(self) -> list[ApprovalRecorded]:
        """The approvals on file that its equipment needs."""
        needed: dict[Matter, bool] = {
            "layout": True,
            "rules_submission": True,
            "shoe_location": True,
            "box_location": self.is_blackjack,
            "shuffler": self.shuffler != "none",
            "self_shuffling_device": self.reshuffles_itself,
            "signage": bool(self.signs),
            "preshuffled_decks": self.habits.preshuffled > 0,
        }
        approved = self.first_day - dt.timedelta(days=200)
        return [
            ApprovalRecorded(matter, f"{self.game.bureau}-{matter}-{self.number}", approved)
            for matter, is_needed in needed.items()
            if is_needed
        ]

    def _readings(self) -> dict[str, str]:
        """Readings of unclear places that the rules submission names, the dealer's place in 670a.10(c) among them."""
        named = self.readings or {}
        return {**self.game.readings_with_dealer_last, **named} if self.dealer_stop == "last" else named

    def opening_time(self, day: dt.date) -> dt.datetime:
        """When the table opens on a gaming day, in UTC."""
        return dt.datetime.combine(day, self.opens, ZoneInfo(self.timezone)).astimezone(dt.UTC)


def usual_setup(ruleset: Ruleset, subject: str, **changes: object) -> TableSetup:
    """A table as a house would submit it for the ruleset; `changes` are fields of `TableSetup`.

    Raises:
        TypeError: a change names no field.
    """
    game = GAMES[ruleset]
    submission: dict[str, object] = {
        "side_wagers": game.side_wagers,
        "first_day": game.first_day,
        "cameras": ("C-0217", "C-0218"),
        **game.submission,
    }
    if game.is_blackjack:
        [side] = game.side_wagers
        submission["paytables"] = {
            side: game.paytables[0] if game.paytables else str(changes.get("decks", 6))
        }
    return TableSetup(subject=subject, ruleset=ruleset, **{**submission, **changes})  # type: ignore[arg-type]  # fields checked by the dataclass
