"""The table at the event of a finding, as a drawing: the seat it is about with the dealer, else the whole felt."""

from __future__ import annotations

from itertools import islice

from msgspec.structs import replace

from dashboards.drawing.felt import draw_felt
from dashboards.drawing.palette import DARK, Palette
from dashboards.drawing.part import draw_part
from dashboards.drawing.scene import Felt
from dashboards.drawing.svg import Markup
from dashboards.folding.states import States
from dashboards.hands.hand import MOST_LINES
from dashboards.reader.question import Reader
from dashboards.reader.rounds import lines_between, round_began
from dashboards.replayer.picture import felt_now
from dashboards.replayer.replay import ReplayAsked, replay_round
from processors.core.state import seat_of
from schemas.findings import Finding
from schemas.values import DEALER


def picture_of(reader: Reader, states: States, finding: Finding, palette: Palette = DARK) -> Markup:
    """A drawing that stands by itself of the moment at which the finding was made.

    It shows what lay open then: a card that was hidden is hidden, whatever the record says of it.

    Raises:
        LookupError: the store does not hold the event.
    """
    felt = _felt_at(reader, states, finding)
    if isinstance(finding.seat, int):
        return draw_part(felt, finding.seat, palette)
    if isinstance(finding.hand, str):
        return draw_part(felt, seat_of(finding.hand), palette)
    return draw_felt(felt, palette, standalone=True)


def _felt_at(reader: Reader, states: States, finding: Finding) -> Felt:
    subject, at = finding.subject, finding.sequence
    hand = finding.hand if isinstance(finding.hand, str) else ""
    spot = hand or (str(finding.seat) if isinstance(finding.seat, int) else "")
    began = round_began(subject, at).ask(reader) if finding.round is not None else []
    if began:
        first = began[0].sequence
        lines = islice(lines_between(reader, subject, first, at), MOST_LINES)
        asked = ReplayAsked(frames=False)
        steps = replay_round(
            states.before(subject, first), (one.line for one in lines), findings=[finding], asked=asked
        ).steps
        if steps:
            return _marked(steps[-1].felt, spot)
    if not any(lines_between(reader, subject, at, at)):
        raise LookupError(f"the store does not hold event {at} of table {subject}")
    after = states.before(subject, at + 1)
    return _marked(felt_now(after.table()), spot)


def _marked(felt: Felt, spot: str) -> Felt:
    """The felt with a ring about what the finding concerns and about nothing else."""
    if not spot:
        return felt
    seats = tuple(
        replace(
            seat,
            now=str(seat.number) == spot and not any(one.name == spot for one in seat.hands),
            hands=tuple(replace(one, now=one.name == spot) for one in seat.hands),
        )
        for seat in felt.seats
    )
    dealer = replace(felt.dealer, hand=replace(felt.dealer.hand, now=spot == DEALER))
    return replace(felt, seats=seats, dealer=dealer)
