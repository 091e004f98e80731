"""The handlers of all sections, each in a module of its own."""

from __future__ import annotations

from typing import Any

from dashboards.server import (
    account_page,
    admin,
    alerts_api,
    alerts_page,
    break_glass,
    disputes_api,
    disputes_page,
    find,
    hands_api,
    hands_page,
    log_api,
    log_page,
    pdf,
    provider_sign_in,
    revenue_api,
    revenue_behind,
    revenue_page,
    second_step,
    sign_in,
    static_files,
    status_api,
    status_page,
    tables_api,
    tables_page,
)

HANDLERS: tuple[Any, ...] = (
    *sign_in.HANDLERS,
    *second_step.HANDLERS,
    *provider_sign_in.HANDLERS,
    *account_page.HANDLERS,
    *admin.HANDLERS,
    *static_files.HANDLERS,
    *alerts_page.HANDLERS,
    *alerts_api.HANDLERS,
    *hands_page.HANDLERS,
    *hands_api.HANDLERS,
    *find.HANDLERS,
    *break_glass.HANDLERS,
    *disputes_page.HANDLERS,
    *disputes_api.HANDLERS,
    *pdf.HANDLERS,
    *log_page.HANDLERS,
    *log_api.HANDLERS,
    *status_page.HANDLERS,
    *status_api.HANDLERS,
    *tables_page.HANDLERS,
    *tables_api.HANDLERS,
    *revenue_page.HANDLERS,
    *revenue_api.HANDLERS,
    *revenue_behind.HANDLERS,
)
