"""The handlers of all rooms, in one list."""

from __future__ import annotations

from typing import Any

from dashboards.alerts import api as alerts_api
from dashboards.alerts import page as alerts_page
from dashboards.disputes import api as disputes_api
from dashboards.disputes import page as disputes_page
from dashboards.disputes import pdf
from dashboards.hands import api as hands_api
from dashboards.hands import page as hands_page
from dashboards.health import api as status_api
from dashboards.health import page as status_page
from dashboards.log import api as log_api
from dashboards.log import page as log_page
from dashboards.patterns import page as patterns_page
from dashboards.revenue import api as revenue_api
from dashboards.revenue import behind_page as revenue_behind
from dashboards.revenue import page as revenue_page
from dashboards.server import find
from dashboards.sign_in import account_page, admin, break_glass, provider_sign_in, second_step
from dashboards.sign_in import page as sign_in
from dashboards.tables import api as tables_api
from dashboards.tables import page as tables_page
from dashboards.web import static_files

_MODULES = (
    sign_in, second_step, provider_sign_in, account_page, admin, static_files, alerts_page, alerts_api,
    hands_page, hands_api, patterns_page, find, break_glass, disputes_page, disputes_api, pdf, log_page,
    log_api, status_page, status_api, tables_page, tables_api, revenue_page, revenue_api, revenue_behind,
)  # fmt: skip
HANDLERS: tuple[Any, ...] = tuple(handler for module in _MODULES for handler in module.HANDLERS)
