"""Circles in a graph of names: which of them reach one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def strongly_connected(edges: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """Tarjan's algorithm (SIAM J. Comput. 1, 1972), without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []
    for root in list(edges):
        work = [(root, iter(edges[root]))] if root not in index else []
        while work:
            node, rest = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
            step = next((other for other in rest if other not in index or other in stack), None)
            if step is not None:
                if step not in index:
                    work.append((step, iter(edges.get(step, ()))))
                else:
                    low[node] = min(low[node], index[step])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                place = stack.index(node)
                found.append(set(stack[place:]))
                del stack[place:]
    return found


def circles(edges: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Names that reach one another, each circle sorted."""
    return sorted(sorted(found) for found in strongly_connected(edges) if len(found) > 1)
