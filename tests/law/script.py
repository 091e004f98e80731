"""The steps of a case's script: a word each, told in README.md, and how a whole script is played."""

from __future__ import annotations

import datetime as dt
import json
import re
import shlex
from collections.abc import Callable, Iterable
from typing import Any

from schemas.events.envelope import PAYLOADS
from tests.law import blackjack, finishing, opening, shoes, stack_games
from tests.law.felt import Felt
from tests.law.opening import DEALER_STAFF, FLOORPERSON
from tests.law.record import ScriptError, fields_of, split_edits
from tests.law.words import Words

Verb = Callable[[Felt, Words], None]
OPENERS = ("opening", "nothing")
_SPAN = re.compile(r"(\d+)([smhd])")
_UNIT = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def play(
    steps: Iterable[str],
    ruleset: str,
    table: dict[str, Any] | None = None,
    players: tuple[int, ...] = (),
    day: dt.date | None = None,
) -> Felt:
    """Play a script; the record it leaves behind.

    Raises:
        ScriptError: with the step that cannot be played.
    """
    steps = list(steps)
    words = [step.split()[0] if step.split() else "" for step in steps]
    if not any(word in OPENERS for word in words):
        steps, words = ["opening", *steps], ["opening", *words]
    felt = opening.new_felt(ruleset, table or {}, players or _players_of(steps), day)
    for index, step in enumerate(steps):
        felt.ahead = tuple(words[index + 1 :])
        try:
            play_step(felt, step)
        except (ScriptError, LookupError, ValueError) as error:
            reason = f"{type(error).__name__}: {error}" if isinstance(error, LookupError) else str(error)
            raise ScriptError(f"step {index} {step!r}: {reason}") from error
        if index == 0:
            felt.opened = len(felt.lines)
    return felt


def _players_of(steps: list[str]) -> tuple[int, ...]:
    seats = {int(step.split()[1][0]) for step in steps if step.split()[:1] == ["wager"]}
    return tuple(sorted(seats)) or (1,)


def play_step(felt: Felt, step: str) -> None:
    """Play one step."""
    if step.startswith("lost "):
        felt.losing = True
        play_step(felt, step.removeprefix("lost "))
        felt.losing = False
        return
    if step.startswith("raw "):
        event = json.loads(step.removeprefix("raw "))
        felt.event(event.pop("type"), **event.get("data", event))
        return
    text, edit = split_edits(step)
    name, *rest = shlex.split(text)
    verb = VERBS.get(name)
    with felt.edited(edit):
        if verb is not None:
            verb(felt, Words(rest))
        elif name in PAYLOADS:
            _plain_event(felt, name, Words(rest))
        else:
            raise ScriptError(
                f"no step is called {name!r}; there are {', '.join(VERBS)}, and every event type"
            )


def _plain_event(felt: Felt, kind: str, words: Words) -> None:
    """Any event of the contract, `key=value` each; what the table makes obvious need not be said."""
    fields: dict[str, Any] = dict(words.named)
    if words.plain:
        raise ScriptError(f"{kind} takes only key=value, not {words.plain[0]!r}")
    obvious = _obvious(felt, kind)
    for entry in fields_of(kind):
        name = entry.encode_name
        if entry.required and name not in fields and name in obvious:
            fields[name] = obvious[name]
    felt.event(kind, **fields)


def _obvious(felt: Felt, kind: str) -> dict[str, Any]:
    cards = felt.batches.get(felt.batch, 52 * int(felt.config["decks"]))
    known: dict[str, Any] = {
        "batch": felt.batch, "staff": DEALER_STAFF if kind in _BY_DEALER else FLOORPERSON, "cards": cards,
        "stack": cards, "shoe": felt.shoes + 1, "device": felt.reader, "working": True, "tampered": False,
        "method": "manual" if felt.config["shuffler"] == "none" else "device", "defects": 0, "announced": True,
        "face_up": True, "in_sequence": True, "confirmed": True, "tender": "cash", "slip": "S-1", "box": "DB-1",
        "reference": "BGO-1", "approved_on": "2013-06-03", "moment": "shift", "by": "player",
    }  # fmt: skip
    if kind == "inventory_counted":
        known["staff"] = (DEALER_STAFF, FLOORPERSON)
    if kind in _NOT_A_COUNT:
        del known["cards"]
    known["reason"] = {"card_burned": "load", "wager_refused": "other", "cards_racked": "settled"}.get(
        kind, "floor"
    )
    if kind == "table_configured":
        known |= felt.config
    return known


_BY_DEALER = ("cards_inspected", "dealer_arrived", "dealer_left")
_NOT_A_COUNT = (
    "cards_racked", "shoe_emptied", "stack_dispensed", "stack_delivered", "hand_revealed", "stub_counted",
)  # fmt: skip


def _nothing(felt: Felt, words: Words) -> None:
    """The record begins with the case's own first event."""


def _opening(felt: Felt, words: Words) -> None:
    opening.play_opening(felt)


def _gap(felt: Felt, words: Words) -> None:
    felt.gap()


def _wait(felt: Felt, words: Words) -> None:
    found = _SPAN.fullmatch(words.take("a span such as 90m"))
    if found is None:
        raise ScriptError("wait takes a span such as 30s, 90m, 25h or 2d")
    felt.now += dt.timedelta(**{_UNIT[found[2]]: int(found[1])})


def _arrive(felt: Felt, words: Words) -> None:
    opening.arrive(felt, words.seat())


def _configure(felt: Felt, words: Words) -> None:
    changed = {name: json.loads(value) if value[:1] in "{[" else value for name, value in words.named.items()}
    felt.event("table_configured", **{**felt.config, **changed})


VERBS: dict[str, Verb] = {
    "opening": _opening,
    "nothing": _nothing,
    "configure": _configure,
    "arrive": _arrive,
    "wait": _wait,
    "gap": _gap,
    **blackjack.VERBS,
    **stack_games.VERBS,
    **finishing.VERBS,
    **shoes.VERBS,
}
