"""Records of the desk in words: who did what to what, as an auditor reads them."""

from __future__ import annotations

import datetime as dt
from typing import Any, get_args
from urllib.parse import unquote_plus

import msgspec
from msgspec import UNSET, Struct

from dashboards.ledger.acts import Accessed, Act, ChainProven, DeskRecord, PageSent, Raised, RisenFrom, What
from dashboards.ledger.case_acts import CasePrinted
from dashboards.ledger.dispute_acts import DisputePrinted
from dashboards.ledger.personal_acts import ColumnsChosen, PersonalAct, SearchSaved, StartChosen
from dashboards.ledger.seal_acts import FiguresSealed
from dashboards.ledger.watch_acts import WatchAct, WatchTaken
from dashboards.wording.money import figures, settled
from dashboards.wording.titles import title_of
from schemas.amounts import amount

_OBJECTS = (
    "alert",
    "dispute",
    "case",
    "shift",
    "tuning",
    "user",
    "object",
    "about",
)  # the first field an act has of these is what it is about
_LOOKS_AT = {
    "queue": "alerts listed",
    "alert": "alert viewed",
    "record": "record viewed",
    "page": "page viewed",
    "export": "exported",
    "feed": "alerts followed",
}
_WORDS = {
    "disposed": "closed",
    "added_to_case": "put into a case",
    "noted": "note made",
    "glass_broken": "opened by break-glass",
    "raised": "alert raised",
    "evidence_kept": "evidence kept",
    "returned": "back from the shelf",
    "unshelved": "taken off the shelf",
    "accessed": "read",
    "chain_proven": "chain verified",
    "watch_put": "put on the watch list",
    "watch_changed": "watch changed",
    "watch_taken": "taken off the watch list",
    "ledger_accepted": "altered ledger accepted",
}


_RISEN = "alert risen again"


class LogEntry(Struct, frozen=True, kw_only=True):
    """One record in words; `about` is the id of an alert, a dispute, a case, a user, or what was read.

    `versions` are those of the alert, dispute or case before and after the act.
    """

    sequence: int
    at: dt.datetime
    actor: str
    action: str
    tag: str
    about: str
    facts: tuple[str, ...]
    versions: tuple[int, int] | None
    refused: bool

    @property
    def detail(self) -> tuple[str, ...]:
        """All there is to tell, the versions too."""
        told = () if self.versions is None else (f"version {self.versions[0]} → {self.versions[1]}",)
        return (*self.facts, *told)


def entry(record: DeskRecord) -> LogEntry:
    """A record in words."""
    act = record.data
    about, facts = _told(act)
    return LogEntry(
        sequence=record.sequence,
        at=record.time,
        actor=record.actor,
        action=action_of(act),
        tag=f"{act.what if isinstance(act, Accessed) else ''} {act.__struct_config__.tag}".replace(
            "_", " "
        ).strip(),
        about=about,
        facts=facts,
        versions=_versions(act),
        refused=isinstance(act, Accessed) and not act.granted,
    )


def action_of(act: Act) -> str:
    """What an act is called in the log."""
    if isinstance(act, Accessed):
        return _LOOKS_AT.get(act.what, act.what) if act.granted else f"{act.what} refused"
    if isinstance(act, Raised) and act.again is not UNSET:
        return _RISEN
    return _called(type(act))


def _called(act: type[Act]) -> str:
    name = str(act.__struct_config__.tag)
    return _WORDS.get(name, name.replace("_", " "))


_LOOKS = [name for what in get_args(What) for name in (_LOOKS_AT.get(what, what), f"{what} refused")]
# everything that an act may be called in the log
ACTIONS = tuple(sorted({*_LOOKS, _RISEN, *(_called(act) for act in get_args(Act) if act is not Accessed)}))
# ... and what its record calls it, by which it is found too
TAGS = tuple(str(act.__struct_config__.tag).replace("_", " ") for act in get_args(Act))


def _told(act: Act) -> tuple[str, tuple[str, ...]]:
    if isinstance(act, Raised):
        finding = act.finding
        where = f"table {finding.subject}" + (f", round {finding.round}" if finding.round else "")
        again = () if act.again is UNSET else (_risen_from(act.again),)
        return finding.finding_id, (title_of(finding), where, f"check {finding.check}", *again)
    if isinstance(act, Accessed):
        return act.object, tuple(filter(None, (act.reason, _from(act.address))))
    if isinstance(act, PageSent):
        tries = "" if act.attempts == 1 else f" after {amount(act.attempts, 'attempt')}"
        parts = f"{act.channel} to {act.to}", f"{act.outcome}{tries}", act.said
        return act.alert, tuple(filter(None, parts))
    if isinstance(act, WatchAct):
        until = "" if isinstance(act, WatchTaken) else f"until: {_shown(act.until)}"
        who = "patron" if act.kind == "player" else act.kind
        return f"{who} {act.value}", tuple(filter(None, (f"reason: {act.reason}", until, _from(act.address))))
    if isinstance(act, PersonalAct):
        return _arranged(act)
    if isinstance(act, FiguresSealed):
        days = str(act.first) if act.first == act.last else f"{act.first} to {act.last}"
        noted = f"note: {act.note}" if act.note else ""
        return f"revenue of {days}", tuple(filter(None, (noted, _from(act.address))))
    if isinstance(act, ChainProven):
        outcome = "intact" if act.bad is None else f"broken at record {act.bad}"
        return f"records {act.first} to {act.last}", tuple(filter(None, (outcome, _from(act.address))))
    fields: dict[str, Any] = msgspec.structs.asdict(act)
    named = next((name for name in _OBJECTS if name in fields), None)
    about = str(fields.pop(named)) if named is not None else ""
    fields.pop("version", None)
    address, together = fields.pop("address", ""), fields.pop("together", UNSET)
    given = {name: value for name, value in fields.items() if value not in (None, "", UNSET)}
    told = [_fact(name, value) for name, value in given.items()]
    told += [] if together is UNSET else [f"group act, asked for {amount(together, 'alert')} at once"]
    told += filter(None, (_from(address),))
    return about, tuple(told)


def _risen_from(again: RisenFrom) -> str:
    second = f", confirmed by {again.confirmed_by}" if again.confirmed_by else ""
    closed = f"closed as {again.disposition} by {again.by}{second} on {_shown(again.at)}"
    return f"risen again after alert {again.alerts[-1]}, {closed}"


def _arranged(act: PersonalAct) -> tuple[str, tuple[str, ...]]:
    """Somebody's own list: which, and what they keep of it."""
    if isinstance(act, ColumnsChosen):
        return f"columns of {act.of}", (", ".join(act.columns) or "as they come",)
    if isinstance(act, StartChosen):
        return f"start of {act.of}", (act.name or "as it comes",)
    asked = (unquote_plus(act.query) or "everything",) if isinstance(act, SearchSaved) else ()
    return f"search {act.name} of {act.of}", asked


def _versions(act: Act) -> tuple[int, int] | None:
    seen: int | None = getattr(act, "version", None)
    if seen is None:
        return None
    return seen, seen if isinstance(act, DisputePrinted | CasePrinted) else seen + 1


def _from(address: str) -> str:
    return f"from {address}" if address else ""


def _fact(name: str, value: object, mark: str = ": ") -> str:
    """A field by its name, money in dollars."""
    if name == "money_cents" and isinstance(value, int):
        return settled(value)
    if name.endswith("_cents") and isinstance(value, int):
        shown = f"{'−' if value < 0 else ''}{figures(value, '$')}"
        return f"{name.removesuffix('_cents').replace('_', ' ')}{mark}{shown}"
    return f"{name.replace('_', ' ')}{mark}{_shown(value)}"


def _shown(value: object) -> str:
    if isinstance(value, dt.datetime):
        return f"{value:%-d %b %Y %H:%M:%S} UTC"
    if isinstance(value, Struct):
        fields = msgspec.structs.asdict(value).items()
        return ", ".join(_fact(name, each, " ") for name, each in fields if each not in (None, "", UNSET))
    if isinstance(value, tuple | list):
        return ", ".join(map(_shown, value))
    return str(value)
