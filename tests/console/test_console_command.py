"""`catwalk console` as people start it: users first, then the pages, then an end that leaves all in order."""

import os
import signal
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path

import httpx
import pyotp
import pytest

from deploy.cli.console.console import origins_of
from deploy.settings import Settings
from tests.commands.run import Catwalk, catwalk
from tests.console.conftest import PASSWORD
from tests.console.test_served import EXAMPLE
from tests.starting import start
from tests.waiting import PATIENCE, answered, until

__all__ = ["catwalk"]


def in_a_process(folder: Path, *arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "CATWALK_DATA": str(folder)}
    command = [sys.executable, "-m", "deploy.cli", *arguments]
    return subprocess.run(
        command, env=environment, input=given, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.thorough
def test_from_an_empty_folder_to_an_alert_that_is_taken(tmp_path: Path, port: int) -> None:
    assert in_a_process(tmp_path, "record", str(EXAMPLE)).returncode == 0
    refused = in_a_process(tmp_path, "console", "--port", str(port))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no user may sign in; create one: catwalk console user add" in refused.stderr
    added = in_a_process(
        tmp_path, "console", "user", "add", "hale", "--role", "surveillance", given=PASSWORD + "\n"
    )
    assert (added.returncode, PASSWORD in added.stderr) == (0, False)
    assert in_a_process(tmp_path, "console", "user", "list").stdout == "hale\tsurveillance\n"

    environment = {**os.environ, "CATWALK_DATA": str(tmp_path)}
    command = [sys.executable, "-m", "deploy.cli", "console", "--port", str(port)]
    with start(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            origin = f"http://127.0.0.1:{port}"
            take_the_first_alert(origin, process)
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 0, said
    assert said.splitlines() == [f"catwalk: 1 open alert; sign in at {origin}"]


def take_the_first_alert(origin: str, process: "subprocess.Popen[str]") -> None:
    assert until(partial(answered, f"{origin}/health"), running=process).status_code == 200
    with httpx.Client(base_url=origin, headers={"origin": origin}, verify=False) as browser:
        page = browser.post("/sign-in", data={"name": "hale", "password": PASSWORD}, follow_redirects=True)
        assert "A second factor for hale" in page.text, "every role owes one, unless a setting says otherwise"
        secret = page.text.partition('class="secret">')[2].partition("<")[0].replace(" ", "")
        assert browser.get("/api/alerts").status_code == 401
        codes = browser.post("/sign-in/factor", data={"code": pyotp.TOTP(secret).now()})
        assert "Your recovery codes" in codes.text
        page = browser.get("/")
        csrf = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        (alert,) = browser.get("/api/alerts").json()["alerts"]
        wish = {"act": "acknowledged", "version": alert.get("version", 1)}
        done = browser.post(f"/api/alerts/{alert['id']}/acts", json=wish, headers={"x-csrf-token": csrf})
        assert done.json()["alert"]["owner"] == "hale"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--host", "0.0.0.0"], "it is reached from other machines"),
        (["--origin", "http://console.example"], "passwords would go over the network in clear"),
        (["--origin", "https://console.example/alerts"], "no origin of a page"),
        (["--origin", "https://ann@console.example"], "no origin of a page"),
        (["--origin", "https://console.example:https"], "no origin of a page"),
        (["--origin", "console.example"], "no origin of a page"),
        (["user", "disable", "nosuch"], "there is no user nosuch"),
        (["user", "reset-factor", "nosuch"], "there is no user nosuch"),
    ],
)
def test_what_will_not_do_is_said_in_one_line(
    catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], why: str
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path))
    answer = catwalk("console", *arguments)
    assert (answer.status, answer.out) == (2, "")
    assert why in answer.err
    assert answer.err.count("\n") == 1


def test_a_port_that_is_taken_is_named_with_what_to_do(
    catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        answer = catwalk("console", "--port", str(port))
    remedy = "stop that, or name another with --port"
    said = f"console at port {port} of 127.0.0.1: something listens on it already; {remedy}"
    assert (answer.status, answer.out, answer.err) == (2, "", f"catwalk: {said}\n")


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("HTTPS://Console.Example", "https://console.example"),
        ("https://console.example:443", "https://console.example"),
        ("https://console.example/", "https://console.example"),
        ("https://console.example:8443", "https://console.example:8443"),
        ("http://LOCALHOST:80", "http://localhost"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        (" https://console.example ", "https://console.example"),
    ],
)
def test_an_origin_is_taken_as_browsers_send_it(given: str, sent: str) -> None:
    assert origins_of(Settings(), (given, given)) == (sent,)


def test_users_are_changed_from_the_command_line(
    catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path))
    for name, role in (("ann", "admin"), ("hale", "floor")):
        made = catwalk("console", "user", "add", name, "--role", role, stdin=PASSWORD.encode() + b"\n")
        assert made.status == 0
    last = catwalk("console", "user", "disable", "ann")
    assert (last.status, "ann is the last who gives out rights" in last.err) == (2, True)
    for arguments in (
        ("role", "hale", "auditor"),
        ("disable", "hale"),
        ("enable", "hale"),
        ("reset-factor", "hale"),
        ("disable", "hale"),
    ):
        assert catwalk("console", "user", *arguments).status == 0
    assert catwalk("console", "user", "list").out == "ann\tadmin\nhale\tauditor\tdisabled\n"
    common = catwalk("console", "user", "password", "hale", stdin=b"Blackjack2026!\n")
    assert (common.status, "what is guessed first" in common.err) == (2, True)
