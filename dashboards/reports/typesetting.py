"""From a template and its content to a PDF for the archive: PDF/A-2a and PDF/UA-1, and always the same bytes."""

from __future__ import annotations

import datetime as dt
import threading
from pathlib import Path
from typing import Any, Final

import msgspec
import typst
from msgspec import Struct

from dashboards.reports.scripts.glyphs import font_folders
from dashboards.reports.scripts.printing import printed

STANDARDS: Final[list[typst.PDFStandard]] = ["a-2a", "ua-1"]
# A report is a fifth of a second of one core: many at once would leave none for the alerts of everybody else.
_one_at_a_time = threading.Lock()
_FOLDER = Path(__file__).resolve().parent
_DRAWINGS = frozenset({"svg"})  # printable already, and read by another reader
_WORDS_OF_ONE = frozenset({"claim", "reason"})  # what a patron or a member of staff wrote, as a whole


def typeset(template: str, content: Struct, at: dt.datetime) -> bytes:
    """The report as PDF; `at` is the time it bears, which is the record's and no clock's.

    Raises:
        typst.TypstError: the template is wrong, or a character has no glyph.
    """
    built = msgspec.to_builtins(content, builtin_types=())
    inputs = {"content": msgspec.json.encode(_printable(built)).decode()}
    with _one_at_a_time:
        return typst.compile(
            _FOLDER / template,
            root=_FOLDER,
            format="pdf",
            ignore_system_fonts=True,
            font_paths=list(font_folders()),
            sys_inputs=inputs,
            pdf_standards=STANDARDS,
            timestamp=at.astimezone(dt.UTC).replace(microsecond=0),
        )


def _printable(value: Any, name: str = "") -> Any:
    if isinstance(value, str):
        return value if name in _DRAWINGS else printed(value, name in _WORDS_OF_ONE)
    if isinstance(value, dict):
        return {key: _printable(inner, key) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_printable(inner, name) for inner in value]
    return value
