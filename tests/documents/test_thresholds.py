"""The page of the witnesses tells each threshold of the devices with the value that the code has."""

import datetime as dt
import re

from processors.core.devices import thresholds
from tests.architecture.tracked import ROOT

ROW = re.compile(r"^\| `([A-Z_]+)` \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)


def _text(value: object) -> str:
    return f"{value.total_seconds():g} s" if isinstance(value, dt.timedelta) else str(value)


def test_the_page_has_every_threshold_with_its_value() -> None:
    page = (ROOT / "docs" / "witnesses.md").read_text(encoding="utf-8")
    own = {name: _text(value) for name, value in vars(thresholds).items() if name.isupper()}
    assert dict(ROW.findall(page)) == own
