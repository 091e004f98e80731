"""Merkle trees: the vectors of RFC 6962's own log, and its definitions written out for every small tree."""

import hashlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deploy.evidence.verify import BundleRefused, root_of
from schemas.tlog.merkle import (
    EMPTY_ROOT,
    Frontier,
    Span,
    SpanHashes,
    consistency_spans,
    inclusion_spans,
    is_consistent,
    leaf_hash,
)

# Of google/certificate-transparency, cpp/merkletree/merkle_tree_test.cc.
LEAVES = [bytes.fromhex(text) for text in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
FIRST_OF_EIGHT = [
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
]
SIX_TO_EIGHT = [
    "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
]


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def root(records: list[bytes]) -> bytes:
    """MTH of RFC 6962, section 2.1, as it is defined there."""
    if not records:
        return sha(b"")
    if len(records) == 1:
        return sha(b"\x00" + records[0])
    k = 1
    while k * 2 < len(records):
        k *= 2
    return sha(b"\x01" + root(records[:k]) + root(records[k:]))


def proof(m: int, records: list[bytes]) -> list[bytes]:
    """PATH(m, D[n]) of section 2.1.1."""
    if len(records) == 1:
        return []
    k = 1
    while k * 2 < len(records):
        k *= 2
    if m < k:
        return [*proof(m, records[:k]), root(records[k:])]
    return [*proof(m - k, records[k:]), root(records[:k])]


def subproof(m: int, records: list[bytes], whole: bool) -> list[bytes]:
    """SUBPROOF(m, D[n], b) of section 2.1.2."""
    if m == len(records):
        return [] if whole else [root(records)]
    k = 1
    while k * 2 < len(records):
        k *= 2
    if m <= k:
        return [*subproof(m, records[:k], whole), root(records[k:])]
    return [*subproof(m - k, records[k:], False), root(records[:k])]


def records_of(size: int) -> list[bytes]:
    return [f"record {n}".encode() for n in range(size)]


def hashes_of(records: list[bytes], spans: list[Span]) -> list[bytes]:
    found = SpanHashes(spans)
    for record in records:
        found.take(leaf_hash(record))
    return found.of(spans)


def led_to(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """The root that the verifier of a bundle finds; None if it refuses the path."""
    try:
        return root_of(leaf, index, size, [one.hex() for one in path])
    except BundleRefused:
        return None


def test_roots_and_proofs_are_those_of_the_published_vectors() -> None:
    tree = Frontier()
    assert tree.root() == EMPTY_ROOT == sha(b"")
    for record, expected in zip(LEAVES, ROOTS, strict=True):
        tree.append(leaf_hash(record))
        assert tree.root().hex() == expected
    assert [one.hex() for one in hashes_of(LEAVES, inclusion_spans(0, 8))] == FIRST_OF_EIGHT
    assert [one.hex() for one in hashes_of(LEAVES, consistency_spans(6, 8))] == SIX_TO_EIGHT


@pytest.mark.parametrize("size", range(1, 34))
def test_every_proof_of_a_small_tree_is_as_defined_and_proves_nothing_else(size: int) -> None:
    records = records_of(size)
    whole = root(records)
    for index in range(size):
        path = hashes_of(records, inclusion_spans(index, size))
        leaf = leaf_hash(records[index])
        assert path == proof(index, records)
        assert led_to(leaf, index, size, path) == whole
        assert led_to(leaf_hash(b"another"), index, size, path) != whole
        for other in range(size):
            assert (led_to(leaf, other, size, path) == whole) == (other == index)
        if path:
            assert led_to(leaf, index, size, path[:-1]) != whole
        assert led_to(leaf, index, size, [*path, path[0] if path else leaf]) != whole
    for old in range(1, size + 1):
        path = hashes_of(records, consistency_spans(old, size))
        assert path == subproof(old, records, True)
        older = root(records[:old])
        assert is_consistent(old, size, older, whole, path)
        assert not is_consistent(old, size, leaf_hash(b"another"), whole, path)
        assert not is_consistent(old, size, older, leaf_hash(b"another"), path)
        for at in range(len(path)):
            assert not is_consistent(old, size, older, whole, path[:at] + path[at + 1 :])
            assert not is_consistent(old, size, older, whole, [*path[:at], sha(path[at]), *path[at + 1 :]])


@given(st.lists(st.binary(max_size=20), max_size=80), st.integers(0, 80))
def test_a_tree_that_goes_on_from_what_was_kept_equals_one_that_never_stopped(
    records: list[bytes], at: int
) -> None:
    tree = Frontier()
    for number, record in enumerate(records):
        if number == at:
            tree = Frontier(tree.size, [bytes(one) for one in tree.hashes])
        twin = tree.copy()
        tree.append(leaf_hash(record))
        twin.append(leaf_hash(record))
        assert twin.root() == tree.root()
    assert (tree.size, tree.root()) == (len(records), root(records))


@given(st.integers(1, 300), st.data())
def test_many_proofs_are_found_in_one_pass(size: int, data: st.DataObject) -> None:
    records = records_of(size)
    places = data.draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=12))
    sizes = sorted(data.draw(st.sets(st.integers(1, size), min_size=1, max_size=5)))
    spans = [span for place in places for span in inclusion_spans(place, size)]
    spans += [span for old, new in pairwise(sizes) for span in consistency_spans(old, new)]
    found = SpanHashes(spans)
    for record in records:
        found.take(leaf_hash(record))
    for place in places:
        path = found.of(inclusion_spans(place, size))
        assert led_to(leaf_hash(records[place]), place, size, path) == root(records)
    for old, new in pairwise(sizes):
        path = found.of(consistency_spans(old, new))
        assert is_consistent(old, new, root(records[:old]), root(records[:new]), path)


def test_what_there_is_not_is_refused() -> None:
    for index, size in ((0, 0), (3, 3), (-1, 3)):
        with pytest.raises(ValueError, match="no leaf"):
            inclusion_spans(index, size)
        assert led_to(EMPTY_ROOT, index, size, []) is None
    for old, new in ((0, 3), (4, 3)):
        with pytest.raises(ValueError, match="is not held against"):
            consistency_spans(old, new)
        assert not is_consistent(old, new, EMPTY_ROOT, EMPTY_ROOT, [])
    with pytest.raises(ValueError, match="2 hashes for a tree of 4, which has 1"):
        Frontier(4, [EMPTY_ROOT, EMPTY_ROOT])
