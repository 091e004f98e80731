"""Who reads cases and who works on them; every look is kept before anything is shown."""

from __future__ import annotations

from dashboards.accounts.accounts import User
from dashboards.accounts.roles import ROLES
from dashboards.casebook.case import Case
from dashboards.desk.casework import case, is_hidden
from dashboards.desk.decisions import UnknownToDesk
from dashboards.ledger.acts import What
from dashboards.web.console import Console


def must_read_cases(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role reads cases."""
    console.require(console.role(user).reads_cases, user, "record", about, "reads no cases")


def must_work(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role works on cases."""
    console.require(console.role(user).cases, user, "action", about, "may not do that")


def found_case(console: Console, user: User, name: str, what: What, about: str) -> Case:
    """A case that is there for this user; that it is not is kept.

    Raises:
        PermissionDeniedException: the role reads none.
        Unknown: there is none of this id, or an alert, table or dealer in it is withheld from the user.
    """
    must_read_cases(console, user, about)
    found = case(console.desk, name)
    if found is None or is_hidden(console.desk, user.name, name):
        console.note(user.name, what, about, granted=False, reason="unknown or withheld")
        raise UnknownToDesk(f"no case {name[:64]}")
    return found


def case_of(console: Console, user: User, name: str) -> Case:
    """A case as this user may see it, kept as seen before it is shown; raises what `found_case` does."""
    about = f"case {name}"
    found = found_case(console, user, name, "record", about)
    console.note(user.name, "record", about)
    return found


def caseworkers(console: Console) -> tuple[str, ...]:
    """Users who work on cases, and so may own one or be given a task."""
    users = console.accounts.users()
    return tuple(name for name, role, off in users if not off and role in ROLES and ROLES[role].cases)
