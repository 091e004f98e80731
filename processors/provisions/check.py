"""What a check is, and the registry that carries all of them.

A check is a small function beside its clause. It is registered with the provisions it decides, for each ruleset
its own; an unknown provision or a second check of one id fails at import. It runs on the event that decides it,
against the table as it stood when the event came (the event itself is not folded in yet).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NoReturn, TypeVar

from msgspec import Struct

from processors.core.sights import Sight
from processors.core.state import Round, Stake, Table
from processors.games.blackjack.dealer import Dealer, dealer_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Decision, rule_stake
from processors.games.readings import READINGS, resolve
from schemas.findings import Severity
from schemas.payload import Payload
from schemas.provisions import PROVISIONS
from schemas.values import DEALER


class Upheld(Struct, frozen=True):
    """The duty was met."""

    measured: Any = None


class Breach(Struct, frozen=True, kw_only=True):
    """The duty was not met: which clauses, what would have been right, what was seen, what it cost the patron."""

    clauses: tuple[str, ...]
    message: str
    expected: Any
    observed: Any
    money_cents: int = 0
    sequences: tuple[int, ...] = ()
    seat: int | None = None
    hand: str | None = None
    severity: Severity | None = None
    reading: str | None = None
    verdict: Literal["breached", "interpretation"] = "breached"
    discriminator: str = ""


class Indeterminate(Struct, frozen=True, kw_only=True):
    """It cannot be said whether the duty was met: what is missing."""

    clauses: tuple[str, ...]
    message: str
    missing: tuple[str, ...]
    sequences: tuple[int, ...] = ()
    seat: int | None = None
    hand: str | None = None
    expected: Any = None
    observed: Any = None
    discriminator: str = ""


Judgment = Upheld | Breach | Indeterminate
UPHELD = Upheld()
DEFAULTS: Mapping[str, str] = MappingProxyType(resolve({}, {}))


Kept = TypeVar("Kept")


class Memo:
    """What was worked out of a round last: the dealer's hand, and what its stakes are due.

    The dealer's hand changes with his cards, the reader and the reveal, and seldom else; what is due is not
    changed by what is paid.
    """

    __slots__ = ("_at", "_dealer", "_due", "_kept", "_key", "_round")

    def __init__(self) -> None:
        self._round: Round | None = None
        self._key: tuple[object, ...] = ()
        self._dealer: Dealer | None = None
        self._at: tuple[int, Dealer, BlackjackRules] | None = None
        self._due: dict[int, Decision] = {}
        self._kept: dict[Callable[[Round], Any], Any] = {}

    def due(self, round_: Round, stake: Stake, rules: BlackjackRules) -> Decision:
        """What a stake of the round is due as the round stands."""
        dealer = self._forget(round_, rules)
        decision = self._due.get(id(stake))  # stakes live as long as their round, and this memory not longer
        if decision is None:
            decision = self._due[id(stake)] = rule_stake(round_, stake, dealer, rules)
        return decision

    def kept(self, round_: Round, rules: BlackjackRules, fact: Callable[[Round], Kept]) -> Kept:
        """A fact of the round that settlements do not change."""
        self._forget(round_, rules)
        if fact not in self._kept:
            self._kept[fact] = fact(round_)
        value: Kept = self._kept[fact]
        return value

    def _forget(self, round_: Round, rules: BlackjackRules) -> Dealer:
        """Forget what was worked out before the last event that was more than a settlement; the dealer's hand now."""
        dealer, at = self.dealer(round_, rules), self._at
        if at is None or at[0] != round_.played or at[1] is not dealer or at[2] is not rules:
            self._at = (round_.played, dealer, rules)
            self._due.clear()
            self._kept.clear()
        return dealer

    def dealer(self, round_: Round, rules: BlackjackRules) -> Dealer:
        """The dealer's hand of the round as it stands."""
        hand = round_.hands.get(DEALER)
        key = (rules, len(hand.cards) if hand is not None else 0, round_.hole_revealed, round_.reader)
        if self._dealer is None or self._round is not round_ or self._key != key:
            self._round, self._key, self._dealer = round_, key, dealer_of(round_, rules)
        return self._dealer


class Moment:
    """What a check sees: the table before the event, the event's sequence, and the rules in force."""

    __slots__ = ("_dealer", "_memo", "play", "readings", "round", "rules", "sequence", "table")

    play: tuple[Round, BlackjackRules]
    """The round under way and the Blackjack rules; only for checks that read events of a Blackjack round."""

    def __init__(
        self,
        table: Table,
        sequence: int,
        rules: BlackjackRules | None,
        memo: Memo | None = None,
        readings: Mapping[str, str] = DEFAULTS,
    ) -> None:
        """`readings` names the policy in force for every unclear place; Blackjack rules carry the same."""
        self.table = table
        self.readings = readings
        self.sequence = sequence
        self.rules = rules
        self.round: Round | None = table.round
        self._memo = memo if memo is not None else Memo()
        self._dealer: Dealer | None = None
        if self.round is not None and rules is not None:
            self.play = (self.round, rules)

    def __getattr__(self, name: str) -> NoReturn:
        """What was never set: `play` where there is none."""
        if name == "play":
            raise LookupError("no Blackjack round under way")
        raise AttributeError(name)

    @property
    def dealer(self) -> Dealer:
        """The dealer's hand before the event."""
        dealer = self._dealer
        if dealer is None:
            dealer = self._dealer = self._memo.dealer(*self.play)
        return dealer

    def due(self, stake: Stake) -> Decision:
        """What a stake of the round is due as the cards stand before the event."""
        round_, rules = self.play
        return self._memo.due(round_, stake, rules)

    def kept(self, fact: Callable[[Round], Kept]) -> Kept:
        """A fact of the round that settlements do not change, worked out once between two other events."""
        round_, rules = self.play
        return self._memo.kept(round_, rules, fact)


Function = Callable[[Moment, Any], Iterable[Judgment]]
Scope = Literal["round", "shoe", "day"]


class Check(Struct, frozen=True, kw_only=True):
    """One registered check."""

    id: str
    provisions: Mapping[str, tuple[str, ...]]
    reads: tuple[type[Payload], ...]
    scope: Scope
    in_round: bool
    alters: bool
    follows: bool
    function: Function
    doc: str
    readings: tuple[str, ...] = ()
    after: tuple[Sight, ...] = ()
    before: tuple[Sight, ...] = ()


class RegistrationError(ValueError):
    """A check that cannot be registered; the message says why and what to do."""


REGISTRY: dict[str, Check] = {}


def check(
    id: str,
    *,
    provisions: Mapping[str, Iterable[str]],
    reads: Iterable[type[Payload]],
    scope: Scope = "round",
    in_round: bool = True,
    alters: bool = False,
    follows: bool = False,
    readings: tuple[str, ...] = (),
    after: tuple[Sight, ...] = (),
    before: tuple[Sight, ...] = (),
) -> Callable[[Function], Function]:
    """Register a function as a check.

    `provisions` maps each ruleset it holds for to the ids it decides; `scope` says how far back it looks, so that
    what was not seen there makes it indeterminate; `in_round` is False for checks that run without a round.
    A breach of a check that `alters` changes the cards, stakes or decisions of the round that come after it; a
    breach of one that `follows` may be no more than the consequence of such a breach, and then points to it.
    `readings` are the unclear places its verdict turns on: a breach that a rival policy of one would not see names
    that place, and is an `interpretation` where A51 says so; of several the first counts.
    `after` and `before` say when it has anything to say at all, and only save work: once the round has shown one
    of these (or this event is one of them), and as long as it has shown none of those.

    Raises:
        RegistrationError: a provision that does not exist or is another ruleset's, an id used twice, or a place
            without a rival reading.
    """
    table = {ruleset: tuple(ids) for ruleset, ids in provisions.items()}
    _refuse_unknown(id, table, readings)

    def register(function: Function) -> Function:
        REGISTRY[id] = Check(
            id=id,
            provisions=table,
            reads=tuple(reads),
            scope=scope,
            in_round=in_round,
            alters=alters,
            follows=follows,
            function=function,
            doc=(function.__doc__ or "").strip(),
            readings=readings,
            after=after,
            before=before,
        )
        return function

    return register


def _refuse_unknown(check: str, provisions: Mapping[str, tuple[str, ...]], readings: tuple[str, ...]) -> None:
    for ruleset, ids in provisions.items():
        for provision in ids:
            known = PROVISIONS.get(provision)
            if known is None or known.ruleset != ruleset:
                raise RegistrationError(
                    f"check {check}: {provision} is no provision of {ruleset}; see provisions.csv"
                )
    for place in readings:
        if place not in READINGS or not READINGS[place].rivals:
            raise RegistrationError(
                f"check {check}: {place} has no rival reading; see processors/games/readings.py"
            )
    if check in REGISTRY:
        raise RegistrationError(f"check {check} is registered twice; give one of them another id")
