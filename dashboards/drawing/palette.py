"""Colours by role, for a dark room and for paper; no colour says anything that shape or word does not say too."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme. All values `#rrggbb`; `on_felt` and `quiet` are text on the felt, `ink` text on a filled tag."""

    name: str
    ground: str
    panel: str
    felt: str
    rail: str
    edge: str
    on_felt: str
    quiet: str
    text: str
    on_rail: str
    card: str
    card_edge: str
    card_red: str
    card_black: str
    back: str
    back_mark: str
    chip: str
    chip_text: str
    lammer: str
    lammer_text: str
    wrong: str
    ink: str
    agrees: str
    ring: str


DARK = Palette(
    name="dark",
    ground="#0d1218",
    panel="#151c24",
    felt="#0f332c",
    rail="#5b3f25",
    edge="#6b8f83",
    on_felt="#e3e9ee",
    quiet="#a3b5b0",
    text="#d7dee6",
    on_rail="#f4f1ea",
    card="#f4f1ea",
    card_edge="#5c6670",
    card_red="#b3122e",
    card_black="#12171d",
    back="#2f4a73",
    back_mark="#b9cbe6",
    chip="#1c2733",
    chip_text="#d7dee6",
    lammer="#f2efc2",
    lammer_text="#12171d",
    wrong="#fe4d6c",
    ink="#12171d",
    agrees="#58c9b0",
    ring="#f2f6fa",
)

LIGHT = Palette(
    name="light",
    ground="#ffffff",
    panel="#f4f5f6",
    felt="#e9f1ed",
    rail="#8a6a48",
    edge="#5d7a70",
    on_felt="#16211d",
    quiet="#475a53",
    text="#1b2228",
    on_rail="#ffffff",
    card="#ffffff",
    card_edge="#4a545d",
    card_red="#a50f28",
    card_black="#101418",
    back="#c9d5e6",
    back_mark="#34507d",
    chip="#ffffff",
    chip_text="#1b2228",
    lammer="#f7eeb0",
    lammer_text="#12171d",
    wrong="#b00a2c",
    ink="#ffffff",
    agrees="#0b6b55",
    ring="#0b1420",
)

CONTRAST = Palette(
    name="contrast",
    ground="#000000",
    panel="#000000",
    felt="#00231c",
    rail="#3d2a18",
    edge="#a9c7bd",
    on_felt="#ffffff",
    quiet="#dfe7ee",
    text="#ffffff",
    on_rail="#ffffff",
    card="#ffffff",
    card_edge="#000000",
    card_red="#a00020",
    card_black="#000000",
    back="#16345f",
    back_mark="#ffffff",
    chip="#000000",
    chip_text="#ffffff",
    lammer="#fffbd0",
    lammer_text="#000000",
    wrong="#ff7d92",
    ink="#000000",
    agrees="#7df0d7",
    ring="#ffea00",
)

# Text on its ground, and marks on theirs: what must stay readable in either theme.
TEXT_PAIRS = (
    ("on_felt", "felt"), ("quiet", "felt"), ("text", "panel"), ("text", "ground"), ("on_rail", "rail"),
    ("card_red", "card"), ("card_black", "card"), ("chip_text", "chip"), ("lammer_text", "lammer"),
    ("ink", "wrong"), ("back_mark", "back"), ("agrees", "felt"), ("wrong", "ground"), ("agrees", "panel"),
    ("wrong", "panel"), ("quiet", "panel"),
)  # fmt: skip
MARK_PAIRS = (("ring", "felt"), ("edge", "felt"), ("card_edge", "card"))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours by WCAG 2.1, from 1 to 21."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
