"""How a debt stands in words: owed by the record, settled, still to be paid, ruled out, paid beyond it."""

from __future__ import annotations

from msgspec import Struct

from dashboards.wording.money import figures


class Standing(Struct, frozen=True, kw_only=True):
    """A debt of some stakes behind all that was decided: cents, + to the patron, - what was paid too much.

    `owed` is what the record says (None: it does not). `here` is what the decision of one dispute settled, `elsewhere`
    what other disputes and closed alerts did. `ruled_out` is not to be paid, by the decisions `ruled_out_by`. `beyond`
    was paid though nothing was owed any more, `beyond_here` of it by the decision. `untold` of the decision is for
    stakes of several people, and nobody said for whose: it settles none of them.
    """

    owed: int | None
    here: int = 0
    elsewhere: int = 0
    ruled_out: int = 0
    ruled_out_by: tuple[str, ...] = ()
    beyond: int = 0
    beyond_here: int = 0
    untold: int = 0

    @property
    def settled(self) -> int:
        """What was settled of it."""
        return self.here + self.elsewhere

    @property
    def to_pay(self) -> int | None:
        """What is still to be paid of it; None where the record does not say what is owed."""
        return None if self.owed is None else self.owed - self.settled - self.ruled_out

    @property
    def sentence(self) -> str:
        """The record's answer, and what became of it."""
        return f"{self.record}{self._rest}."

    @property
    def record(self) -> str:
        """What the record says by itself, whatever was decided since; without a full stop."""
        if self.owed is None:
            return "The record does not show all that decides what was due"
        if not self.owed:
            return "By the record every stake was settled as due; nothing is owed"
        if self.owed > 0:
            return f"{_money(self.owed)} is owed to the patron by the record"
        return f"By the record the patron was paid {_money(self.owed)} more than was due"

    @property
    def _rest(self) -> str:
        parts, back = [], (self.owed or 0) < 0
        left = self.to_pay
        if self.settled:
            parts.append(f"{_money(self.settled)} is settled")
        if self.ruled_out:
            by = (
                f" by the ruling of {' and '.join(self.ruled_out_by)}"
                if self.ruled_out_by
                else " by a ruling"
            )
            parts.append(f"{_money(self.ruled_out)} is not to be {'asked for' if back else 'paid'}{by}")
        if left:
            parts.append(f"{_money(left)} is still to {'come back' if back else 'be paid'}")
        elif self.owed and not self.ruled_out:
            parts.append("nothing is still to be paid")
        if self.beyond:
            parts.append(
                f"{_money(self.beyond)} was {'paid' if self.beyond > 0 else 'paid back'} beyond the debt"
            )
        if self.untold:
            parts.append(f"nobody said for whose stakes the {_money(self.untold)} of the decision is")
        return "".join(f"; {part}" for part in parts)


def _money(cents: int) -> str:
    return figures(cents, "$")
