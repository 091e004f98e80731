"""The numbers by which devices and their words are judged, each with its reason; the one table of them.

Numbers of the law are no thresholds: those stand in `schemas.rulesets` with their days.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

APART: Final = dt.timedelta(seconds=2)
"""The words that two devices say of one act stand in either order, at most so far apart (A67)."""
REPEATED_WITHIN: Final = dt.timedelta(seconds=2)
"""A device that says the same of one card or stake within this time has said one act twice (A71)."""
REPEATED_AT_ONCE: Final = dt.timedelta(seconds=0.5)
"""No dealer acts twice within this time; two cards that nobody could read are alike, and a stake may be paid twice."""
LATEST: Final = dt.timedelta(seconds=8)
"""A device's word comes at most so late: a word further from the words of others has a wrong clock (A67)."""

IN_A_ROW: Final = 3
"""Words of a device that are missing in a row and make the device silent: one lost word is no silence (A66)."""
WINDOW: Final = 100
"""The latest words due by a device among which its lost words are counted: `LIMIT` of them."""
LIMIT: Final = 3
"""Lost words that make a device unreliable. One that works loses fewer than one of a thousand: then three of a
hundred come by chance in less than one shift of a hundred."""
AFTER_SILENCE: Final = 3
"""Words in a row by which a device that was dead is well again."""
AFTER_RELAPSE: Final = 30
"""The same of a device that died again within `WINDOW` words."""
AFTER_LOSSES: Final = 200
"""The same of a device that loses words now and then: at one of a hundred lost, one run of eight is as long."""
BROKE_TOGETHER: Final = 2
"""Rounds within which the parts of the layout fall silent if the layout broke as a whole."""
WATCHED: Final = 10
"""Events after a word out of time in which other devices show whose clock is wrong."""
PARTNERS: Final = 2
"""Devices by whose time a clock must be off: of two devices alone nobody knows which one is."""

SEVERAL: Final = 2
"""Words missing in a row that put in doubt whether their device was dead. One word stands for itself (A69)."""
SEVERAL_OF_THE_CONSOLE: Final = 3
"""The same of the console: one missing word of the console may break two duties."""

PAUSE: Final = dt.timedelta(seconds=3)
"""A stretch without any word that may hide an absence of the recorder; players think as long."""
QUIET: Final = dt.timedelta(seconds=40)
"""A stretch of a round without any word that hides one: nobody thinks as long (A68)."""
MOST_PAUSES: Final = 200
"""Pauses of one round that are asked for what they hide, so that a round of any length costs no more."""
A_HOLE: Final = 2
"""Missing words, due in one pause, that make it a hole. A single word is no hole (A69)."""
ANOTHER_ROUND: Final = 3
"""Cards in the rack that differ from those dealt, so that they are of another round. Two may have been exchanged."""
OF_ONE_ACT: Final = 4
"""Events within which the other word of an act is said."""
AROUND: Final = 4
"""Events on each side of a pause that show which hands grew then."""
SHORTLY: Final = 8
"""Events after a pause within which a step is missed that was due in the pause."""

MOST_SUPPOSED: Final = 8
"""Words that are put back, one after another, to hear a round as it would read with them."""
FEW: Final = 4
"""Words of a device in a round, of which most may be late by chance."""
