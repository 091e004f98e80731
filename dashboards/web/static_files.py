"""Styles, letters and scripts of the pages: the files that came with this release, and no others."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, NamedTuple

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter

from dashboards.web.console import AnyRequest

_FOLDER = Path(__file__).resolve().parents[1] / "static"
_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


class _File(NamedTuple):
    content: bytes
    media_type: str
    tag: str


def _read(path: Path) -> _File:
    content = path.read_bytes()
    return _File(content, _TYPES[path.suffix], f'"{hashlib.sha256(content).hexdigest()[:32]}"')


_FILES = {
    path.relative_to(_FOLDER).as_posix(): _read(path)
    for path in sorted(_FOLDER.rglob("*"))
    if path.suffix in _TYPES
}


@get("/static/{name:path}", exclude_from_auth=True, sync_to_thread=False)
def static_file(request: AnyRequest, name: Annotated[str, PathParameter(max_length=128)]) -> Response[bytes]:
    """One file; a browser that has it already is told so."""
    file = _FILES.get(str(name).lstrip("/"))
    if file is None:
        raise NotFoundException("no such file")
    headers = {"etag": file.tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    return Response(file.content, headers=headers, media_type=file.media_type)


HANDLERS = (static_file,)
