"""A table as it stands now, in a round or between rounds, with nothing on it that is not open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dashboards.drawing.scene import Felt
from dashboards.replayer.faces import Faces
from dashboards.replayer.phases import Phase, phase_after
from dashboards.replayer.picture import Picture, card_count
from dashboards.replayer.replay import rules_in_force
from processors.core.state import Table


def felt_now(
    table: Table,
    *,
    cleared: bool = False,
    readings: Mapping[str, str] | None = None,
    faults: Sequence[str] = (),
) -> Felt:
    """The felt of a table whose state is at hand; `faults` as in a replay. The state is only read."""
    faces = Faces(cleared)
    phase: Phase = "Bets"
    for entry in table.round.log if table.round is not None else ():
        faces.note(entry.sequence, entry.data)
        phase = phase_after(phase, entry.data)
    words = "open" if table.open else "closed"
    return Picture(faces, rules_in_force(table, readings)).felt(
        table,
        table.round,
        phase=phase if table.round is not None else words,
        caption="" if table.round is not None else f"Between rounds; the last was round {table.last_round}.",
        faults=faults,
        count=card_count(table),
    )
