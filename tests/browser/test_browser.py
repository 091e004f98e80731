"""The browser that the tests need: where it cannot be had, CI fails and says what to install."""

import os
import shutil

import pytest

from tests.browser.conftest import chromium


@pytest.mark.parametrize(("ci", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_a_missing_browser_fails_in_ci_and_nowhere_passes_for_a_success(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(outcome, match="apt-get install -y --no-install-recommends chromium-headless-shell"):
        chromium()
