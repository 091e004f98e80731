"""What each person chose for their own pages: a few values from fixed lists, the same at every workstation."""

from __future__ import annotations

from typing import Final

from dashboards.accounts.accounts_file import Kept

_SEVERITIES = ("off", "critical", "major", "minor", "info")
HALF_HOURS: Final = tuple(f"{hour:02d}:{minute}" for hour in range(24) for minute in ("00", "30"))
_MORNING = HALF_HOURS.index("06:00")
# Name of a choice -> the values it may have, the first of them where nobody chose.
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "queue_order": ("severity", "newest", "oldest", "money", "table", "dealer"),
    "queue_sound": _SEVERITIES,
    "queue_notices": _SEVERITIES,
    "quiet_from": ("off", *HALF_HOURS),
    "quiet_to": (*HALF_HOURS[_MORNING:], *HALF_HOURS[:_MORNING]),
    "quiet_critical": ("held", "heard"),
}


class Preferences(Kept):
    """Kept with the account, and gone with it."""

    def of(self, name: str) -> dict[str, str]:
        """All choices of a user, what was not chosen as it comes; a value of another release counts as none."""
        rows = self._file.rows("SELECT choice, value FROM preferences WHERE name = ?", (name,))
        chosen = {row["choice"]: row["value"] for row in rows}
        return {
            choice: chosen[choice] if chosen.get(choice) in values else values[0]
            for choice, values in CHOICES.items()
        }

    def choose(self, name: str, choice: str, value: str) -> None:
        """Keep a choice of a user.

        Raises:
            ValueError: there is no such choice, or it has no such value; the text names those there are.
        """
        if value not in CHOICES.get(choice, ()):
            there_are = ", ".join(CHOICES.get(choice, tuple(CHOICES)))
            raise ValueError(f"{choice[:40]} {value[:40]}: there are {there_are}")
        self._file.change(
            "INSERT INTO preferences VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            (name, choice, value),
        )
