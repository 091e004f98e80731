"""Keys of signed notes (C2SP signed-note): Ed25519, each with a name and an identifier of four bytes."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Struct
from msgspec.structs import replace

ED25519: Final = 1  # the signature is of the note's text
COSIGNATURE: Final = 4  # ... of the text and the time at which a witness saw it
ALGORITHMS: Final = (ED25519, COSIGNATURE)
_PRIVATE: Final = "PRIVATE+KEY+"
_KEY_BYTES: Final = 32


class KeyUnusable(ValueError):
    """A text that is no key: what was found, and what was expected."""


class VerifierKey(Struct, frozen=True):
    """Who may have signed: a name, an algorithm, and the public key of 32 bytes."""

    name: str
    algorithm: int
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        return _key_id(self.name, self.algorithm, self.public)

    @property
    def text(self) -> str:
        """The key in one line, `name+hash+base64`."""
        return f"{self.name}+{self.key_id.hex()}+{_base64(self.algorithm, self.public)}"

    @property
    def cosigner(self) -> VerifierKey:
        """The same key as that of a witness, which signs another text and so goes by another identifier."""
        return replace(self, algorithm=COSIGNATURE)

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Whether the key signed the message."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class SignerKey(Struct, frozen=True):
    """Who signs; `seed` is the secret of 32 bytes."""

    name: str
    algorithm: int
    seed: bytes

    def __repr__(self) -> str:
        """The key without its secret."""
        return f"SignerKey({self.verifier.text})"

    @property
    def verifier(self) -> VerifierKey:
        """What others check its signatures by."""
        public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return VerifierKey(self.name, self.algorithm, public)

    @property
    def text(self) -> str:
        """The secret key in one line, as its file holds it."""
        key_id = self.verifier.key_id.hex()
        return f"{_PRIVATE}{self.name}+{key_id}+{_base64(self.algorithm, self.seed)}"

    @property
    def cosigner(self) -> SignerKey:
        """The same key as that of a witness."""
        return replace(self, algorithm=COSIGNATURE)

    def sign(self, message: bytes) -> bytes:
        """The signature of 64 bytes."""
        return self._key.sign(message)

    @property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)


def signer(name: str, seed: bytes) -> SignerKey:
    """A key of this name out of 32 random bytes.

    Raises:
        KeyUnusable: no key may have the name.
    """
    _require_name(name)
    return SignerKey(name, ED25519, seed)


def read_verifier(text: str) -> VerifierKey:
    """A verifier key of one line, `name+hash+base64`.

    Raises:
        KeyUnusable: it is none.
    """
    parts = text.strip().split("+", 2)
    if text.strip().startswith(_PRIVATE):
        raise KeyUnusable("a secret key; give the line that `catwalk keygen` printed")
    if len(parts) != 3:
        raise KeyUnusable("no verifier key; expected name+hash+base64")
    name, key_id, encoded = parts
    key = VerifierKey(name, *_decoded(name, encoded))
    _require_hash(key, key_id)
    return key


def read_signer(text: str) -> SignerKey:
    """A signer key of one line, `PRIVATE+KEY+name+hash+base64`.

    Raises:
        KeyUnusable: it is none.
    """
    parts = text.strip().removeprefix(_PRIVATE).split("+", 2)
    if not text.startswith(_PRIVATE) or len(parts) != 3:
        raise KeyUnusable("no signer key; expected PRIVATE+KEY+name+hash+base64")
    name, key_id, encoded = parts
    key = SignerKey(name, *_decoded(name, encoded))
    _require_hash(key.verifier, key_id)
    return key


def _decoded(name: str, encoded: str) -> tuple[int, bytes]:
    _require_name(name)
    try:
        content = base64.b64decode(encoded, validate=True)
    except (ValueError, binascii.Error) as error:
        raise KeyUnusable(f"its last part is no base64: {error}") from error
    if len(content) != 1 + _KEY_BYTES or content[0] not in ALGORITHMS:
        raise KeyUnusable("its last part is no Ed25519 key")
    return content[0], content[1:]


def _require_name(name: str) -> None:
    if not name or "+" in name or any(letter.isspace() or not letter.isprintable() for letter in name):
        raise KeyUnusable(f"{name!r} is no name of a key; expected letters, without spaces and +")


def _require_hash(key: VerifierKey, said: str) -> None:
    if said != key.key_id.hex():
        raise KeyUnusable(
            f"its hash is {said}, and that of name and key {key.key_id.hex()}; it was miscopied"
        )


def _key_id(name: str, algorithm: int, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + bytes([algorithm]) + public).digest()[:4]


def _base64(algorithm: int, key: bytes) -> str:
    return base64.b64encode(bytes([algorithm]) + key).decode()
