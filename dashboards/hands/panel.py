"""One hand beside the list in which it was found: its money, the felt, what was found, and what stands around it."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency
from msgspec import Struct, UnsetType

from dashboards.drawing.felt import draw_felt
from dashboards.drawing.part import draw_part
from dashboards.drawing.scene import DrawnSeat
from dashboards.hands import access
from dashboards.hands.addresses import goes_along, hand_path
from dashboards.hands.failing import failed_in
from dashboards.hands.hand import StoredRound
from dashboards.hands.page import Number, Seat, Sequence, Subject, written_card
from dashboards.hands.view import finding_views
from dashboards.replayer.replay import Replay
from dashboards.reports.claims import ClaimedStakes, held_against, seated_at, step_in_dispute
from dashboards.reports.dispute_report import concerns
from dashboards.web.console import Console, UserRequest
from dashboards.web.rendering import page, theme_of
from dashboards.wording.times import zone_called
from dashboards.wording.titles import title_of
from processors.core.state import seat_of
from schemas.values import DEALER


class SeatHeld(Struct, frozen=True, kw_only=True):
    """A seat of the round: whose it was, its hands as (cards, total), and what the record says of its stakes."""

    seat: int
    patron: str
    hands: tuple[tuple[tuple[str, ...], int | None], ...]
    held: ClaimedStakes


@get("/hands/{subject:str}/{number:int}/panel", sync_to_thread=True)
def hand_panel(
    request: UserRequest,
    console: NamedDependency[Console],
    subject: Subject,
    number: Number,
    seat: Seat = None,
    first: Sequence = None,
) -> Response[str]:
    """The panel of one hand beside a list, as a part of a page; it is kept as a look at the hand."""
    user = request.user
    stored = access.opened_hand(console, user, subject, number, first, how="panel of hand")
    cards, theme = console.role(user).sees_cards, theme_of(request)
    known = access.known_findings(console, user, stored)
    replay = stored.replay(access.asked_by(console, stored, theme, frames=False), known)
    findings = known if cards else ()
    about = [one for one in findings if concerns(one, seat)]
    views = finding_views(about, stored.last)
    worst = next((one for view in views[:1] for one in about if one.finding_id == view.id), None)
    return page(
        request,
        console,
        "hands/hand_panel.html",
        stored=stored,
        seat=seat,
        dealer=(stored.row.dealer if stored.row is not None else stored.table().dealer) or "",
        path=hand_path(stored.subject, stored.number),
        along=goes_along(request),
        held=held_against(replay, seat),
        ended=replay.steps[-1].time if replay.steps else None,
        patron=seated_at(replay, seat) if cards else "",
        title=title_of(worst) if worst is not None else "",
        findings=views,
        others=len(findings) - len(about),
        disputes=request.app.state.disputes_of_hand(console, user, stored.subject, stored.first),
        answer=request.app.state.answer_of_hand(console, user, stored, replay, seat) if cards else "",
        card=written_card,
        **(
            _of_cards(console, stored, replay, seat, theme)
            if cards
            else {"felt": "", "seats": (), "failed": None}
        ),
    )


def _of_cards(
    console: Console, stored: StoredRound, replay: Replay, seat: int | None, theme: str
) -> dict[str, Any]:
    """What is shown to those alone who see cards."""
    palette, config = access.PALETTES[theme], stored.table().config
    step = step_in_dispute(replay, seat, None, None)
    zone = zone_called(config.timezone if config is not None else None)
    felt = ""
    if step is not None:
        part = seat is not None
        felt = (
            draw_part(step.felt, seat or 0, palette)
            if part
            else draw_felt(step.felt, palette, standalone=True)
        )
    return {
        "felt": felt,
        "seats": tuple(_held(one, replay) for one in _seats(replay)),
        "failed": failed_in(console.records, stored, replay, zone),
    }


def _seats(replay: Replay) -> tuple[DrawnSeat, ...]:
    """The seats with a stake, as the last step has them."""
    staked = {row.seat for row in replay.payouts}
    return tuple(one for one in (replay.steps[-1].felt.seats if replay.steps else ()) if one.number in staked)


def _held(seat: DrawnSeat, replay: Replay) -> SeatHeld:
    hands = replay.result.hands if replay.result is not None else {}
    return SeatHeld(
        seat=seat.number,
        patron=seat.player,
        hands=tuple(
            (tuple(line.cards), None if isinstance(line.total, UnsetType) else line.total)
            for name, line in hands.items()
            if name != DEALER and seat_of(name) == seat.number
        ),
        held=held_against(replay, seat.number),
    )


HANDLERS = (hand_panel,)
