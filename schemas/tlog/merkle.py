"""Merkle trees over records (RFC 6962, section 2.1): roots as records come, proofs, and what proofs show.

A leaf is the hash of a record's exact bytes. Every hash is SHA-256, 32 bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

_sha256 = hashlib.sha256
EMPTY_ROOT: Final = _sha256().digest()


def leaf_hash(record: bytes) -> bytes:
    """The hash of a record as a leaf."""
    return _sha256(b"\x00" + record).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node above two others."""
    return _sha256(b"\x01" + left + right).digest()


class Frontier:
    """A tree that grows: its size and the hashes of its whole subtrees, largest first, which is all a root needs."""

    __slots__ = ("hashes", "size")

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        """Begin with nothing, or go on from the size and hashes that another frontier had.

        Raises:
            ValueError: there are not as many hashes as a tree of this size has whole subtrees.
        """
        self.size = size
        self.hashes = list(hashes)
        if len(self.hashes) != size.bit_count():
            raise ValueError(f"{len(self.hashes)} hashes for a tree of {size}, which has {size.bit_count()}")

    def append(self, leaf: bytes) -> None:
        """Add the hash of the next record as a leaf."""
        hashes, size = self.hashes, self.size
        while size & 1:
            leaf = _sha256(b"\x01" + hashes.pop() + leaf).digest()  # as `node_hash`, without the call
            size >>= 1
        hashes.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """The root of the tree as it is now."""
        if not self.hashes:
            return EMPTY_ROOT
        *left, root = self.hashes
        for one in reversed(left):
            root = node_hash(one, root)
        return root

    def copy(self) -> Frontier:
        """The same tree, to grow on its own."""
        return Frontier(self.size, self.hashes)


class Span(NamedTuple):
    """The leaves of a subtree: from `begin` to before `end`, counted from 0."""

    begin: int
    end: int


def _split(size: int) -> int:
    """The largest power of two below a size of two or more."""
    return 1 << (size - 1).bit_length() - 1


def inclusion_spans(index: int, size: int) -> list[Span]:
    """The subtrees whose hashes prove leaf `index`, from 0, to be in a tree of `size` leaves, the nearest first.

    Raises:
        ValueError: there is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"no leaf {index} in a tree of {size}")
    spans = []
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if index < middle:
            spans.append(Span(middle, end))
            end = middle
        else:
            spans.append(Span(begin, middle))
            begin = middle
    return spans[::-1]


def consistency_spans(old: int, new: int) -> list[Span]:
    """The subtrees whose hashes prove that a tree of `old` leaves is the beginning of one of `new`.

    Raises:
        ValueError: the older tree is empty or the larger one.
    """
    if not 0 < old <= new:
        raise ValueError(f"a tree of {old} is not held against one of {new}")
    spans = []
    begin, end, whole = 0, new, True
    while end - begin and old != end:
        middle = begin + _split(end - begin)
        if old <= middle:
            spans.append(Span(middle, end))
            end = middle
        else:
            spans.append(Span(begin, middle))
            begin, whole = middle, False
    if not whole:
        spans.append(Span(begin, end))
    return spans[::-1]


class SpanHashes:
    """Hashes of subtrees, found while all leaves of a tree go by once, in order."""

    def __init__(self, spans: Iterable[Span]) -> None:
        """Look out for these subtrees."""
        self._waiting = sorted(set(spans), reverse=True)
        self._open: list[tuple[Span, Frontier]] = []
        self._found: dict[Span, bytes] = {}
        self._taken = 0

    def take(self, leaf: bytes) -> None:
        """Take the hash of the next record as a leaf."""
        while self._waiting and self._waiting[-1].begin == self._taken:
            self._open.append((self._waiting.pop(), Frontier()))
        self._taken += 1
        ended = False
        for span, frontier in self._open:
            frontier.append(leaf)
            if span.end == self._taken:
                self._found[span] = frontier.root()
                ended = True
        if ended:
            self._open = [one for one in self._open if one[0].end > self._taken]

    def of(self, spans: Iterable[Span]) -> list[bytes]:
        """The hashes of these subtrees.

        Raises:
            KeyError: not all leaves of one went by, or nobody looked out for it.
        """
        return [self._found[span] for span in spans]


def is_consistent(old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether a path proves the older tree to be the beginning of the newer (RFC 9162, section 2.1.4.2)."""
    if not 0 < old <= new:
        return False
    if old == new:
        return not path and old_root == new_root
    hashes = [old_root, *path] if old & old - 1 == 0 else list(path)
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    older = newer = hashes[0]
    for one in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            older, newer = node_hash(one, older), node_hash(one, newer)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            newer = node_hash(newer, one)
        place, last = place >> 1, last >> 1
    return last == 0 and older == old_root and newer == new_root
