"""The discard rack alone: every lawful history it can have (7(s) of 590, 672a and 685a)."""

from processors.rack.answer import Deviation, RackAnswer, Reconstruction, encode_answer
from processors.rack.problem import ProblemError, RackProblem, RackTable, check_problem, decode_problem
from processors.rack.solver import LIMIT, never, solve

__all__ = [
    "LIMIT",
    "Deviation",
    "ProblemError",
    "RackAnswer",
    "RackProblem",
    "RackTable",
    "Reconstruction",
    "check_problem",
    "decode_problem",
    "encode_answer",
    "never",
    "solve",
]
