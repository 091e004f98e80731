"""The solver: every lawful reconstruction of a rack, or the nearest unlawful one."""

from processors.rack.answer import RackAnswer, Reconstruction, RuleDeviation, encode_answer
from processors.rack.problem import ProblemError, RackProblem, RackTable, check_problem, decode_problem
from processors.rack.solving.solver import LIMIT, never, solve

__all__ = [
    "LIMIT",
    "ProblemError",
    "RackAnswer",
    "RackProblem",
    "RackTable",
    "Reconstruction",
    "RuleDeviation",
    "check_problem",
    "decode_problem",
    "encode_answer",
    "never",
    "solve",
]
