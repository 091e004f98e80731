"""Settings: which source wins, where a value came from, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy.cli.main import main
from deploy.errors import UserError
from deploy.settings import DECLARED, Settings, load
from tests.cli.settings_page import settings_page


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("overrides", "environment", "toml", "value", "origin"),
    [
        ({}, {}, "", 8080, "default"),
        ({}, {}, "console_port = 1", 1, "catwalk.toml"),
        ({}, {}, "[console]\nport = 1", 1, "catwalk.toml"),
        ({}, {"CATWALK_CONSOLE_PORT": "2"}, "console_port = 1", 2, "environment CATWALK_CONSOLE_PORT"),
        ({"console_port": 3}, {"CATWALK_CONSOLE_PORT": "2"}, "console_port = 1", 3, "command line"),
        ({"console_port": None}, {"CATWALK_CONSOLE_PORT": "2"}, "", 2, "environment CATWALK_CONSOLE_PORT"),
    ],
)
def test_the_nearer_source_wins_and_is_named(
    overrides: dict[str, int], environment: dict[str, str], toml: str, value: int, origin: str, here: Path
) -> None:
    (here / "catwalk.toml").write_text(toml, encoding="utf-8")
    resolved = load(overrides, environment)
    assert (resolved.values.console_port, resolved.origins["console_port"]) == (value, origin)
    assert resolved.values.data == "data"


def test_another_settings_file_can_be_named_and_is_named_as_origin(here: Path) -> None:
    (here / "pit.toml").write_text("data = 'pit'", encoding="utf-8")
    resolved = load({}, {"CATWALK_CONFIG": "pit.toml"})
    assert (resolved.values.data, resolved.origins["data"]) == ("pit", "pit.toml")
    with pytest.raises(UserError, match=r"none\.toml: No such file"):
        load({}, {"CATWALK_CONFIG": "none.toml"})


def test_a_secret_comes_from_the_environment_or_a_file_alone(here: Path) -> None:
    (here / "secret").write_text("hush\n", encoding="utf-8")
    (here / "catwalk.toml").write_text("clickhouse_password_file = 'secret'", encoding="utf-8")
    assert load({}, {}).values.clickhouse_password == "hush"
    assert load({}, {"CATWALK_CLICKHOUSE_PASSWORD": "x"}).values.clickhouse_password == "x"
    assert load({}, {"CATWALK_CLICKHOUSE_PASSWORD_FILE": "secret"}).values.clickhouse_password == "hush"
    with pytest.raises(UserError, match="command line"):
        load({"clickhouse_password": "hush"}, {})
    with pytest.raises(UserError, match="from nowhere"):
        load({}, {"CATWALK_CLICKHOUSE_PASSWORD_FILE": "nowhere"})
    (here / "catwalk.toml").write_text("clickhouse_password = 'hush'", encoding="utf-8")
    with pytest.raises(UserError, match="a secret may not stand in the settings file"):
        load({}, {})


def test_a_secret_is_not_shown_where_settings_are() -> None:
    resolved = load({}, {"CATWALK_CLICKHOUSE_PASSWORD": "hush", "CATWALK_OIDC_SECRET": "hush"})
    assert "hush" not in f"{resolved!r} {resolved.values!r} {resolved}"


@pytest.mark.parametrize(
    ("environment", "toml", "message"),
    [
        ({"CATWALK_CONSOLE_PORT": "high"}, "", "console_port .environment CATWALK_CONSOLE_PORT.*int"),
        ({"CATWALK_CONSOLE_PORT": "70000"}, "", "65535"),
        ({"CATWALK_MODE": "cloud"}, "", "mode .*cloud"),
        ({}, "console_port = 'high'", "console_port .catwalk.toml"),
        ({}, "colour = 1", "catwalk.toml: colour: no setting of that name"),
        ({}, "colour =", "catwalk.toml: not TOML"),
    ],
)
def test_a_wrong_setting_is_named_with_its_source(
    environment: dict[str, str], toml: str, message: str, here: Path
) -> None:
    (here / "catwalk.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        load({}, environment)


MISFORMED = {
    "kafka": ("", "kafka", "kafka:99999", "a b:9092", "bad..host:9092", "kafka:9092,"),
    "kafka_prefix": ("pit 1", "pit/", "ä."),
    "clickhouse_host": ("", "http://store", "store:9000", "bad..host"),
    "clickhouse_database": ("", "a`b", "a-b", "1a"),
    "clickhouse_cluster": ("x y", "`"),
    "health_host": ("", "bad..host"),
    "console_host": ("", "https://desk", "desk/"),
    "notify_smtp_host": ("mail:25", " "),
    "video": (
        "https://v.example/{camra}/{time}",
        "https://v.example/{camera}",
        "https://v.example/{camera}/{time",
    ),
    "video_clip": (
        "https://v.example/{camera}.m3u8",
        "https://v.example/{camera}/{from}/{until}/{time}",
        "{}",
    ),
}
FORMED = {
    "kafka": ("kafka:9092", "10.0.0.1:9092, kafka-2.pit.example:65535", "[2001:db8::1]:9092"),
    "kafka_prefix": ("", "pit-1.", "Pit_1"),
    "clickhouse_host": ("store", "2001:db8::1", "store.kasino.example", "größe.example"),
    "clickhouse_database": ("catwalk", "_Catwalk9"),
    "clickhouse_cluster": ("", "pit-1"),
    "health_host": ("0.0.0.0", "::1"),
    "console_host": ("localhost", "0.0.0.0"),
    "notify_smtp_host": ("", "mail.example"),
    "video": ("", "https://v.example/{camera}?at={time}&table={subject}&event={sequence}"),
    "video_clip": (
        "",
        "/clips/{camera}/{from}-{until}.mp4",
        "https://v.example/{camera}.m3u8?f={from}&u={until}",
    ),
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in MISFORMED for text in MISFORMED[name]])
def test_a_setting_that_cannot_work_is_refused_with_what_to_write(name: str, text: str) -> None:
    variable = f"CATWALK_{name.upper()}"
    said = rf"^setting {name} .environment {variable}.: .+; (write|letters, digits)"
    with pytest.raises(UserError) as refused:
        load({}, {variable: text})
    assert re.match(said, str(refused.value)), refused.value


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in FORMED for text in FORMED[name]])
def test_a_setting_of_the_right_form_is_taken(name: str, text: str) -> None:
    assert getattr(load({}, {f"CATWALK_{name.upper()}": text}).values, name) == text


KEY, BOTH = "CATWALK_SIGNING_KEY", "checkpoints = 'dir'\nsigning_key = 'k'"


@pytest.mark.parametrize(
    ("environment", "toml", "said"),
    [
        ({KEY: "k"}, "", f"environment {KEY}: a key signs nothing without a folder; set checkpoints too"),
        ({}, "[signing]\nkey = 'k'", "catwalk.toml: signing_key: a key signs nothing without a folder"),
        (
            {"CATWALK_CHECKPOINTS": "dir"},
            "",
            "environment CATWALK_CHECKPOINTS: nothing is written there without a key",
        ),
        ({}, "checkpoints = 'dir'", "catwalk.toml: checkpoints: nothing is written there without a key"),
        ({KEY: ""}, BOTH, "catwalk.toml: checkpoints: nothing is written there without a key"),
        ({f"{KEY}_FILE": "k"}, "", f"environment {KEY}_FILE: {KEY} names the file itself; set {KEY} instead"),
        (
            {"CATWALK_MODE": "distributed"},
            BOTH,
            "catwalk.toml: signing_key: checkpoints of topics are not written yet",
        ),
    ],
)
@pytest.mark.parametrize("command", ["record", "verify", "replay", "doctor", "rack"])
def test_half_of_the_settings_of_checkpoints_ends_every_command(
    command: str,
    environment: dict[str, str],
    toml: str,
    said: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (here / "catwalk.toml").write_text(toml, encoding="utf-8")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    named = [] if command == "doctor" else ["s.ndjson", *(["--out", "out"] if command == "replay" else [])]
    assert main([command, *named]) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith(f"catwalk: {said}"), err.count("\n")) == ("", True, 1), err
    assert [path.name for path in here.iterdir()] == ["catwalk.toml"]


def test_the_settings_of_checkpoints_belong_together_wherever_settings_are_loaded(here: Path) -> None:
    with pytest.raises(UserError, match="setting checkpoints: nothing is written there without a key"):
        load({"checkpoints": "dir"}, {})
    (here / "pit.toml").write_text("checkpoints = 'dir'", encoding="utf-8")
    both = load({}, {"CATWALK_CONFIG": "pit.toml", "CATWALK_SIGNING_KEY": "k"}).values
    assert (both.checkpoints, both.signing_key, both.checkpoint_seconds) == ("dir", "k", 60)
    assert load({}, {"CATWALK_CHECKPOINTS": "", "CATWALK_SIGNING_KEY": ""}).values == Settings()


def test_a_variable_that_means_nothing_is_reported() -> None:
    assert load({}, {"CATWALK_PORTT": "1", "OTHER": "2"}).unknown == ("CATWALK_PORTT",)


def test_every_command_says_which_variables_set_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CATWALK_CONSOLE_FACTOR_ROLE", "all")
    assert main(["explain", "672a.7(h)"]) == 0
    said = "CATWALK_CONSOLE_FACTOR_ROLE sets nothing: there is no such setting; `catwalk doctor` has all"
    assert capsys.readouterr().err == f"catwalk: {said}\n"


def test_every_setting_says_what_it_is() -> None:
    assert [setting.name for setting in DECLARED] == list(Settings.__struct_fields__)
    assert all(setting.doc for setting in DECLARED)
    secrets = {s.name for s in DECLARED if s.secret}
    assert secrets == {
        "clickhouse_password",
        "console_factor_key",
        "kafka_password",
        "notify_smtp_password",
        "notify_webhook_token",
        "oidc_secret",
    }


def test_the_document_of_the_settings_is_what_they_declare() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "settings.md"
    again = "python -m tests.cli.settings_page >docs/settings.md"
    assert page.read_text(encoding="utf-8") == settings_page(), again
