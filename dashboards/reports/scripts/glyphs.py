"""The characters that the fonts of the reports hold, read from the font files themselves: no list can be stale."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from fontTools.ttLib import TTFont

# Typst has Libertinus Serif and DejaVu Sans Mono of its own, which are no files: what the two hold is written in
# `scripts/printing.py`. These are asked after the two, in this order; a report names them in `common.typ`.
PACKAGES: Final = ("manimgx_fonts", "noto_cjk_sans_jp_regular")
_UPRIGHT = ("NotoSans*[[]wght].ttf", "NotoSansCJKjp-Regular.otf")
_PASSED_OVER = ("Italic",)


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
    """The code points that a TrueType or OpenType file has a glyph for (OpenType 1.9.1, cmap)."""
    with TTFont(path, lazy=True) as font:
        return frozenset(font.getBestCmap() or ())
