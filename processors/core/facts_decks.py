"""What the record shows of the decks between rounds: opening, inspection, wash, shuffle, cut, cover card, burn.

Of a stack game also the counts of the stub, and the round that was void.
And which cards a batch must hold, and which lie outside its shoe.

Every step is kept as the sequence of its event; 0 says that the step was not seen since the arrival, the shuffle or
the load that began its procedure.
"""

from __future__ import annotations

import datetime as dt

from msgspec import Struct, field

from processors.core.witnesses import Owed
from schemas.rulesets import RULESETS

STACK_GAMES = frozenset(name for name, rules in RULESETS.items() if rules.family != "blackjack")


class Inspected(Struct, gc=False):
    """The last inspection of a batch, by `by`, and its verification; `dealer` and `floorperson` were on duty then."""

    by: str = ""
    dealer: str = ""
    defects: int = 0
    verifier: str = ""
    floorperson: str = ""


class Preparation(Struct, gc=False):
    """How one batch was made ready: since it came, or since it was taken from play at an idle table.

    `laid` and `looked` are the spread and the viewing of an idle table, `shown` and `viewed` those of an opening.
    `steps_judged` says that the checks have judged the steps up to the shuffle.
    """

    received: int
    opened_at: dt.datetime
    ready: bool = False
    dealt: int = 0
    idle: int = 0
    inspected: int = 0
    inspection: Inspected = field(default_factory=Inspected)
    verified: int = 0
    laid: int = 0
    laid_face_up: int = 0
    looked: int = 0
    shown: int = 0
    in_sequence: bool = False
    viewed: int = 0
    viewer: int = 0
    viewer_is_first: bool = True
    washed: int = 0
    stacked: int = 0
    started: int = 0
    interrupted: int = 0
    shuffled: int = 0
    unloaded: int = 0
    late_draws: int = 0
    steps_judged: bool = False
    orders: list[str] = field(default_factory=list)

    @property
    def being_renewed(self) -> bool:
        """Whether the batch lies on an idle table, or is made ready from there."""
        return bool(self.idle) and not self.steps_judged


class Offer(Struct, gc=False):
    """The stack offered to a seat for the cut; `offered` is 0 where only the refusal was seen."""

    seat: int
    offered: int
    refused: int = 0


class Cut(Struct, gc=False):
    """The cut of the next stack: whom it was offered to, who made it, whether it must be made anew."""

    offers: list[Offer] = field(default_factory=list)
    by: str = ""
    made: int = 0
    recut_ordered: int = 0
    cover_inserted: int = 0
    cards_below: int = 0


class Reason(Struct, gc=False):
    """Why the shoe in play (or the last one) comes to its end.

    `covers` are the spots where the cover card came out in the round `cover_round`, with `cover_left` cards left;
    `other` is the event of any other lawful reason: the table closed, decks left or came.
    """

    covers: list[str] = field(default_factory=list)
    cover_round: int = 0
    cover_at: int = 0
    cover_left: int = 0
    ordered: int = 0
    order_told: bool = False
    idle: int = 0
    other: int = 0
    played_past: bool = False
    beyond_cover: bool = False
    beyond_told: bool = False


class DeckFacts(Struct):
    """The preparation of every batch and of the shoe in play."""

    batches: dict[str, Preparation] = field(default_factory=dict)
    stored: list[str] = field(default_factory=list)
    cut: Cut = field(default_factory=Cut)
    ends: Reason = field(default_factory=Reason)
    arrivals: list[int] = field(default_factory=list)
    newcomer: int = 0
    newcomer_at: int = 0
    beginning: bool = True
    face_up_asked: int = 0
    reshuffle_asked: int = 0
    loads: int = 0
    loaded: str = ""
    shoe: int = 0
    in_use: str = ""
    cover_in_shoe: int = 0
    rest_left: int = 0
    rack_of: str = ""
    reload: int = 0
    reload_cards: int = 0
    reload_rack: int = 0
    ran_out: int = 0
    burn_due: str = ""
    burn_missed: bool = False
    dealer: str = ""
    dealer_due: int = 0
    dealer_fresh: bool = False
    dealer_missed: bool = False
    shuffler_down: int = 0
    shuffler_marked: int = 0
    unstored_told: bool = False
    undealt_told: bool = False
    returned: int = 0
    rack: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    looked_through: int = 0
    order_told: bool = False

    def first_seats(self) -> set[int]:
        """Seats that may be called the first player's: the first to arrive of those present, and since play began."""
        seats = {self.newcomer} if self.newcomer else set()
        if self.arrivals:
            seats.add(self.arrivals[0])
        return seats


class DealtRounds(Struct, gc=False):
    """Rounds dealt from one load; `patrons` maps pseudonyms to [staked, net] cents, a patron's gain being positive."""

    first: int
    last: int
    rounds: int = 0
    hands: int = 0
    patrons: dict[str, list[int]] = field(default_factory=dict)


class VoidRound(Struct, gc=False):
    """The last void round as it lay on the layout: cards at each spot, the stub's count, who had wagered.

    `day` is the one on which it started.
    """

    number: int
    day: dt.date
    sequence: int
    batch: str
    counted: int | None
    sizes: dict[str, int]
    wagered: list[int]
    bonus: bool


class StackFacts(Struct):
    """The deck of a stack game from one round to the next.

    `shuffled` maps each batch not dealt since to its completed shuffle, `reporting` lists those whose device reported a
    whole deck; `cut` and `loaded` are sequences, 0 while that step is to come. `uncounted` has an entry for each of the
    last rounds in a row without a stub count, as far back as the law looks: whether a device had reported a whole deck
    for it. `known` is the last deck whose stub was counted, with its number of cards by that count.
    """

    shuffled: dict[str, int] = field(default_factory=dict)
    reporting: list[str] = field(default_factory=list)
    faulted: bool = False
    cut: int = 0
    loaded: int = 0
    reported: bool = False
    uncounted: list[bool] = field(default_factory=list)
    known: tuple[str, int] | None = None
    void: VoidRound | None = None


class Batch(Struct, gc=False):
    """One batch of decks at the table, and how often each card of it must exist.

    It may have ceased to be whole by card in round `last_whole` or later, by count in round `last_counted` or later.
    `unseen` holds the cards that no shoe since `last_whole` has shown. Deviations that findings have named: `off`, how
    many cards more or fewer than received; `over`, cards there too often; `short`, how many are missing; `gone`, which
    these may be; `cause`, the id of the first of those findings, about the rounds from `since` on.
    """

    name: str
    decks: int
    cards: int
    received: int
    back_colour: str = ""
    last_whole: int = 0
    last_counted: int = 0
    unseen: list[str] = field(default_factory=list)
    unseen_from: int = 0
    off: int = 0
    over: dict[str, int] = field(default_factory=dict)
    short: int = 0
    gone: list[str] = field(default_factory=list)
    cause: str = ""
    since: int = 0
    paired: list[str] = field(default_factory=list)
    dealt: list[DealtRounds] = field(default_factory=list)


class Loose(Struct, gc=False):
    """A card that left the shoe and lies with no hand yet, or was racked without one.

    `denied` once the rack has shown that it does not lie where play would have laid it.
    """

    card: str
    sequence: int
    seal: str = ""
    exposed: str = ""
    denied: bool = False


class Shoe(Struct, gc=False):
    """What is known of the cards outside the shoe since its batch was last whole in it.

    `beside` cards lay on the table when it was loaded; `slack` is by how many the load may differ from the number
    reported; `doubtful` cards may have left it unseen; `lost` cards did not reach the rack; `burnt` cards of the rack
    are burn cards (None before a load was seen).
    """

    number: int = 0
    batch: str = ""
    loaded: int = 0
    loaded_at: int = 0
    remaining: int = 0
    whole: bool = True
    out: dict[str, int] = field(default_factory=dict)
    out_unknown: int = 0
    reload_from_rack: int | None = None
    loose: list[Loose] = field(default_factory=list)
    owed: list[Owed] = field(default_factory=list)
    in_rack: int = 0
    emptied: bool = True
    reported: list[str] = field(default_factory=list)
    first_round: int = 0
    beside: int = 0
    slack: int = 0
    doubtful: int = 0
    lost: int = 0
    burnt: int | None = None
