"""One look is one record: a page that renews itself is not recorded at each renewal."""

from __future__ import annotations

import datetime as dt
import logging
import threading
from weakref import WeakKeyDictionary

from dashboards.accounts.accounts import User
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import What
from dashboards.ledger.ledger import DeskAltered
from dashboards.web.console import Console

WITHIN = dt.timedelta(minutes=5)
_MOST = 20_000  # looks remembered; who is forgotten is kept once more

_Look = tuple[str, str, str, str]  # user, sign-in, what, about
_guard = threading.Lock()
_log = logging.getLogger("catwalk.console")
_noted: WeakKeyDictionary[Desk, dict[_Look, dt.datetime]] = WeakKeyDictionary()


def note_look(console: Console, user: User, what: What, about: str, within: dt.timedelta = WITHIN) -> None:
    """Keep that this sign-in looks at something, once within so long, for as long as it is looked at.

    The first look is always kept, whatever the request says of itself.

    Raises:
        DeskUnavailable: it could not be kept, and nothing may be shown.
    """
    look = (user.name, user.csrf, what, about)  # the CSRF token is one sign-in's own
    now = console.clock()
    with _guard:
        kept = _noted.setdefault(console.desk, {})
        last = kept.get(look)
    if last is not None and last <= now < last + within:
        return
    # Outside the guard: two first requests at once are kept twice, which is better than one that waits.
    console.note(user.name, what, about)
    with _guard:
        kept.pop(look, None)  # so that the dictionary stays in the order of time
        kept[look] = now
        while len(kept) > _MOST:
            del kept[next(iter(kept))]


def note_look_at_health(console: Console, user: User) -> None:
    """Keep that this sign-in looks at the health page; where the desk's ledger was altered, in the server's log alone.

    It is the page that says why nothing can be kept, and shows no record.

    Raises:
        DeskUnavailable: it could not be kept for another reason, and nothing may be shown.
    """
    try:
        note_look(console, user, "page", "health")
    except DeskAltered:
        told = "%s looks at the health page; the desk's ledger was altered and keeps nothing"
        _log.warning(told, user.name)
