"""Keys, signed notes, checkpoints and cosignatures: the formats of C2SP, and what is refused."""

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from schemas.tlog.checkpoints import Checkpoint, cosigned, cosigned_at, read_checkpoint, signed, signed_by
from schemas.tlog.keys import KeyUnusable, SignerKey, read_signer, read_verifier, signer
from schemas.tlog.notes import Note, NoteMalformed, read_note
from schemas.tlog.statements import Statement, read_statement

# Of golang.org/x/mod/sumdb/note, note_test.go, whose form C2SP signed-note has.
VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SIGNER = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SIGNED = (
    f"{TEXT}\n— PeterNeumann"
    " x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
).encode()
LOG = signer("parkside.example/log", bytes(range(32)))
WITNESS = signer("witness.example", bytes(range(1, 33)))
ROOT = hashlib.sha256(b"root").digest()


def test_a_published_note_and_its_keys_are_read_verified_and_made_again() -> None:
    key, secret = read_verifier(VERIFIER), read_signer(SIGNER)
    note = read_note(SIGNED)
    assert (key.text, secret.text, secret.verifier) == (VERIFIER, SIGNER, key)
    assert (note.text, note.content) == (TEXT, SIGNED)
    assert signed_by(note, key)
    assert not signed_by(note, LOG.verifier)
    assert note.signatures[0].content == secret.sign(TEXT.encode())
    assert "AYEKFALV" not in repr(secret)


def test_a_checkpoint_is_three_lines_and_reads_back() -> None:
    note = signed(Checkpoint("parkside.example/log", 12, ROOT), LOG)
    lines = note.content.decode().split("\n")
    assert lines[:4] == ["parkside.example/log", "12", base64.b64encode(ROOT).decode(), ""]
    assert read_checkpoint(read_note(note.content)) == Checkpoint("parkside.example/log", 12, ROOT)
    assert signed_by(note, LOG.verifier)


def test_a_cosignature_signs_the_time_and_the_text_of_the_note() -> None:
    note = cosigned(signed(Checkpoint("log", 5, ROOT), LOG), WITNESS, 1_679_315_147)
    line = note.content.decode().splitlines()[-1]
    prefix, name, encoded = line.split(" ")
    content = base64.b64decode(encoded)
    public = WITNESS.verifier.public
    key_id = hashlib.sha256(b"witness.example\n\x04" + public).digest()[:4]
    assert (prefix, name, content[:4]) == ("—", "witness.example", key_id)
    assert int.from_bytes(content[4:12], "big") == 1_679_315_147
    message = b"cosignature/v1\ntime 1679315147\n" + note.text.encode()
    Ed25519PublicKey.from_public_bytes(public).verify(content[12:], message)
    assert (
        cosigned_at(note, WITNESS.verifier) == cosigned_at(note, WITNESS.cosigner.verifier) == 1_679_315_147
    )
    assert cosigned_at(note, LOG.verifier) is None
    assert signed_by(note, WITNESS.verifier)
    assert signed_by(note, LOG.verifier)
    assert read_verifier(WITNESS.cosigner.verifier.text) == WITNESS.cosigner.verifier


@given(st.data())
def test_a_note_with_any_byte_changed_is_malformed_or_not_signed(data: st.DataObject) -> None:
    whole = cosigned(signed(Checkpoint("log", 5, ROOT), LOG), WITNESS, 1_679_315_147).content
    at = data.draw(st.integers(0, len(whole) - 1))
    changed = bytearray(whole)
    changed[at] = data.draw(st.integers(0, 255).filter(lambda one: one != whole[at]))
    try:
        note = read_note(bytes(changed))
        both = signed_by(note, LOG.verifier) and cosigned_at(note, WITNESS.verifier) is not None
    except NoteMalformed:
        return
    assert not both


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no verifier key"),
        ("name+key", "no verifier key"),
        (SIGNER, "a secret key"),
        (VERIFIER.replace("c74f20a3", "c74f20a4"), "miscopied"),
        (VERIFIER.replace("ARpc", "ARpd"), "miscopied"),
        (VERIFIER.replace("Peter", "peter"), "miscopied"),
        (VERIFIER[:-4], "no Ed25519 key"),
        (VERIFIER.replace("ARpc", "!!!!"), "no base64"),
        (VERIFIER.replace("ARpc", "Axpc"), "no Ed25519 key"),
        (VERIFIER.replace("PeterNeumann", "Peter Neumann"), "no name of a key"),
    ],
)
def test_what_is_no_verifier_key_says_what_it_is(text: str, why: str) -> None:
    with pytest.raises(KeyUnusable, match=why):
        read_verifier(text)


@pytest.mark.parametrize("text", ["", VERIFIER, SIGNER[:-1], SIGNER.replace("c74", "d74"), "PRIVATE+KEY+x"])
def test_what_is_no_signer_key_is_refused(text: str) -> None:
    with pytest.raises(KeyUnusable):
        read_signer(text)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\tb", "a\u2003b", "a\x00"])
def test_names_that_a_note_cannot_carry_are_refused(name: str) -> None:
    with pytest.raises(KeyUnusable, match="no name of a key"):
        signer(name, bytes(32))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        TEXT.encode(),
        TEXT.encode() + b"\n",
        SIGNED[:-1],
        SIGNED + b"\n",
        SIGNED + b"more\n",
        SIGNED.replace("— ".encode(), b"- "),
        SIGNED.replace(b"If", b"\x01f"),
        b"\xff" + SIGNED,
        SIGNED.replace(b"JnAM=", b"JnAN="),
        SIGNED.replace(b" x08go", b"  x08go"),
    ],
)
def test_what_is_no_signed_note_is_refused(content: bytes) -> None:
    with pytest.raises(NoteMalformed):
        read_note(content)


@pytest.mark.parametrize(
    "text",
    ["log\n", "log\n5\n", "log\n05\n{}\n", "log\n-5\n{}\n", "\n5\n{}\n", "log\n5\nAAAA\n", "log\n5\n!\n"],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteMalformed):
        read_checkpoint(Note(text.format(base64.b64encode(ROOT).decode()), ()))


def test_a_statement_is_one_line_and_reads_back() -> None:
    said = Statement(subject="FB-12", size=3, root="a" * 64, head="b" * 64, checkpoint=7)
    assert said.line.startswith(b'{"subject":"FB-12","size":3,"root":"aaaa')
    assert read_statement(said.line) == said
    for wrong in (
        b"",
        b"{}",
        said.line[:-1],
        said.line.replace(b":3", b":0"),
        said.line.replace(b"a" * 64, b"A" * 64),
    ):
        with pytest.raises(ValueError, match="no statement"):
            read_statement(wrong)


def test_a_key_signs_what_only_itself_verifies() -> None:
    other = SignerKey("parkside.example/log", 1, bytes(32))
    assert LOG.verifier.verifies(b"x", LOG.sign(b"x"))
    assert not other.verifier.verifies(b"x", LOG.sign(b"x"))
    assert not LOG.verifier.verifies(b"x", b"short")
