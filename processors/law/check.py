"""What a check is, and the registry that carries all of them.

A check is a small function that holds one duty. It is registered with the roles it decides; `citations.csv` says
which provisions give them in each ruleset, and so for which rulesets the check holds. It runs on the event that
decides it, against the table as it stood when the event came (the event itself is not folded in yet).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

from msgspec import Struct

from processors.core.sights import Sight
from processors.core.witnesses import VOUCHES, Fact, Witness
from processors.games.readings import READINGS
from processors.games.whichever.profiles import holds_where
from processors.law.citations import CITATIONS, rulesets_of
from processors.law.course import PLACE
from processors.law.judgments import UPHELD, Breach, Indeterminate, Judged, Judgment, Upheld
from processors.law.moment import Moment
from processors.law.subjects import OF_MONEY, SUBJECTS
from schemas.check_names import FORMER
from schemas.events import CardsRacked, WagerAltered, WagerPlaced, WagerSettled, WinningsTakenBack
from schemas.payload import Payload

__all__ = [
    "UPHELD",
    "Breach",
    "Check",
    "Indeterminate",
    "Judged",
    "Judgment",
    "Moment",
    "RegistrationError",
    "Upheld",
    "check",
    "of",
]

Said = Judged | Iterable[Judgment]
Function = Callable[[Moment, Any], Said]
Scope = Literal["round", "shoe", "day"]


SORT: Mapping[type[Payload], str] = {
    WagerPlaced: "kind",
    WagerAltered: "kind",
    WagerSettled: "kind",
    WinningsTakenBack: "kind",
    CardsRacked: "reason",
}
"""The field that holds the sort of an event, for the types of which checks read some sorts only."""


class Of(NamedTuple):
    """Events of one type, and of these sorts only."""

    payload: type[Payload]
    sorts: tuple[str, ...]


def of(payload: type[Payload], *sorts: str) -> Of:
    """What a check reads that has nothing to say of events of other sorts: it is not asked at them."""
    return Of(payload, sorts)


def _sorts_of(payload: type[Payload]) -> frozenset[str]:
    """Every sort that the contract has for events of a type; empty where they are not told apart."""
    if payload not in SORT:
        return frozenset()
    return frozenset(_words(get_type_hints(payload)[SORT[payload]]))


def _words(hint: Any) -> Iterable[str]:
    for one in get_args(hint):
        if isinstance(one, str):
            yield one
        else:
            yield from _words(one)


class Check(Struct, frozen=True, kw_only=True):
    """One registered check.

    `decides` names the roles that the check holds tables to; `provisions` are the ids that give them, by ruleset. A
    check holds for every ruleset that has one of its roles, and of whose game `where` is true: an attribute of the
    profiles in `processors/games`. `formerly` is its id in older findings, and in the ids of findings, which stay.

    `scope` says how far back the check looks, so that what was not seen there makes it indeterminate; `in_round` is
    False for checks that run without a round. A breach of a check that `alters` changes the cards, stakes or decisions
    of the round that come after it; a breach of one that `follows` may be no more than the consequence of such a
    breach, and then points to it.

    `readings` are the unclear places its verdict turns on: a breach that a rival policy of one would not see names
    that place, and is an `interpretation` where A51 says so; of several the first counts.

    `turns_on` are the facts that the duty needs, `devices` those that vouch for them: while one is silent, the duty is
    not judged; while a word about one of the facts is missing, a breach is not asserted. A breach `explains` the
    contradiction of the record with that id which the same event shows: one finding cites both.

    `unheard` is the device whose missing word is all that a breach rests on: it is told once the device speaks again.

    `only` names the sorts of an event type at which the check is asked; at an event type that it does not name, the
    check is asked whatever the sort.
    `after` and `before` say when it has anything to say at all, and only save work: once the round has shown one of
    these (or this event is one of them), and as long as it has shown none of those.
    """

    id: str
    formerly: str
    decides: tuple[str, ...]
    provisions: Mapping[str, tuple[str, ...]]
    reads: tuple[type[Payload], ...]
    only: Mapping[type[Payload], tuple[str, ...]]
    scope: Scope
    in_round: bool
    alters: bool
    follows: bool
    function: Function
    doc: str
    readings: tuple[str, ...]
    turns_on: frozenset[Fact]
    devices: frozenset[Witness]
    explains: str
    unheard: Witness | None
    after: tuple[Sight, ...]
    before: tuple[Sight, ...]

    @property
    def moves_cards(self) -> bool:
        """Whether cards may be missing by a breach of it."""
        return OF_MONEY.isdisjoint((self.id, self.id.partition(".")[0]))


class RegistrationError(ValueError):
    """A check that cannot be registered; the message says why and what to do."""


REGISTRY: dict[str, Check] = {}


def check(
    id: str,
    *,
    decides: tuple[str, ...],
    reads: Iterable[type[Payload] | Of],
    where: str | None = None,
    scope: Scope = "round",
    in_round: bool = True,
    alters: bool = False,
    follows: bool = False,
    readings: tuple[str, ...] = (),
    turns_on: tuple[Fact, ...] | None = None,
    explains: str = "",
    unheard: Witness | None = None,
    after: tuple[Sight, ...] = (),
    before: tuple[Sight, ...] = (),
) -> Callable[[Function], Function]:
    """Register a function as a check; what each argument means stands with `Check`.

    Without `turns_on` a check has the facts of its subject (`processors/law/subjects.py`).

    Raises:
        RegistrationError: a subject, role or sort of event that does not exist, an id used twice, a place without a
            rival reading, or a check that holds for no ruleset.
    """
    events = tuple(reads)
    _refuse_other_sorts(id, events)
    _refuse_unknown(id, decides, readings)
    facts = SUBJECTS[id.partition(".")[0]] if turns_on is None else turns_on
    provisions = {
        ruleset: ids for ruleset, ids in rulesets_of(decides).items() if holds_where(ruleset, where)
    }
    if not provisions:
        raise RegistrationError(f"check {id}: holds for no ruleset; see `where` and citations.csv")

    def register(function: Function) -> Function:
        REGISTRY[id] = Check(
            id=id,
            formerly=FORMER.get(id, id),
            decides=decides,
            provisions=provisions,
            reads=tuple(one.payload if isinstance(one, Of) else one for one in events),
            only={one.payload: one.sorts for one in events if isinstance(one, Of)},
            scope=scope,
            in_round=in_round,
            alters=alters,
            follows=follows,
            function=function,
            doc=(function.__doc__ or "").strip(),
            readings=readings,
            turns_on=frozenset(facts),
            devices=frozenset(device for fact in facts for device in VOUCHES[fact]),
            explains=explains,
            unheard=unheard,
            after=after,
            before=before,
        )
        return function

    return register


def _refuse_other_sorts(check: str, reads: tuple[type[Payload] | Of, ...]) -> None:
    for one in reads:
        if not isinstance(one, Of):
            continue
        known = _sorts_of(one.payload)
        if not known:
            raise RegistrationError(
                f"check {check}: {one.payload.__name__} has no sorts; read it whole, or name their field in `SORT` of "
                "processors/law/check.py"
            )
        for sort in one.sorts:
            if sort not in known:
                raise RegistrationError(
                    f"check {check}: {one.payload.__name__} has no sort {sort!r}; it has {', '.join(sorted(known))}"
                )


def _refuse_unknown(check: str, roles: tuple[str, ...], readings: tuple[str, ...]) -> None:
    for role in roles:
        if role not in CITATIONS:
            raise RegistrationError(
                f"check {check}: there is no role {role}; see processors/law/citations.csv"
            )
    for place in readings:
        if place not in READINGS or not READINGS[place].rivals:
            raise RegistrationError(
                f"check {check}: {place} has no rival reading; see processors/games/readings.py"
            )
    if check.partition(".")[0] not in SUBJECTS:
        raise RegistrationError(f"check {check} has no subject; put it into processors/law/subjects.py")
    if check not in PLACE:
        raise RegistrationError(f"check {check} has no place; put it into processors/law/course.py")
    if check in REGISTRY:
        raise RegistrationError(f"check {check} is registered twice; give one of them another id")
