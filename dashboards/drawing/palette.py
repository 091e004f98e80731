"""Colours by role, for a dark room and for paper; no colour says anything that shape or word does not say too."""

from __future__ import annotations

from msgspec import Struct


class Palette(Struct, frozen=True):
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
    disc: str
    disc_mark: str
    lammer: str
    lammer_text: str
    wrong: str
    ink: str
    agrees: str
    ring: str


_COLOURS = {  # role: in the dark theme, on paper, in high contrast
    "ground": ("#0d1218", "#ffffff", "#000000"),
    "panel": ("#151c24", "#f4f5f6", "#000000"),
    "felt": ("#0f332c", "#e9f1ed", "#00231c"),
    "rail": ("#5b3f25", "#8a6a48", "#3d2a18"),
    "edge": ("#6b8f83", "#5d7a70", "#a9c7bd"),
    "on_felt": ("#e3e9ee", "#16211d", "#ffffff"),
    "quiet": ("#a3b5b0", "#475a53", "#dfe7ee"),
    "text": ("#d7dee6", "#1b2228", "#ffffff"),
    "on_rail": ("#f4f1ea", "#ffffff", "#ffffff"),
    "card": ("#f4f1ea", "#ffffff", "#ffffff"),
    "card_edge": ("#5c6670", "#4a545d", "#000000"),
    "card_red": ("#b3122e", "#a50f28", "#a00020"),
    "card_black": ("#12171d", "#101418", "#000000"),
    "back": ("#2f4a73", "#c9d5e6", "#16345f"),
    "back_mark": ("#b9cbe6", "#34507d", "#ffffff"),
    "chip": ("#1c2733", "#ffffff", "#000000"),
    "chip_text": ("#d7dee6", "#1b2228", "#ffffff"),
    "disc": ("#a8323a", "#b5303a", "#8f1d26"),
    "disc_mark": ("#f4e9e4", "#ffffff", "#ffffff"),
    "lammer": ("#f2efc2", "#f7eeb0", "#fffbd0"),
    "lammer_text": ("#12171d", "#12171d", "#000000"),
    "wrong": ("#fe4d6c", "#b00a2c", "#ff7d92"),
    "ink": ("#12171d", "#ffffff", "#000000"),
    "agrees": ("#58c9b0", "#0b6b55", "#7df0d7"),
    "ring": ("#f2f6fa", "#0b1420", "#ffea00"),
}


def _palette(place: int, name: str) -> Palette:
    return Palette(name, **{role: colours[place] for role, colours in _COLOURS.items()})


DARK, LIGHT, CONTRAST = (_palette(place, name) for place, name in enumerate(("dark", "light", "contrast")))
