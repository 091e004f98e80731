"""The saved searches and columns of all people, as the desk's records leave them."""

from __future__ import annotations

from dataclasses import dataclass, field

from dashboards.ledger.personal_acts import (
    ColumnsChosen,
    ListName,
    PersonalAct,
    SearchDeleted,
    SearchSaved,
    StartChosen,
)

MOST_SEARCHES = 40  # of one person


@dataclass(slots=True)
class Kept:
    """By who keeps it and the list: searches by name, in the order in which they were saved, and columns.

    `starts` has the name of the search with which a list opens.
    """

    searches: dict[tuple[str, ListName], dict[str, str]] = field(default_factory=dict)
    columns: dict[tuple[str, ListName], tuple[str, ...]] = field(default_factory=dict)
    starts: dict[tuple[str, ListName], str] = field(default_factory=dict)

    def why_not(self, act: PersonalAct, actor: str) -> str | None:
        """Why this cannot be kept for them; None if it can."""
        mine = self.searches.get((actor, act.of), {})
        if (
            isinstance(act, SearchDeleted | StartChosen)
            and act.name not in mine
            and act != StartChosen(of=act.of)
        ):
            return f"no search {act.name} is saved"
        if isinstance(act, SearchSaved) and act.name not in mine:
            all_ = sum(len(names) for (who, _), names in self.searches.items() if who == actor)
            if all_ >= MOST_SEARCHES:
                return f"{MOST_SEARCHES} searches are saved already: delete one first"
        return None

    def take(self, act: PersonalAct, actor: str) -> None:
        """Keep what `why_not` has nothing against."""
        place = actor, act.of
        match act:
            case SearchSaved():
                mine = {name: one for name, one in self.searches.get(place, {}).items() if name != act.name}
                self.searches[place] = mine | {act.name: act.query}
            case SearchDeleted():
                mine = self.searches[place]
                self.searches[place] = {name: one for name, one in mine.items() if name != act.name}
                if self.starts.get(place) == act.name:
                    del self.starts[place]
            case StartChosen(name=""):
                self.starts.pop(place, None)
            case StartChosen():
                self.starts[place] = act.name
            case ColumnsChosen(columns=()):
                self.columns.pop(place, None)
            case ColumnsChosen():
                self.columns[place] = act.columns
