"""SVG elements as text, safe by construction: escaped, only known elements, nothing a strict page policy refuses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

FONT = "DejaVu Sans Mono, monospace"
CHAR_WIDTH = 0.602  # of the font size: every character of DejaVu Sans Mono
ELEMENTS = frozenset({
    "svg", "g", "defs", "symbol", "use", "rect", "path", "circle", "ellipse", "line", "text", "title", "desc"
})  # fmt: skip
Value: TypeAlias = str | int | float | None

# What DejaVu Sans Mono can show and XML may hold; anything else would be a blank, or no document at all.
_STRANGE = re.compile(
    r"[^\u0020-\u007e\u00a0-\u01f9\u01fc-\u024f\u0370-\u0373\u0386-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f\u2013\u2014\u2018-\u201d…→−×½✓✕◆▲□○]"
)
_NAME = re.compile(r"[a-z][a-zA-Z0-9_]*")
_PLAIN = re.compile(r"[A-Za-z0-9 .,#()/:_%+-]*")


class Markup(str):
    """Text that is SVG already and is not escaped again."""

    __slots__ = ()


def printable(text: str) -> str:
    """The text with a replacement character for each that the font or XML does not have."""
    return _STRANGE.sub("\N{REPLACEMENT CHARACTER}", text)


def escape(text: str) -> str:
    """The text as content of an element or a quoted attribute."""
    if _PLAIN.fullmatch(text):
        return text
    text = printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#39;")


@lru_cache(maxsize=256)
def _attribute(name: str) -> str:
    """The name as SVG writes it: `stroke_width` is `stroke-width`, `class_` is `class`.

    Raises:
        ValueError: an attribute that a page without inline styles and scripts refuses.
    """
    if name.startswith("on") or name == "style" or not _NAME.fullmatch(name):
        raise ValueError(f"no attribute {name!r}: presentation attributes and classes only")
    return name.rstrip("_").replace("_", "-")


def _number(value: float) -> str:
    shown = f"{value:.1f}"
    return shown[:-2] if shown.endswith(".0") else shown


def element(name: str, *content: str, **attributes: Value) -> Markup:
    """One element; plain strings are escaped, None leaves an attribute out.

    Raises:
        ValueError: an element or attribute that no drawing here may have, or a link out of the document.
    """
    if name not in ELEMENTS:
        raise ValueError(f"no element {name!r} in a drawing")
    written = []
    for key, value in attributes.items():
        if value is None:
            continue
        if key == "href" and not str(value).startswith("#"):
            raise ValueError(f"a drawing refers to itself alone, not to {value!r}")
        shown = _number(value) if isinstance(value, int | float) else escape(value)
        written.append(f' {_attribute(key)}="{shown}"')
    inner = "".join(part if isinstance(part, Markup) else escape(part) for part in content)
    if not inner:
        return Markup(f"<{name}{''.join(written)}/>")
    return Markup(f"<{name}{''.join(written)}>{inner}</{name}>")


def rect(x: float, y: float, width: float, height: float, **attributes: Value) -> Markup:
    """A rectangle with its upper left corner at (x, y)."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def group(parts: Iterable[Markup], **attributes: Value) -> Markup:
    """Elements that share attributes; nothing if there are none."""
    inner = Markup("".join(parts))
    return element("g", inner, **attributes) if inner else Markup("")


def cut(text: str, width: float, size: float) -> str:
    """The text as far as it fits, with an ellipsis where something is left out."""
    most = max(int(width / (CHAR_WIDTH * size) + 0.01), 1)
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def folded(text: str, width: float, size: float, most: int) -> tuple[str, ...]:
    """The text in at most so many lines that fit, broken between words; what does not fit is cut."""
    lines: list[str] = []
    for word in filter(None, text.split(" ")):
        if lines and cut(f"{lines[-1]} {word}", width, size) == f"{lines[-1]} {word}":
            lines[-1] += f" {word}"
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] += f" {word}"
    return tuple(cut(line.removeprefix("· ").removesuffix(" ·"), width, size) for line in lines)


def label(
    x: float,
    y: float,
    text: str,
    size: float,
    fill: str,
    *,
    width: float | None = None,
    bold: bool = False,
    anchor: str | None = None,
) -> Markup:
    """One line of text at its base line; cut, not made smaller, where it would be wider than `width`."""
    if width is not None:
        text = cut(text, width, size)
    return element(
        "text", text, x=x, y=y, font_size=size, fill=fill,
        font_weight="bold" if bold else None, text_anchor=anchor,
    )  # fmt: skip


def document(
    parts: Iterable[Markup],
    width: float,
    height: float,
    title: str,
    description: str,
    corner: tuple[float, float] = (0, 0),
    wide: float | None = None,
) -> Markup:
    """A whole drawing with its name and description for those who do not see it.

    `corner` is its upper left one, `wide` the px it takes where nothing else says how large it is shown.
    """
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(map(_number, (*corner, width, height))),
        width=wide,
        height=None if wide is None else wide * height / width,
        role="img",
        font_family=FONT,
    )
