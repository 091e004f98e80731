"""Records of the desk in words: who did what to what, as an auditor reads them."""

from __future__ import annotations

import datetime as dt
from typing import Any, get_args

import msgspec
from msgspec import UNSET, Struct

from dashboards.ledger.acts import Accessed, Act, ChainProven, Raised, Record, What
from dashboards.ledger.dispute_acts import DisputePrinted
from dashboards.wording.titles import title_of

_OBJECTS = ("alert", "dispute", "user", "object")  # the first field an act has of these is what it is about
_WORDS = {
    "raised": "alert raised",
    "returned": "back from the shelf",
    "accessed": "read",
    "chain_proven": "chain verified",
    "ledger_accepted": "altered ledger accepted",
}


class LogEntry(Struct, frozen=True, kw_only=True):
    """One record in words; `about` is the id of an alert, a dispute, a user, or what was read.

    `versions` are those of the alert or dispute before and after the act.
    """

    sequence: int
    at: dt.datetime
    actor: str
    action: str
    about: str
    facts: tuple[str, ...]
    versions: tuple[int, int] | None
    refused: bool

    @property
    def detail(self) -> tuple[str, ...]:
        """All there is to tell, the versions too."""
        told = () if self.versions is None else (f"version {self.versions[0]} → {self.versions[1]}",)
        return (*self.facts, *told)


def entry(record: Record) -> LogEntry:
    """A record in words."""
    act = record.data
    about, facts = _told(act)
    return LogEntry(
        sequence=record.sequence,
        at=record.time,
        actor=record.actor,
        action=action_of(act),
        about=about,
        facts=facts,
        versions=_versions(act),
        refused=isinstance(act, Accessed) and not act.granted,
    )


def action_of(act: Act) -> str:
    """What an act is called in the log."""
    if isinstance(act, Accessed):
        return f"{act.what} {'' if act.granted else 'refused'}".rstrip()
    return _called(type(act))


def _called(act: type[Act]) -> str:
    name = str(act.__struct_config__.tag)
    return _WORDS.get(name, name.replace("_", " "))


_LOOKS = [name for what in get_args(What) for name in (what, f"{what} refused")]
# everything that an act may be called in the log
ACTIONS = tuple(sorted({*_LOOKS, *(_called(act) for act in get_args(Act) if act is not Accessed)}))


def _told(act: Act) -> tuple[str, tuple[str, ...]]:
    if isinstance(act, Raised):
        finding = act.finding
        where = f"table {finding.subject}" + (f", round {finding.round}" if finding.round else "")
        return finding.finding_id, (title_of(finding), where, f"check {finding.check}")
    if isinstance(act, Accessed):
        return act.object, tuple(filter(None, (act.reason, _from(act.address))))
    if isinstance(act, ChainProven):
        outcome = "intact" if act.bad is None else f"broken at record {act.bad}"
        return f"records {act.first} to {act.last}", tuple(filter(None, (outcome, _from(act.address))))
    fields: dict[str, Any] = msgspec.structs.asdict(act)
    named = next((name for name in _OBJECTS if name in fields), None)
    about = str(fields.pop(named)) if named is not None else ""
    fields.pop("version", None)
    address, together = fields.pop("address", ""), fields.pop("together", UNSET)
    given = {name: value for name, value in fields.items() if value not in (None, "")}
    told = [f"{name.replace('_', ' ')}: {_shown(value)}" for name, value in given.items()]
    told += [] if together is UNSET else [f"group act, asked for {together} alerts at once"]
    told += filter(None, (_from(address),))
    return about, tuple(told)


def _versions(act: Act) -> tuple[int, int] | None:
    seen: int | None = getattr(act, "version", None)
    if seen is None:
        return None
    return seen, seen if isinstance(act, DisputePrinted) else seen + 1


def _from(address: str) -> str:
    return f"from {address}" if address else ""


def _shown(value: object) -> str:
    if isinstance(value, dt.datetime):
        return f"{value:%Y-%m-%d %H:%M:%S} UTC"
    if isinstance(value, Struct):
        return ", ".join(f"{name} {_shown(each)}" for name, each in msgspec.structs.asdict(value).items())
    if isinstance(value, tuple | list):
        return ", ".join(map(_shown, value))
    return str(value)
