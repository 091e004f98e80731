#!/usr/bin/env python3
"""Verify an evidence bundle of one round: python3 verify.py [BUNDLE.zip] --key VKEY.

One file, the standard library alone. Without BUNDLE.zip it verifies the files in its own folder. --key is the verifier
key of the log (name+hash+base64), and again that of each witness; take them from somebody you trust, not from the
bundle.
Exit status 0: everything printed under "proved" holds. 1: it does not, or could not be looked at.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import struct
import sys
import zipfile
import zlib
from datetime import datetime, timezone
from io import BytesIO
from pathlib import Path

FORMAT = 1
FILES = (
    "README.txt", "round.json", "findings.ndjson", "events.ndjson", "proof.json", "checkpoint.txt", "rules.json",
    "verify.py",
)  # fmt: skip


class BundleRefused(Exception):
    """The bundle does not hold."""


# --- Ed25519, RFC 8032, section 5.1.7: slow, and of public values alone
P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]


def _add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(factor: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = _add(total, point)
        point = _add(point, point)
        factor >>= 1
    return total


def _x_of(y: int, sign: int) -> int | None:
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if not square:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != sign else x


def _point(content: bytes) -> Point | None:
    y = int.from_bytes(content, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    x = _x_of(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


_BASE_Y = 4 * pow(5, P - 2, P) % P
_BASE_X = _x_of(_BASE_Y, 0) or 0
BASE: Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % P)


def ed25519_verifies(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the key of 32 bytes signed the message."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, commitment = _point(public), _point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= Q:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % Q
    one, other = _times(scalar, BASE), _add(commitment, _times(challenge, key))
    return not ((one[0] * other[2] - other[0] * one[2]) % P or (one[1] * other[2] - other[1] * one[2]) % P)


# --- Keys, notes and checkpoints (C2SP signed-note, tlog-checkpoint, tlog-cosignature)
def read_key(text: str) -> tuple[str, bytes]:
    """Name and public key of a verifier key."""
    try:
        name, key_id, encoded = text.strip().split("+", 2)
        content = base64.b64decode(encoded, validate=True)
    except ValueError:
        raise BundleRefused(f"--key {text}: no verifier key; expected name+hash+base64") from None
    if (
        len(content) != 33
        or content[0] not in (1, 4)
        or _key_id(name, content[0], content[1:]).hex() != key_id
    ):
        raise BundleRefused(f"--key {text}: no verifier key, or miscopied")
    return name, content[1:]


def _key_id(name: str, algorithm: int, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([algorithm]) + public).digest()[:4]


def read_note(content: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    """Text of a signed note, and name and bytes of each signature."""
    text, gap, signed = content.decode().rpartition("\n\n")
    found = []
    for line in signed.splitlines():
        dash, name, encoded = line.split(" ")
        if dash != "\u2014":
            raise BundleRefused("checkpoint.txt is no signed note")
        found.append((name, base64.b64decode(encoded, validate=True)))
    if not gap or not found:
        raise BundleRefused("checkpoint.txt is no signed note")
    return text + "\n", found


def signed_by(text: str, signatures: list[tuple[str, bytes]], name: str, public: bytes) -> str | None:
    """How the key signed the note: as its log, or as a witness and when; None if it did not."""
    for signer, content in signatures:
        key_id, rest = content[:4], content[4:]
        if signer != name:
            continue
        if key_id == _key_id(name, 1, public) and ed25519_verifies(public, text.encode(), rest):
            return "log"
        if key_id == _key_id(name, 4, public):
            time = int.from_bytes(rest[:8], "big")
            message = f"cosignature/v1\ntime {time}\n{text}".encode()
            if ed25519_verifies(public, message, rest[8:]):
                return datetime.fromtimestamp(time, timezone.utc).isoformat()  # noqa: UP017 - Python 3.9 too
    return None


# --- Merkle trees (RFC 6962; RFC 9162, section 2.1.3.2)
def leaf_hash(record: bytes) -> bytes:
    """The hash of a record as a leaf."""
    return hashlib.sha256(b"\x00" + record).digest()


def root_of(leaf: bytes, index: int, size: int, path: list[str]) -> bytes:
    """The root that a leaf and its path lead to."""
    if not 0 <= index < size:
        raise BundleRefused(f"no leaf {index} in a tree of {size}")
    place, last, root = index, size - 1, leaf
    for text in path:
        one = bytes.fromhex(text)
        if last == 0:
            raise BundleRefused("a path is too long")
        if place & 1 or place == last:
            root = hashlib.sha256(b"\x01" + one + root).digest()
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = hashlib.sha256(b"\x01" + root + one).digest()
        place, last = place >> 1, last >> 1
    if last:
        raise BundleRefused("a path is too short")
    return root


# --- The bundle
def packed(files: dict[str, bytes]) -> bytes:
    """The files as the one zip that holds just them: uncompressed, in this order, of no time."""
    body, directory = b"", b""
    for name, content in files.items():
        size = len(content)
        head = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, zlib.crc32(content), size, size, len(name), 0)
        place = struct.pack("<HHHII", 0, 0, 0, 0o100644 << 16, len(body))
        directory += b"PK\x01\x02" + struct.pack("<H", 0x314) + head + place + name.encode()
        body += b"PK\x03\x04" + head + name.encode() + content
    count = len(files)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + b"PK\x05\x06" + end


def canonical(value: object) -> bytes:
    """JSON in the one way that bundles have it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def digest_of(proof: dict) -> str:  # type: ignore[type-arg] # as JSON gives it
    """SHA-256 of all that a proof says but this."""
    return hashlib.sha256(
        canonical({name: value for name, value in proof.items() if name != "digest"})
    ).hexdigest()


def read_bundle(path: Path) -> dict[str, bytes]:
    """The files of a bundle, or of a folder that one was unpacked into."""
    if path.is_dir():
        return {name: (path / name).read_bytes() for name in FILES}
    whole = path.read_bytes()
    with zipfile.ZipFile(BytesIO(whole)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    if packed(files) != whole or tuple(files) != FILES:
        raise BundleRefused("the zip is not one as it was made: something was added, removed or changed")
    return files


def verify(files: dict[str, bytes], keys: list[str]) -> tuple[list[str], list[str]]:
    """What the files prove, and what they do not."""
    proof = json.loads(files["proof.json"])
    if (
        canonical(proof) != files["proof.json"]
        or proof["digest"] != digest_of(proof)
        or proof["format"] != FORMAT
    ):
        raise BundleRefused("proof.json was changed, or is of another release")
    if set(proof["files"]) != set(FILES) - {"proof.json"}:
        raise BundleRefused("proof.json does not name the files of a bundle")
    for name, digest in proof["files"].items():
        if hashlib.sha256(files[name]).hexdigest() != digest:
            raise BundleRefused(f"{name} was changed")
    proved = _checkpointed(files, proof, keys)
    events = _records(files, proof)
    told = json.loads(files["round.json"])
    said = (told["subject"], told["round"], told["first_sequence"], told["last_sequence"])
    first, last = proof["first"], proof["last"]
    if said != (proof["subject"], proof["round"], first, last):
        raise BundleRefused("round.json is of another round")
    held = f"events {first} to {last} of table {proof['subject']}, round {proof['round']}"
    proved.append(
        f"{held}, and {sum(not first <= one <= last for one in events)} that they rest on, are in the checkpointed log"
    )
    proved.append("the chain of the round is whole: each record carries the hash of the one before it")
    unproved = []
    hidden = sum("hash" in one for one in proof["records"])
    if hidden:
        unproved.append(
            f"what is said in {hidden} of the records, which show cards nobody saw: their places alone are proved"
        )
    _seals([events[one] for one in sorted(events)], proved, unproved)
    unproved += [
        "round.json, findings.ndjson and rules.json: they are what the house reads in the records; `catwalk replay` of"
        " events.ndjson's table reads them again",
        "that the devices told the truth, and that nothing happened that none of them told",
        "anything about records outside of this round",
    ]
    return proved, unproved


def _checkpointed(files: dict[str, bytes], proof: dict, keys: list[str]) -> list[str]:  # type: ignore[type-arg]
    """That the log signed the statement of the table's tree; who signed."""
    text, signatures = read_note(files["checkpoint.txt"])
    origin, size, root = text.split("\n")[:3]
    statement = proof["statement"]
    if int(size) != proof["log_size"]:
        raise BundleRefused("checkpoint.txt is not the checkpoint of the proof")
    if root_of(leaf_hash(statement.encode()), proof["entry"], int(size), proof["path"]) != base64.b64decode(
        root
    ):
        raise BundleRefused("the statement about the table is not in the checkpointed log")
    proved, logs = [], 0
    for text_of_key in keys:
        name, public = read_key(text_of_key)
        how = signed_by(text, signatures, name, public)
        if how == "log" and name == origin:
            logs += 1
            proved.append(f"checkpoint {size} of {origin} is signed by {text_of_key.strip()}")
        elif how not in (None, "log"):
            proved.append(f"the witness {name} saw this checkpoint, and no other log, at {how}")
        else:
            raise BundleRefused(f"checkpoint.txt is not signed by {text_of_key.strip()}")
    if not logs:
        raise BundleRefused("no --key of the log is given: nothing would be proved")
    said = json.loads(statement)
    if (said["subject"], said["size"], said["root"]) != (proof["subject"], proof["size"], proof["root"]):
        raise BundleRefused("the statement in the log is about another tree")
    return proved


def _records(files: dict[str, bytes], proof: dict) -> dict[int, dict]:  # type: ignore[type-arg]
    """The records by sequence, each proved to be in the table's tree; and the round's chain."""
    lines = iter(files["events.ndjson"].split(b"\n")[:-1])  # a record may hold another kind of line end
    events: dict[int, dict] = {}  # type: ignore[type-arg]
    hashes: dict[int, str] = {}
    listed = [one["sequence"] for one in proof["records"]]
    if listed != sorted(set(listed)):
        raise BundleRefused("the records are not in order")
    for one in proof["records"]:
        sequence = one["sequence"]
        if "hash" in one:
            leaf, hashes[sequence] = bytes.fromhex(one["leaf"]), one["hash"]
        else:
            line = next(lines, b"")
            leaf, hashes[sequence] = leaf_hash(line), hashlib.sha256(line).hexdigest()
            events[sequence] = json.loads(line)
            if (events[sequence]["subject"], events[sequence]["sequence"]) != (proof["subject"], sequence):
                raise BundleRefused(f"record {sequence} is of another place")
        if root_of(leaf, sequence - 1, proof["size"], one["path"]).hex() != proof["root"]:
            raise BundleRefused(f"record {sequence} is not in the checkpointed log")
    if next(lines, None) is not None:
        raise BundleRefused("events.ndjson has records that the proof does not name")
    for sequence in range(proof["first"], proof["last"] + 1):
        if sequence not in hashes:
            raise BundleRefused(f"record {sequence} of the round is missing")
        before = hashes.get(sequence - 1)
        if sequence > proof["first"] and sequence in events and events[sequence]["prevhash"] != before:
            raise BundleRefused(f"record {sequence} does not carry the hash of the one before it")
    return events


def _seals(events: list[dict], proved: list[str], unproved: list[str]) -> None:  # type: ignore[type-arg]
    """That each hole card that was turned over is one of the cards that were sealed when they were drawn.

    Another card of the round may bear a seal too, also one that was drawn face up: no order tells which is whose.
    """
    sealed: list[str] = []
    for event in events:
        data = event["data"]
        if event["type"] == "catwalk.v1.card_drawn" and "seal" in data:
            sealed.append(data["seal"])
        elif event["type"] == "catwalk.v1.hole_card_revealed" and sealed:
            card, nonce = data["card"], data.get("nonce")
            opened = hashlib.sha256(f"{card}|{nonce}".encode()).hexdigest()
            if nonce is None:
                unproved.append(
                    f"that the hole card {card} is the one that was sealed: its seal was not opened"
                )
            elif opened not in sealed:
                raise BundleRefused(
                    f"the records are as checkpointed, but the hole card {card} is NOT the one that was sealed"
                )
            else:
                sealed.remove(opened)
                proved.append(f"the hole card {card} is the one that was sealed when it was drawn")
    if sealed:
        unproved.append("which card each seal of the round holds that was not opened")


def main(arguments: list[str] | None = None) -> int:
    """Verify the bundle that the command line names, and print what it proves and what it does not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("bundle", nargs="?", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument(
        "--key", action="append", default=[], metavar="VKEY", help="of the log; again: of a witness"
    )
    asked = parser.parse_args(arguments)
    try:
        proved, unproved = verify(read_bundle(asked.bundle), asked.key)
    except BundleRefused as why:
        print(f"REFUSED: {why}")
        return 1
    except Exception as error:  # whatever a changed byte brings about
        print(f"REFUSED: it cannot be read: {type(error).__name__}: {error}"[:300])
        return 1
    print("\n".join([*(f"proved      {one}" for one in proved), *(f"not proved  {one}" for one in unproved)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
