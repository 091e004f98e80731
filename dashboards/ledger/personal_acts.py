"""What a person keeps for their own lists: searches by name, the one that opens a list, and columns in their order."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

ListName = Literal["alerts", "hands", "log"]
LISTS: Final[tuple[ListName, ...]] = get_args(ListName)
SearchName = Annotated[str, Meta(min_length=1, max_length=60)]
Column = Annotated[str, Meta(min_length=1, max_length=40)]


# The same tag field as all acts of the desk: one union reads them.
class _Act(Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    of: ListName


class SearchSaved(_Act, frozen=True, kw_only=True, tag="search_saved"):
    """From now on this search of a list stands under this name for who acts, in place of one that was called so."""

    name: SearchName
    query: Annotated[str, Meta(max_length=1000)]


class SearchDeleted(_Act, frozen=True, kw_only=True, tag="search_deleted"):
    """The search of this name stands there no more."""

    name: SearchName


class ColumnsChosen(_Act, frozen=True, kw_only=True, tag="columns_chosen"):
    """The columns that a list shows to who acts, in their order; none is all of them, as they come."""

    columns: Annotated[tuple[Column, ...], Meta(max_length=20)] = ()


class StartChosen(_Act, frozen=True, kw_only=True, tag="start_chosen"):
    """A list opens with the saved search of this name for who acts; with no name it opens as it comes."""

    name: Annotated[str, Meta(max_length=60)] = ""


PersonalAct = SearchSaved | SearchDeleted | ColumnsChosen | StartChosen
