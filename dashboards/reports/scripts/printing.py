"""The text that a report may print: each character shown or told by its code, and each name in its own direction."""

from __future__ import annotations

import re
import unicodedata

from dashboards.reports.scripts.glyphs import has_glyphs

# What Typst's own two fonts have, Libertinus Serif and DejaVu Sans Mono; a test prints every character.
_OWN = re.compile(
    "[\n -~\u00a0-\u00ac\u00ae-\u02af\u0300-\u034e\u0350-\u036f\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c"
    "\u038e-\u03a1\u03a3-\u0484\u0487-\u04ff\u1e00-\u1eff\u2010-\u2027\u2030-\u2040\u20a0-\u20bf\u2116\u2122"
    "\u2190-\u2193\u2212\u2260\u2264\u2265\u25a0\u25a1\u25b2\u25c6\u25cb\u2660\u2663\u2665\u2666\u2713\u2715\ufffd]+"
)
# Letters and marks that show nothing (Default_Ignorable_Code_Point, Unicode 17): a name could hide in them.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
_JOINERS = "\u200c\u200d"  # part the letters of a Persian or Hindi name; anywhere else they would hide
_JOINED = re.compile("[\u0620-\u06ff\u0750-\u077f\u0900-\u0dff]")
_WIDE_SPACE = "\u3000"  # stands between the two names of a Japanese person
_LEFTWARD = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
# A stretch within other words: no digit and no comma joins two names, or the amount of one would stand at the other.
_STRETCH = re.compile(f"[{_LEFTWARD}](?:[ '\".’“”–-]*[{_LEFTWARD}])*")
_ISOLATE, _END = "\u2067", "\u2069"  # right-to-left isolate, pop directional isolate (Unicode annex 9)


def printed(text: str, of_one_person: bool = False) -> str:
    """The text with each character that the fonts lack as its code: nothing is left out, nothing is a blank.

    Controls and marks that turn the direction of writing are told by code too: evidence reads as it was written.
    A name written from right to left is set apart, so that no number beside it moves to its other end; what one
    person wrote (`of_one_person`) is set as a whole by its first letter.
    """
    composed = unicodedata.normalize("NFC", text)
    if _OWN.fullmatch(composed):
        return composed
    shown = "".join(_cluster(one) for one in _clusters(composed))
    return "\n".join(_directed(line, of_one_person) for line in shown.split("\n"))


def _clusters(text: str) -> list[str]:
    """Each letter with the marks and joiners that belong to it."""
    found: list[str] = []
    for at, one in enumerate(text):
        if one in _JOINERS:
            follows = bool(found) and _joins(text[at - 1]) and _joins(text[at + 1 : at + 2])
        else:
            follows = bool(found) and unicodedata.category(one)[0] == "M" and not found[-1][-1].isspace()
        if follows:
            found[-1] += one
        else:
            found.append(one)
    return found


def _joins(one: str) -> bool:
    return bool(_JOINED.fullmatch(one))


def _cluster(cluster: str) -> str:
    if _OWN.fullmatch(cluster) or (_is_shown(cluster) and has_glyphs(cluster)):
        return cluster
    if len(cluster) == 1:
        return _coded(cluster)
    return _cluster(cluster[0]) + "".join(map(_coded, cluster[1:]))


def _is_shown(cluster: str) -> bool:
    if cluster == _WIDE_SPACE:
        return True
    if unicodedata.category(cluster[0])[0] not in "LNPS" or _BLANK.search(cluster):
        return False
    return all(unicodedata.category(one)[0] == "M" or one in _JOINERS for one in cluster[1:])


def _coded(one: str) -> str:
    return f"[U+{ord(one):04X}]"


def _directed(line: str, of_one_person: bool) -> str:
    turns = [unicodedata.bidirectional(one) for one in line]
    strong = [turn for turn in turns if turn in ("L", "R", "AL")]
    if not strong or set(strong) == {"L"}:
        return line
    if "L" not in strong or (of_one_person and strong[0] != "L"):
        return f"{_ISOLATE}{line}{_END}"
    return _STRETCH.sub(lambda found: f"{_ISOLATE}{found[0]}{_END}", line)
