"""Which files may be attached to a case, and of what type each is: by its content, with which its name has to agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

LARGEST: Final = 10 << 20  # bytes of one file
MOST_FILES: Final = 20  # of one case
MOST_BYTES: Final = 64 << 20  # of all files of one case: they are sent together as one archive
LONGEST_NAME: Final = 120
TEXT: Final = "text/plain; charset=utf-8"

# Of images, recordings and documents only forms that run nothing by themselves where they are opened.
_SIGNED: Final[Mapping[str, Callable[[bytes], bool]]] = MappingProxyType({
    "application/pdf": lambda content: content.startswith(b"%PDF-"),
    "image/png": lambda content: content.startswith(b"\x89PNG\r\n\x1a\n"),
    "image/jpeg": lambda content: content.startswith(b"\xff\xd8\xff"),
    "image/webp": lambda content: content.startswith(b"RIFF") and content[8:12] == b"WEBP",
    "audio/wav": lambda content: content.startswith(b"RIFF") and content[8:12] == b"WAVE",
    "video/mp4": lambda content: content[4:8] == b"ftyp",
    TEXT: lambda content: _is_text(content),
})  # fmt: skip
_ENDINGS: Final[Mapping[str, str]] = MappingProxyType({
    "pdf": "application/pdf", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
    "wav": "audio/wav", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/mp4",
    "txt": TEXT, "csv": TEXT, "log": TEXT, "json": TEXT, "ndjson": TEXT,
})  # fmt: skip
ENDINGS: Final = tuple(_ENDINGS)


class NotAttachable(Exception):
    """A file that may not be attached, and why."""


def media_type_of(name: str, content: bytes) -> str:
    """The type of a file by its content.

    Raises:
        NotAttachable: it is empty, too large, of no type that may be attached, or its name says another.
    """
    if not content:
        raise NotAttachable("the file is empty")
    if len(content) > LARGEST:
        raise NotAttachable(f"the file has {len(content):,} bytes; {LARGEST:,} is the most")
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    by_name = _ENDINGS.get(ending)
    by_content = next((media_type for media_type, signed in _SIGNED.items() if signed(content)), None)
    if by_name is None:
        raise NotAttachable(f"no file of the ending .{ending[:16]} may be attached; {', '.join(ENDINGS)} may")
    if by_content != by_name:
        found = by_content or "of no type that may be attached"
        raise NotAttachable(f"its name says {by_name}, its content is {found}")
    return by_content


def plain_name(name: str) -> str:
    """The name of a file without folders and characters that no name needs."""
    bare = name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(one if one.isprintable() and one not in '<>:"|?*;' else "_" for one in bare).strip(" .")
    stem, dot, ending = kept.rpartition(".")
    if not dot:
        return kept[:LONGEST_NAME] or "file"
    return f"{stem[: LONGEST_NAME - len(ending) - 1] or 'file'}.{ending}"[-LONGEST_NAME:]


def _is_text(content: bytes) -> bool:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not any(ord(one) < 32 and one not in "\t\n\r" for one in text)
