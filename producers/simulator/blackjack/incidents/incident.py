"""The base of all incidents: an ordinary course of rounds that knows the table it befalls."""

from __future__ import annotations

from producers.simulator.blackjack.course import Course
from producers.simulator.blackjack.felt import Felt


class Incident(Course):
    """Changes nothing; subclasses override the points of the round that they need.

    `table` is the felt that the incident befalls.
    """

    table: Felt
