"""Files that leave the console: the desk's log keeps what each is about, its form and its SHA-256; then it is sent."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

from litestar import Response

from dashboards.accounts.accounts import User
from dashboards.web.console import Console

DIGEST_HEADER: Final = "x-content-sha256"
# Media types by the form of a file, which its name ends with; the answer adds the charset of a text.
MEDIA: Final[Mapping[str, str]] = MappingProxyType({
    "csv": "text/csv",
    "ndjson": "application/x-ndjson",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
})  # fmt: skip
_ABOUT: Final = 200  # characters: a record of the log cuts longer ones, and its end is the SHA-256


def export_file(console: Console, user: User, about: str, content: bytes, name: str) -> Response[bytes]:
    """Keep that a file leaves, and send it.

    Raises:
        DeskUnavailable: it could not be kept.
    """
    return send_file(content, keep_export(console, user, about, content, _form(name)), name)


def keep_export(console: Console, user: User, about: str, content: bytes, form: str) -> str:
    """Keep that a file leaves; its SHA-256 (hex).

    Raises:
        DeskUnavailable: it could not be kept.
    """
    digest = hashlib.sha256(content).hexdigest()
    console.note(user.name, "export", f"{about[:_ABOUT]} as {form}, sha256 {digest}")
    return digest


def send_file(content: bytes, digest: str, name: str, media_type: str = "") -> Response[bytes]:
    """A file that the browser is to keep under a name, and never to show as a page of the console."""
    plain = "".join(one if one.isascii() and (one.isalnum() or one in "-._") else "_" for one in name)
    whole = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}"
    headers = {"content-disposition": f'attachment; filename="{plain}"{whole}', DIGEST_HEADER: digest}
    return Response(content, media_type=media_type or MEDIA[_form(name)], headers=headers)


def _form(name: str) -> str:
    return name.rpartition(".")[2]
