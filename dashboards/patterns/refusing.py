"""What is shown instead of patterns while the store does not answer."""

from __future__ import annotations

import logging

from litestar import Response

from dashboards.web.console import Console, UserRequest
from dashboards.web.rendering import page

TITLE = "Patterns"
_log = logging.getLogger("catwalk.console")


def store_away(request: UserRequest, console: Console, error: Exception) -> Response[str]:
    """The page that says that the store does not answer, and what goes on all the same."""
    _log.warning("patterns cannot be read: %s", error)
    why = "The store of findings does not answer. Suspicions that page are at the desk all the same."
    remedy = "Load the page again; the health page says which part is down."
    return page(request, console, "web/refused.html", 503, title=TITLE, why=why, remedy=remedy)
