"""The search for hands, and one hand step by step; both pages work without a script."""

from __future__ import annotations

import logging
from typing import Annotated, Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import PathParameter, QueryParameter
from litestar.response import Redirect

from dashboards.casebook.case import hand_value
from dashboards.desk.casework import cases_of
from dashboards.drawing.felt import draw_felt, shared
from dashboards.drawing.rack import draw_rack
from dashboards.drawing.tall import draw_tall
from dashboards.filters.hand_terms import (
    DEVICES,
    FINDINGS,
    HAND_RESULTS,
    OF_FINDINGS,
    RESULTS,
    STATUSES,
    HandTerms,
)
from dashboards.filters.names import unknown_fields
from dashboards.filters.reading import Unread
from dashboards.hands import access
from dashboards.hands.access import PALETTES
from dashboards.hands.addresses import address_of, found_by, goes_along, hand_path, list_address, said_in
from dashboards.hands.failing import failed_in
from dashboards.hands.found import Answer, FoundHand, LikelyHand, Likeness
from dashboards.hands.hand import StoredRound, neighbours
from dashboards.hands.likely import in_words
from dashboards.hands.narrowing import weighs_in
from dashboards.hands.search import Asking
from dashboards.hands.told import Told, words_of
from dashboards.hands.view import (
    cards_of,
    clauses_of,
    finding_views,
    rivals_of,
    seat_in_question,
    stakes_of,
    steps_of,
)
from dashboards.ledger.ledger import DeskUnavailable
from dashboards.personal.keeping import arranged
from dashboards.replayer.picture import shows_racked
from dashboards.replayer.rack_port import RackAsked, RackTold
from dashboards.replayer.replay import Replay
from dashboards.replayer.videos import Footage, footage_of, footage_source
from dashboards.suspected.rounds import ANY_PATTERN
from dashboards.watching.shown import watched_by_hand
from dashboards.web.console import Console, UserRequest
from dashboards.web.gate import FOOTAGE
from dashboards.web.rendering import page, theme_of
from dashboards.wording.times import local_time, zone_called
from schemas.rulesets import RULESETS
from schemas.values import DEALER, UNKNOWN

Subject = Annotated[str, PathParameter(max_length=64)]
Number = Annotated[int, PathParameter(ge=0, le=2**31 - 1)]
Sequence = Annotated[int | None, QueryParameter(ge=1, le=2**31 - 1)]
Seat = Annotated[int | None, QueryParameter(ge=0, le=9)]
CALLED = {
    "patron": "player", "total": "player's total", "against": "dealer's total", "day": "gaming day",
    "since": "looked back to", "findings": "with findings of", "finding": "finding id",
}  # fmt: skip
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
BESIDE = 5  # places of the rack to a line: the steps' column shows no more of them at a size to be read
SHORT, LONG = 0.5, 8.0  # seconds that the rack solver has unasked, and when someone asks for it
_log = logging.getLogger("catwalk.console")


@get("/hands", dependencies=access.TERMS, sync_to_thread=True)
def find_hands(
    request: UserRequest,
    console: NamedDependency[Console],
    terms: NamedDependency[HandTerms],
    words: NamedDependency[str],
) -> Response[Any]:
    """The hands that are asked for; one that was asked for by time, number or finding is opened at once.

    Words are read into the fields of the form, and lead to the address that these have.
    """
    user, unread = request.user, tuple[Unread, ...]()
    try:
        if words:
            terms, unread = access.told_terms(console, user, words, terms)
            if not unread:
                return Redirect(list_address(terms.asked(), words), status_code=303)
        role = access.may_look_for(console, user, terms)
        asking = Asking(console, user.name, role)
        unknown = unknown_fields(request, access.SEARCHED)
        if unread:
            unknown["q"] = " ".join(f"{one}." for one in unread)
        answer, tables = asking.answer(terms, unknown), asking.tables()
        said = words or said_in(request, terms)
        line = words if unread else _line(asking, terms, said)
    except PermissionDeniedException as error:
        return _refused(request, console, error)
    except DeskUnavailable:
        raise
    except Exception as error:  # whatever the store raises: the page says that it does not answer
        _log.warning("hands cannot be looked for: %s", error)
        why = "The store of hands does not answer."
        remedy = "Load the page again; the health page says which part is down."
        return page(request, console, "web/refused.html", 503, title="Hands", why=why, remedy=remedy)
    alone = None if "list" in request.query_params else _alone(terms, answer)
    if alone is not None:
        return Redirect(address_of(alone, terms, said, answer), status_code=303)
    told = _list(terms, answer, said) | {"tables": tables, "words": line, "unread": unread, "said": said}
    told["table_now"] = asking.clock(terms.table) if terms.table else None
    told["patterns"] = (ANY_PATTERN, *(one.title.lower() for one in console.patterns().values()))
    told |= {"mine": arranged(console, user, "hands"), "query": request.url.query}
    return page(request, console, "hands/hands.html", 400 if answer.wrong else 200, **told)


def _refused(request: UserRequest, console: Console, error: PermissionDeniedException) -> Response[str]:
    return page(request, console, "web/refused.html", 403, title="Hands", why=f"{error.detail}.", remedy="")


def _alone(terms: HandTerms, answer: Answer) -> FoundHand | LikelyHand | None:
    """The one hand that is opened at once; None where a list is shown, or something has to be said of the time."""
    if answer.closed is not None:
        return None
    if answer.like is not None and terms.table and answer.like.exact == 1:
        return answer.like.hands[0]
    here = [one for one in answer.hands if not one.near]
    return here[0] if answer.point and len(here) == 1 and not answer.hint else None


def _line(asking: Asking, terms: HandTerms, said: str) -> str:
    """The line of the search: as it was typed while it still says what is asked, else made of the fields."""
    if said and asking.told(said) == Told(terms.asked()):
        return said
    return words_of(terms.asked())


def _list(terms: HandTerms, answer: Answer, said: str) -> dict[str, Any]:
    asked = terms.asked()
    further = list_address(asked, said, after=answer.further) if answer.further else ""
    return {
        "terms": terms,
        "answer": answer,
        "further": further,
        "asked": asked,
        "chips": [
            (
                name,
                value,
                list_address({key: told for key, told in asked.items() if key != name}, said, list="1"),
            )
            for name, value in asked.items()
        ],
        "said_of": urlencode(asked),
        "devices": DEVICES,
        "statuses": STATUSES,
        "results": RESULTS,
        "hand_results": HAND_RESULTS,
        "of_findings": FINDINGS,
        "called": CALLED,
        "card": written_card,
        "link": lambda one: address_of(one, terms, said),
        "instead": list_address({**asked, "time": answer.closed.asked}, said)
        if answer.closed is not None
        else "",
        **_nearly(terms, answer.like, said),
        "names": [(name, list_address({**asked, answer.named: name}, said)) for name in answer.names],
    }


def _nearly(terms: HandTerms, like: Likeness | None, said: str) -> dict[str, Any]:
    """What no hand fits, and what would fit without a told thing, with the addresses of these searches."""
    if like is None:
        return {}
    asked = terms.asked()
    here = next((name for name in OF_FINDINGS if name in asked), "findings")

    def thing(name: str) -> str:
        told = here if name == "findings" else name
        return in_words(told, asked.get(told, ""), CALLED)

    def left(name: str) -> str:
        out = OF_FINDINGS if name == "findings" else (name,)
        return list_address({key: value for key, value in asked.items() if key not in out}, said)

    return {
        "never": [thing(name) for name in like.never],
        "without": [(thing(name), count, left(name)) for name, count in like.without.items()],
    }


def written_card(name: str) -> str:
    """A card as it is written in a line of text: `K♠`, `10♦`; one that nobody read is a question mark."""
    if name == UNKNOWN or len(name) != 2 or name[1] not in _SUITS:
        return "?" if name == UNKNOWN else name
    return f"{'10' if name[0] == 'T' else name[0]}{_SUITS[name[1]]}"


@get("/hands/{subject:str}/{number:int}", sync_to_thread=True)
def hand_page(
    request: UserRequest,
    console: NamedDependency[Console],
    subject: Subject,
    number: Number,
    at: Sequence = None,
    seat: Seat = None,
    first: Sequence = None,
    reading: Annotated[str, QueryParameter(max_length=64)] = "",
    solve: Annotated[bool, QueryParameter()] = False,
) -> Response[str]:
    """One hand; `at` is the event it is opened at, `reading` (`A5:return`) chooses another reading of a clause."""
    user = request.user
    try:
        stored = access.opened_hand(console, user, subject, number, first, at=at)
    except PermissionDeniedException as error:
        return _refused(request, console, error)
    except NotFoundException:
        why = f"There is no round {number} of a table {subject}, or it is not for you to see."
        remedy = "Look for it by table and time; the attempt is kept in the audit log."
        return page(request, console, "web/refused.html", 404, title="No such hand", why=why, remedy=remedy)
    if not console.role(user).sees_cards:
        return page(request, console, "hands/hand_money.html", **_money(request, console, stored), seat=seat)
    chosen, refused = access.chosen_reading(reading)
    told = _hand(request, console, stored, chosen, at, seat)
    told["disputes"] = request.app.state.disputes_of_hand(console, user, stored.subject, stored.first)
    told["suspicions"] = weighs_in(console, user, stored)
    told["failed"] = failed_in(console.records, stored, told["replay"], told["zone"])
    held = hand_value(stored.subject, stored.number, stored.first)
    reads = console.role(user).reads_cases
    seats = told["replay"].steps[-1].felt.seats if told["replay"].steps else ()
    told["watched"] = watched_by_hand(console, user, stored.subject, told["dealer"], seats)
    told["cases"] = cases_of(console.desk, user.name, "hand", held) if reads else ()
    told["solved"] = _solved(console, stored, told["replay"], LONG if solve else SHORT, asked=solve)
    return page(request, console, "hands/hand.html", **told, seat=seat, chosen=chosen, refused=refused)


def _common(request: UserRequest, console: Console, stored: StoredRound) -> dict[str, Any]:
    table = stored.table()
    zone = zone_called(table.config.timezone if table.config is not None else None)
    earlier, later = neighbours(console.records, stored.subject, stored.first, stored.last)
    found = found_by(request, zone)
    return {
        "stored": stored,
        "zone": zone,
        "zone_name": str(zone),
        "sought": found.sought,
        "told": list_address(found.terms, found.said, list="1") if found.terms else "",
        "along": goes_along(request),
        "local": lambda moment: local_time(moment, zone),
        "dealer": (stored.row.dealer if stored.row is not None else table.dealer) or "",
        "shoe": stored.row.shoe if stored.row is not None else table.shoe.number,
        "earlier": earlier,
        "later": later,
        "path": hand_path(stored.subject, stored.number),
        "bundles": console.bundles is not None,
        "twin_path": lambda row: f"{hand_path(row.subject, row.round)}?first={row.first_sequence}",
    }


def _hand(
    request: UserRequest,
    console: Console,
    stored: StoredRound,
    chosen: dict[str, str],
    at: int | None,
    seat: int | None,
) -> dict[str, Any]:
    user, theme = request.user, theme_of(request)
    findings = access.known_findings(console, user, stored)
    asked = access.asked_by(console, stored, theme, frames=False, readings=chosen or None)
    replay = stored.replay(asked, findings)
    steps = steps_of(replay)
    breach = next((step.index for step in replay.steps if step.wrong), None)
    index = max((i for i, step in enumerate(steps) if at is not None and step.sequence <= at), default=0)
    if at is None and breach is not None:
        index = breach
    return {
        **_common(request, console, stored),
        "replay": replay,
        "steps": steps,
        "index": index,
        "footage": _footage(request, console, stored, replay),
        "at_breach": at is None and breach is not None,
        "in_rack": bool(steps) and shows_racked(replay.steps[index].felt),
        "felt": draw_felt(replay.steps[index].felt, PALETTES[theme]) if steps else "",
        "tall": draw_tall(replay.steps[index].felt, seat or seat_in_question(findings), PALETTES[theme])
        if steps
        else "",
        "stakes": stakes_of(replay.payouts, findings, replay.decisions),
        "cards": cards_of(replay.cards),
        "findings": finding_views(findings, stored.last),
        "clauses": clauses_of(steps[index : index + 1], findings),
        "rivals": () if chosen else rivals_of(stored, replay, findings),
        "symbols": shared(PALETTES[theme]),
        "rack": draw_rack(replay.rack, PALETTES[theme], standalone=False, columns=BESIDE)
        if replay.rack
        else "",
    }


def _footage(
    request: UserRequest, console: Console, stored: StoredRound, replay: Replay
) -> tuple[Footage, ...]:
    """The recordings of the round; the browser is told whence this page may take them."""
    config = stored.table().config
    cameras = (config.cameras or ()) if config is not None else ()
    if not console.footage or not cameras or not replay.steps:
        return ()
    request.state[FOOTAGE] = footage_source(console.footage)
    first, last = replay.steps[0].time, replay.steps[-1].time
    return footage_of(console.footage, tuple(cameras), first, last, stored.subject)


def _money(request: UserRequest, console: Console, stored: StoredRound) -> dict[str, Any]:
    """The hand for those who see no cards: stakes and what was settled; of findings that nobody settled a stake."""
    known = access.known_findings(console, request.user, stored)
    replay = stored.replay(access.asked_by(console, stored, "dark", frames=False), known)
    times = [step.time for step in replay.steps]
    return {
        **_common(request, console, stored),
        "stakes": stakes_of(replay.payouts, ()),
        "net": stored.row.net_cents if stored.row is not None else None,
        "began": times[0] if times else None,
        "ended": times[-1] if times else None,
    }


def _solved(
    console: Console, stored: StoredRound, replay: Replay, seconds: float, *, asked: bool
) -> tuple[RackTold | None, str]:
    """What the rack alone proves, where the user asks or events are missing; otherwise why it is not solved."""
    question = _question(stored, replay, seconds)
    if isinstance(question, str):
        return None, question
    if console.solve_rack is None:
        return None, "No solver is attached to this console."
    missing = bool(stored.breaks) or (replay.result is not None and bool(replay.result.missing))
    if not (asked or missing):
        return None, ""
    try:
        return console.solve_rack(question), ""
    except Exception as error:  # a defect of the solver must not hide the hand, nor pass for an answer
        _log.error("the rack of %s round %s cannot be solved", stored.subject, stored.number, exc_info=error)
        return None, "The solver failed; it is in the server's log."


def _question(stored: StoredRound, replay: Replay, seconds: float) -> RackAsked | str:
    """The question about a round that is over, or in words why there is none."""
    result = replay.result
    config = stored.table().config
    if stored.is_going_on or result is None:
        return "The round still goes on: its cards are not all in the rack yet."
    if config is None:
        return "No configuration of the table was recorded before the round."
    if RULESETS[config.ruleset].family != "blackjack":
        return "The solver knows Blackjack alone; in this game the stacks lie as they were dealt."
    if not result.rack.observed:
        return "No card of the round lies in the rack."
    if any(row.observed is not None and not row.observed.face_up for row in replay.rack):
        return "Cards lie in the rack that were never shown: the solver is not asked about them."
    seats = tuple(sorted({one.seat for one in result.stakes if one.kind == "main"}))
    # Where events are missing, a seat may have staked unseen: then the solver is to find the seats as well.
    known = seats if seats and not result.missing else None
    dealer = result.hands.get(DEALER)
    upcard = dealer.cards[0] if dealer is not None and dealer.cards else None
    return RackAsked(
        config=config,
        day=result.gaming_day or replay.steps[0].time.date(),
        rack=result.rack.observed,
        seats=known,
        upcard=None if upcard == UNKNOWN or result.missing else upcard,
        seconds=seconds,
    )


HANDLERS = (find_hands, hand_page)
