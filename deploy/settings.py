"""Settings, declared once as data: command line > environment (`CATWALK_...`) > `catwalk.toml` > default.

Secrets are read from the environment or from files alone; a secret on the command line would stand in the
process list, one in `catwalk.toml` in the repository.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import msgspec
from msgspec import Meta, Struct

from deploy.checkpoint_settings import refuse_half_set
from deploy.errors import UserError
from deploy.setting_forms import refuse_misformed

FILE_NAME = "catwalk.toml"
PREFIX = "CATWALK_"
FILE_VARIABLE = "CATWALK_CONFIG"

SKIP_LIVE = PREFIX + "SKIP_LIVE"  # for those who run the tests: leave out what needs a server

Port = Annotated[int, Meta(ge=1, le=65535)]
Count = Annotated[int, Meta(ge=1, le=1000)]


SECRET = Meta(extra={"secret": True})


class Settings(Struct, frozen=True, kw_only=True):
    """Every setting with its type, meaning and default; `CATWALK_<NAME>` is its variable."""

    data: Annotated[str, "folder of the embedded ledger and store"] = "data"
    mode: Annotated[
        Literal["embedded", "distributed"],
        "embedded: SQLite and chDB in process; distributed: Kafka and ClickHouse",
    ] = "embedded"
    kafka: Annotated[str, "Kafka brokers, host:port, separated by commas"] = "localhost:9092"
    kafka_security: Annotated[
        Literal["plaintext", "ssl", "sasl_plaintext", "sasl_ssl"],
        "how brokers are reached: ssl is TLS, sasl signs in with a user and password",
    ] = "plaintext"
    kafka_ca: Annotated[str, "PEM file of who signs the brokers' certificates; empty: the system's"] = ""
    kafka_certificate: Annotated[str, "PEM file of this client's certificate; empty: none"] = ""
    kafka_certificate_key: Annotated[str, "PEM file of that certificate's key"] = ""
    kafka_mechanism: Annotated[
        Literal["SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN"], "how the user signs in to the brokers"
    ] = "SCRAM-SHA-512"
    kafka_user: Annotated[str, "user who signs in to the brokers"] = ""
    kafka_password: Annotated[str, SECRET, "password of that user"] = ""
    kafka_prefix: Annotated[str, "put before the names of all topics and groups: deployments may share"] = ""
    kafka_partitions: Annotated[Count, "partitions of each topic; never changed once there are events"] = 6
    kafka_replication: Annotated[
        int, Meta(ge=0, le=9), "copies of each topic; 0: one for each broker, at most three"
    ] = 0
    journal_days: Annotated[
        int,
        Meta(ge=0, le=3650),
        "days that a gateway's journal keeps what Kafka has acknowledged; 0: for ever",
    ] = 7
    clickhouse_host: Annotated[str, "name or address of the ClickHouse server"] = "localhost"
    clickhouse_port: Annotated[Port, "native port of the ClickHouse server"] = 9000
    clickhouse_database: Annotated[
        str, "database in it: the name before the fold's version (`catwalk_v8`)"
    ] = "catwalk"
    clickhouse_user: Annotated[str, "user who signs in to it"] = "default"
    clickhouse_password: Annotated[str, SECRET, "password of that user"] = ""
    clickhouse_tls: Annotated[bool, "whether to speak TLS to it; its certificate is always verified"] = False
    clickhouse_ca: Annotated[str, "PEM file of who signs its certificate; empty: the system's"] = ""
    clickhouse_compress: Annotated[bool, "whether rows travel compressed, for a slow way to it"] = False
    clickhouse_answer_seconds: Annotated[
        int, Meta(ge=1, le=3600), "seconds of silence after which a server is given up and asked again"
    ] = 60
    clickhouse_cluster: Annotated[str, "cluster the relations are spread over; empty: one server"] = ""
    clickhouse_retention_years: Annotated[
        int, Meta(ge=0, le=100), "years that rows stay in the store; 0: for ever"
    ] = 0
    health_host: Annotated[str, "address on which a worker tells its health and figures"] = "127.0.0.1"
    health_port: Annotated[
        int, Meta(ge=0, le=65535), "port on which a worker tells its health and figures; 0: none"
    ] = 0
    console_host: Annotated[str, "address the console listens on"] = "127.0.0.1"
    console_port: Annotated[Port, "port the console listens on"] = 8080
    console_users: Annotated[
        str, "folder of who may sign in; consoles of one machine may share it; empty: the data folder"
    ] = ""
    console_factor_roles: Annotated[
        str, "roles that must have a second factor, separated by commas; all; none"
    ] = "all"
    console_factor_key: Annotated[
        str,
        SECRET,
        "key that seals secrets of second factors at rest, 32 bytes in base64; empty: file rights alone",
    ] = ""
    console_proxies: Annotated[
        str, "addresses or networks of proxies whose X-Forwarded-For is believed, separated by commas"
    ] = ""
    case_files: Annotated[
        str,
        "folder of files attached to cases; consoles of one desk share it; empty: attachments beside the users",
    ] = ""
    dispute_days: Annotated[
        int, Meta(ge=1, le=365), "days from its opening within which a dispute is to be decided"
    ] = 30
    dispute_two_from_cents: Annotated[
        int,
        Meta(ge=0, le=100_000_000_000),
        "a decision of a dispute that moves more needs a second person; in cents, 0: every one with money",
    ] = 100_000
    pattern_pages: Annotated[
        float,
        Meta(ge=0, le=1000),
        "false pages that suspicions about patterns may cause in a shift, all families together",
    ] = 1.0
    pattern_pages_of: Annotated[
        str,
        "families with a budget of their own, separated by commas: pace=0.2, counting=0; the others share the rest",
    ] = ""
    oidc_issuer: Annotated[
        str, "identity provider (OpenID Connect) people may sign in at, as it names itself; empty: none"
    ] = ""
    oidc_label: Annotated[str, "what the sign-in page calls it"] = "your organisation"
    oidc_client: Annotated[str, "this console's client id there"] = ""
    oidc_secret: Annotated[str, SECRET, "this console's client secret there"] = ""
    oidc_name_claim: Annotated[str, "claim of the ID token that holds the user's name"] = "preferred_username"
    oidc_role_claim: Annotated[
        str, "claim that holds what decides the role; a dot goes into it: realm_access.roles"
    ] = "roles"
    oidc_roles: Annotated[
        str, "what of that claim is which role, the first that is found counts: cctv=surveillance, it=admin"
    ] = ""
    oidc_amr: Annotated[
        str, "methods of which the token's amr must hold one, separated by commas; empty: not looked at"
    ] = "mfa"
    oidc_acr: Annotated[
        str, "contexts of which the token's acr must be one, separated by commas; empty: not looked at"
    ] = ""
    notify_severity: Annotated[
        Literal["critical", "major", "minor", "info"], "alerts of this severity and graver are paged"
    ] = "critical"
    notify_within_minutes: Annotated[
        int, Meta(ge=1, le=1440), "minutes from raising an alert within which a page of it is tried"
    ] = 60
    notify_console: Annotated[str, "address of the console for links in pages; empty: none"] = ""
    notify_smtp_host: Annotated[str, "mail server that takes pages; empty: no mail"] = ""
    notify_smtp_port: Annotated[Port, "port of that server"] = 587
    notify_smtp_security: Annotated[
        Literal["starttls", "tls", "none"], "how it is spoken to; none on this machine alone"
    ] = "starttls"
    notify_smtp_user: Annotated[str, "user who signs in to it; empty: nobody does"] = ""
    notify_smtp_password: Annotated[str, SECRET, "password of that user"] = ""
    notify_mail_from: Annotated[str, "sender of pages"] = ""
    notify_mail_to: Annotated[str, "who gets them by mail, addresses separated by commas"] = ""
    notify_webhook: Annotated[str, "address that takes pages as a POST of JSON; empty: none"] = ""
    notify_webhook_token: Annotated[str, SECRET, "bearer token for that address"] = ""
    notify_ca: Annotated[
        str, "PEM file of who signs the certificates of mail server and webhook; empty: the system's"
    ] = ""
    signing_key: Annotated[
        str, "file of `catwalk keygen` by which checkpoints are signed; empty: none are written"
    ] = ""
    checkpoints: Annotated[
        str, "folder that signed checkpoints are written into, outside of the data folder; empty: none are"
    ] = ""
    checkpoint_seconds: Annotated[
        int, Meta(ge=1, le=86_400), "seconds within which what was recorded is in a signed checkpoint"
    ] = 60
    video: Annotated[
        str, "link to the video of a camera at a time, with {camera} and {time}; empty: none"
    ] = ""
    video_clip: Annotated[
        str,
        "recording shown beside a hand, MP4 or HLS (.m3u8), with {camera}, {from} and {until}; empty: none",
    ] = ""

    def __repr__(self) -> str:
        """The settings without their secrets: what is logged or shown in a traceback holds none."""
        shown = ", ".join(f"{s.name}={'...' if s.secret else repr(getattr(self, s.name))}" for s in DECLARED)
        return f"Settings({shown})"


@dataclass(frozen=True, slots=True)
class Declared:
    """One setting as declared: its name, meaning, default, and whether it is a secret."""

    name: str
    doc: str
    default: Any
    secret: bool

    @property
    def variable(self) -> str:
        """Environment variable that sets it."""
        return PREFIX + self.name.upper()

    @property
    def file_variable(self) -> str:
        """Environment variable that names a file holding it (secrets only)."""
        return self.variable + "_FILE"


@dataclass(frozen=True, slots=True)
class Resolved:
    """The settings in force, where each value came from, and what was set but means nothing."""

    values: Settings
    origins: Mapping[str, str]
    unknown: tuple[str, ...]


def _declared() -> tuple[Declared, ...]:
    hints = get_type_hints(Settings, include_extras=True)
    rows = []
    for field in msgspec.structs.fields(Settings):
        *metas, doc = hints[field.name].__metadata__
        rows.append(Declared(field.name, doc, field.default, SECRET in metas))
    return tuple(rows)


DECLARED = _declared()
_BY_NAME = {setting.name: setting for setting in DECLARED}


def refuse_half_set_anywhere() -> None:
    """Refuse half of checkpoints for commands that load no settings; a file that is no TOML is for `load` to name.

    Raises:
        UserError: a key is given without a folder, a folder without a key, or both where none are written.
    """
    named = _named_file(os.environ)
    try:
        content = _flat(tomllib.loads((named or Path(FILE_NAME)).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        content = {}
    mode = os.environ.get(PREFIX + "MODE") or str(content.get("mode"))
    refuse_half_set({}, os.environ, str(named or FILE_NAME), content, mode)


def _named_file(environment: Mapping[str, str]) -> Path | None:
    return Path(environment[FILE_VARIABLE]) if environment.get(FILE_VARIABLE) else None


def load(
    overrides: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Resolved:
    """Resolve all settings.

    Args:
        overrides: values of the command line by setting; None stands for an option that was not given.
        environment: default: the process's.
        file: default: what `CATWALK_CONFIG` names, else `catwalk.toml` here if there is one.

    Raises:
        UserError: a file that cannot be read, a name that is no setting, a value of the wrong type or form,
            a secret where none may stand, half of the settings of checkpoints.
    """
    environment = os.environ if environment is None else environment
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    for setting in DECLARED:
        if setting.secret and setting.name in given:
            remedy = f"set {setting.variable} or {setting.file_variable}"
            raise UserError(setting.name, "a secret may not stand on the command line", remedy)
    named = file or _named_file(environment)
    content = _flat(_read_file(named))
    raw: dict[str, Any] = {}
    origins = {setting.name: "default" for setting in DECLARED}
    for layer, origin in (
        (_of_file(content, named), str(named or FILE_NAME)),
        (_of_environment(environment), "environment"),
        (given, "command line"),
    ):
        for name, value in layer.items():
            raw[name] = value
            origins[name] = f"environment {_BY_NAME[name].variable}" if origin == "environment" else origin
    values = _converted(raw, origins)
    refuse_half_set(given, environment, str(named or FILE_NAME), content, values.mode)
    return Resolved(values, origins, unknown_variables(environment))


def _converted(raw: Mapping[str, Any], origins: Mapping[str, str]) -> Settings:
    types = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    values = {}
    for name, value in raw.items():
        try:
            values[name] = msgspec.convert(value, types[name], strict=False)
        except msgspec.ValidationError as error:
            remedy = f"it is the {_BY_NAME[name].doc}, by default {_BY_NAME[name].default!r}"
            raise UserError(f"setting {name} ({origins[name]})", str(error), remedy) from error
    refuse_misformed(values, origins)
    return Settings(**values)


def _of_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    layer: dict[str, Any] = {}
    for setting in DECLARED:
        if setting.secret and setting.file_variable in environment:
            layer[setting.name] = _secret_file(setting, Path(environment[setting.file_variable]))
        if setting.variable in environment:
            layer[setting.name] = environment[setting.variable]
    return layer


def _read_file(named: Path | None) -> dict[str, Any]:
    path = named or Path(FILE_NAME)
    if named is None and not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(str(path), error.strerror or "unreadable", "name a readable settings file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(str(path), f"not TOML: {error}", "correct the line named") from error


def _of_file(content: Mapping[str, Any], named: Path | None) -> dict[str, Any]:
    path = named or Path(FILE_NAME)
    layer: dict[str, Any] = {}
    for name, value in content.items():
        holder = _BY_NAME.get(name.removesuffix("_file"))
        if holder is not None and holder.secret:
            if name == holder.name:
                remedy = f'write {name}_file = "PATH", or set {holder.variable}'
                raise UserError(f"{path}: {name}", "a secret may not stand in the settings file", remedy)
            layer[holder.name] = _secret_file(holder, Path(str(value)))
        elif name in _BY_NAME:
            layer[name] = value
        else:
            remedy = "`catwalk doctor` lists all settings"
            raise UserError(f"{path}: {name}", "no setting of that name", remedy)
    return layer


def _flat(content: Mapping[str, Any]) -> dict[str, Any]:
    """`[clickhouse] host = ...` and `clickhouse_host = ...` say the same."""
    flat: dict[str, Any] = {}
    for name, value in content.items():
        if isinstance(value, dict):
            flat.update({f"{name}_{inner}": content for inner, content in value.items()})
        else:
            flat[name] = value
    return flat


def _secret_file(setting: Declared, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "unreadable"
        raise UserError(f"{setting.name} from {path}", why, "name a readable file with the secret") from error


def unknown_variables(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Variables that are named like settings, and set none."""
    known = {FILE_VARIABLE, SKIP_LIVE, *(s.variable for s in DECLARED)}
    known |= {s.file_variable for s in DECLARED if s.secret}
    return tuple(sorted(name for name in environment if name.startswith(PREFIX) and name not in known))
