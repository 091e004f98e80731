"""The handlers of all rooms, in one list."""

from __future__ import annotations

from typing import Any

from dashboards.alerts import api as alerts_api
from dashboards.alerts import page as alerts_page
from dashboards.cases import api as cases_api
from dashboards.cases import attachments
from dashboards.cases import page as cases_page
from dashboards.disputes import api as disputes_api
from dashboards.disputes import page as disputes_page
from dashboards.disputes import pdf
from dashboards.hands import api as hands_api
from dashboards.hands import page as hands_page
from dashboards.hands import panel as hands_panel
from dashboards.health import api as status_api
from dashboards.health import page as status_page
from dashboards.log import api as log_api
from dashboards.log import page as log_page
from dashboards.monthly import page as month_page
from dashboards.patterns import budget_page, calibration_page
from dashboards.patterns import page as patterns_page
from dashboards.patterns import pdf as patterns_pdf
from dashboards.people import page as people_page
from dashboards.personal import page as personal_page
from dashboards.restitution import owed_page as revenue_owed
from dashboards.restitution import readings_page as revenue_readings
from dashboards.revenue.pages import api as revenue_api
from dashboards.revenue.pages import behind_page as revenue_behind
from dashboards.revenue.pages import page as revenue_page
from dashboards.revenue.pages import sealed_page
from dashboards.server import find
from dashboards.server.answers import with_answers
from dashboards.shelves import page as shelves_page
from dashboards.shelves import preview as shelves_preview
from dashboards.shift import api as shift_api
from dashboards.shift import page as shift_page
from dashboards.sign_in import account_page, admin, break_glass, choices, provider_sign_in, second_step
from dashboards.sign_in import page as sign_in
from dashboards.tables import api as tables_api
from dashboards.tables import page as tables_page
from dashboards.tuning import page as tuning_page
from dashboards.watching import page as watch_page
from dashboards.web import static_files

_MODULES = (
    sign_in, second_step, provider_sign_in, account_page, choices, admin, static_files, alerts_page, alerts_api,
    hands_page, hands_panel, hands_api, calibration_page, budget_page, patterns_page, patterns_pdf, find, break_glass,
    disputes_page, disputes_api, pdf, cases_page, cases_api, attachments, log_page, log_api, status_page, status_api,
    tables_page, tables_api, people_page, revenue_page, month_page, revenue_api, revenue_behind, revenue_owed,
    revenue_readings, sealed_page, watch_page, shift_page, shift_api, tuning_page, personal_page, shelves_page,
    shelves_preview,
)  # fmt: skip
HANDLERS: tuple[Any, ...] = with_answers(handler for module in _MODULES for handler in module.HANDLERS)
