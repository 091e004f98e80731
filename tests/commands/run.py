"""The `catwalk` command as a user runs it, in this process."""

import io
import json
from typing import Any, NamedTuple

import pytest

from deploy.cli.main import main


class Ran(NamedTuple):
    """What came of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Catwalk:
    """Runs the command and hands back what it wrote."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: object, stdin: bytes = b"") -> Ran:
        self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        status = main([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        return Ran(status, captured.out, captured.err)


@pytest.fixture
def catwalk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Catwalk:
    return Catwalk(capsys, monkeypatch)
