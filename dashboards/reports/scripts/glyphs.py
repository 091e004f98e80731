"""The characters that the fonts of the reports hold, read from the font files themselves: no list can be stale."""

from __future__ import annotations

import struct
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

# Typst has Libertinus Serif and DejaVu Sans Mono of its own, which are no files: what the two hold is written in
# `scripts/wording.py`. These are asked after the two, in this order; a report names them in `common.typ`.
PACKAGES: Final = ("manimgx_fonts", "noto_cjk_sans_jp_regular")
_UPRIGHT = ("NotoSans*[[]wght].ttf", "NotoSansCJKjp-Regular.otf")
_PASSED_OVER = ("Italic",)
_UNICODE = (
    (3, 10),
    (0, 6),
    (0, 4),
    (3, 1),
    (0, 3),
)  # platform and encoding of a table of Unicode, the fullest first


@lru_cache(maxsize=1)
def font_folders() -> tuple[Path, ...]:
    """The folders of the packages that bring the fonts.

    Raises:
        ModuleNotFoundError: such a package is not installed; `make install` brings it.
    """
    folders = []
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise ModuleNotFoundError(f"no fonts: the package {name} is not installed; run make install")
        folders.append(Path(spec.submodule_search_locations[0]))
    return tuple(folders)


@lru_cache(maxsize=1)
def font_characters() -> tuple[frozenset[int], ...]:
    """For each upright font file, the code points it has a glyph for."""
    found = (path for folder in font_folders() for shape in _UPRIGHT for path in sorted(folder.glob(shape)))
    return tuple(characters_of(path) for path in found if not any(word in path.name for word in _PASSED_OVER))


def has_glyphs(cluster: str) -> bool:
    """Whether one font file holds every character of the cluster: a mark must come from the font of its letter."""
    codes = [ord(one) for one in cluster]
    return any(all(code in held for code in codes) for held in font_characters())


def characters_of(path: Path) -> frozenset[int]:
    """The code points of a TrueType or OpenType file with a glyph, by its table `cmap` (OpenType 1.9.1, cmap).

    Raises:
        ValueError: the file has no table of Unicode in a form that is read here (4 or 12).
    """
    with path.open("rb") as file:
        count = struct.unpack(">4xH6x", file.read(12))[0]
        rows = [struct.unpack(">4s4xLL", file.read(16)) for _ in range(count)]
        place, length = next((start, size) for tag, start, size in rows if tag == b"cmap")
        file.seek(place)
        table = file.read(length)
    count = struct.unpack_from(">2xH", table)[0]
    offsets = {
        (platform, encoding): offset
        for platform, encoding, offset in struct.iter_unpack(">HHL", table[4 : 4 + 8 * count])
    }
    for wanted in _UNICODE:
        if wanted in offsets:
            part = table[offsets[wanted] :]
            shape = struct.unpack_from(">H", part)[0]
            if shape in (4, 12):
                return frozenset(_segments(part) if shape == 4 else _groups(part))
    raise ValueError(f"{path.name}: no table of Unicode in form 4 or 12")


def _groups(part: bytes) -> list[int]:
    count = struct.unpack_from(">L", part, 12)[0]
    groups = struct.iter_unpack(">LLL", part[16 : 16 + 12 * count])
    return [code for first, last, glyph in groups for code in range(first + (glyph == 0), last + 1)]


def _segments(part: bytes) -> list[int]:
    double = struct.unpack_from(">H", part, 6)[0]
    half = double // 2
    ends, starts, deltas, ranges = (
        struct.unpack_from(f">{half}H", part, place)
        for place in (14, 16 + double, 16 + 2 * double, 16 + 3 * double)
    )
    found = []
    for at in range(half):
        for code in range(starts[at], min(ends[at], 0xFFFE) + 1):
            glyph = code
            if ranges[at]:
                place = 16 + 3 * double + 2 * at + ranges[at] + 2 * (code - starts[at])
                glyph = struct.unpack_from(">H", part, place)[0]
                if not glyph:
                    continue
            if (glyph + deltas[at]) % 0x10000:
                found.append(code)
    return found
