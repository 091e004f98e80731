"""Who may do what, on the brokers and on the server: what each needs, and nothing that undoes the ledger."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from deploy.backup.topic_files import COPIED
from schemas.topics import EVENTS, GROUPS, TOPICS, VERSIONS
from tests.deploy.files import DEPLOY

with (DEPLOY / "kafka" / "acls.csv").open(encoding="utf-8", newline="") as _file:
    ROWS = list(csv.DictReader(_file))
ACLS = {
    (row["principal"], row["resource"], row["name"].removesuffix(".v*")): set(row["operations"].split())
    for row in ROWS
}
SERVER = dict(
    line.split("=", 1)
    for line in (DEPLOY / "kafka" / "server.properties").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
CLICKHOUSE = sorted((DEPLOY / "clickhouse").rglob("*.xml"))
USERS = ElementTree.parse(DEPLOY / "clickhouse" / "users.d" / "catwalk.xml").getroot()


def test_each_worker_may_read_what_its_group_takes_and_be_in_that_group() -> None:
    for group in GROUPS:
        for topic in group.topics:
            assert {"DESCRIBE", "READ"} <= ACLS[group.worker, "topic", topic.name], group.worker
        assert ACLS[group.worker, "group", group.name] == {"DESCRIBE", "READ"}


@pytest.mark.parametrize("who", ["console", "reconcile"])
def test_who_tells_how_far_each_worker_is_behind_may_ask(who: str) -> None:
    for group in GROUPS:
        assert ACLS[who, "group", group.name] == {"DESCRIBE"}
        for topic in group.topics:
            assert ACLS[who, "topic", topic.name] == {"DESCRIBE", "READ"}


def test_nobody_may_delete_or_alter_and_only_gateways_write_the_ledger() -> None:
    for (principal, _, name), operations in ACLS.items():
        assert not operations & {"DELETE", "ALTER", "ALL", "CLUSTER_ACTION"}, (principal, name)
    assert {p for (p, _, name), ops in ACLS.items() if name == EVENTS.name and "WRITE" in ops} == {"gateway"}


def test_who_backs_up_may_read_what_is_copied_and_nothing_else() -> None:
    rights = {name: operations for (who, _, name), operations in ACLS.items() if who == "backup"}
    assert rights == {topic.name: {"DESCRIBE", "READ"} for topic in (*COPIED, VERSIONS)}


def test_rights_are_about_topics_and_groups_that_exist_and_the_operator_may_make_all_of_them() -> None:
    names = {"topic": {t.name for t in TOPICS}, "group": {g.name for g in GROUPS}}
    for _, resource, name in ACLS:
        assert name in names[resource]
    assert {name for p, r, name in ACLS if (p, r) == ("operator", "topic")} == names["topic"]


def test_rights_hold_for_every_version_of_the_fold_where_names_carry_it_and_nowhere_else() -> None:
    by_fold = {topic.name for topic in TOPICS if topic.by_fold} | {group.name for group in GROUPS}
    for row in ROWS:
        name = row["name"].removesuffix(".v*")
        of_topic_alone = row["resource"] == "topic" and name in {t.name for t in TOPICS if not t.by_fold}
        assert (row["name"] != name) is (name in by_fold and not of_topic_alone), row


def test_the_brokers_let_nobody_in_without_tls_a_name_and_a_right() -> None:
    assert SERVER["allow.everyone.if.no.acl.found"] == "false"
    assert SERVER["authorizer.class.name"].endswith("StandardAuthorizer")
    assert "PLAINTEXT" not in SERVER["listener.security.protocol.map"]
    assert SERVER["unclean.leader.election.enable"] == "false"
    assert SERVER["auto.create.topics.enable"] == "false"
    assert int(SERVER["min.insync.replicas"]) == int(SERVER["default.replication.factor"]) - 1 == 2
    for listener in (part.partition("://")[0] for part in SERVER["listeners"].split(",")):
        assert f"{listener}:" in SERVER["listener.security.protocol.map"]


@pytest.mark.parametrize("path", CLICKHOUSE, ids=lambda path: path.stem)
def test_the_server_s_files_are_well_formed(path: Path) -> None:
    assert ElementTree.parse(path).getroot().tag == "clickhouse"


def test_users_of_the_server_have_what_they_need_and_no_more() -> None:
    grants = {user.tag: [q.text or "" for q in user.iter("query")] for user in USERS.findall("users/*")}
    assert grants["admin"] == []  # all rights, and no SQL to give them on
    assert "INSERT ON catwalk_v*.*" in grants["sink"][0]
    assert grants["reader"] == ["GRANT SELECT ON catwalk_v*.*", "GRANT SELECT ON system.parts"]
    for user, told in grants.items():
        for word in ("ALTER", "DELETE", "DROP", "TRUNCATE", "ALL", "CREATE"):
            assert not [query for query in told if word in query], user
    assert USERS.find("users/default") is not None
    assert USERS.findall("users/default")[0].get("remove") == "remove"


def test_passwords_come_from_the_environment_and_profiles_and_quotas_exist() -> None:
    profiles = {profile.tag for profile in USERS.findall("profiles/*")}
    quotas = {quota.tag for quota in USERS.findall("quotas/*")} | {"default"}
    for user in USERS.findall("users/*"):
        if user.get("remove"):
            continue
        assert user.findtext("profile") in profiles, user.tag
        assert user.findtext("quota") in quotas, user.tag
        digest = user.find("password_sha256_hex")
        if digest is None:
            assert {ip.text for ip in user.iter("ip")} == {"127.0.0.1", "::1"}, user.tag
        else:
            assert digest.get("from_env") == f"CATWALK_{user.tag.upper()}_SHA256"
    assert USERS.findtext("profiles/reader/readonly") == "2"


def test_the_cluster_is_named_alike_where_it_is_made_and_where_it_is_used() -> None:
    cluster = ElementTree.parse(DEPLOY / "clickhouse" / "config.d" / "cluster.xml").getroot()
    shards = cluster.findall("remote_servers/floor/shard")
    assert len(shards) == 2
    for shard in shards:
        assert shard.findtext("internal_replication") == "true"
        assert len(shard.findall("replica")) == 3  # an insert waits for most of them
    settings = (DEPLOY / "kubernetes" / "settings.yaml").read_text(encoding="utf-8")
    assert "CATWALK_CLICKHOUSE_CLUSTER: floor" in settings
    assert {macro.tag for macro in cluster.findall("macros/*")} == {"shard", "replica"}


@pytest.mark.parametrize("script", ["kafka/acls.sh", "clickhouse/secrets.sh"])
def test_scripts_are_shell_that_stops_at_its_first_error(script: str) -> None:
    path = DEPLOY / script
    assert "set -euo pipefail" in path.read_text(encoding="utf-8")
    subprocess.run(["bash", "-n", str(path)], check=True)


def test_the_script_gives_each_right_once(tmp_path: Path) -> None:
    said = tmp_path / "said"
    tool = tmp_path / "kafka-acls.sh"
    tool.write_text(f'#!/bin/sh\necho "$@" >>{said}\n', encoding="utf-8")
    tool.chmod(0o755)
    subprocess.run(
        [str(DEPLOY / "kafka" / "acls.sh"), "b:9094", "x."],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        check=True,
    )
    lines = said.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(ACLS)
    assert "--allow-principal User:fold --topic x.catwalk.events " in lines[3]
    assert lines[3].endswith("--operation DESCRIBE --operation READ")
    assert "--allow-principal User:fold --topic x.catwalk.snapshots.v " in lines[4]
    assert lines[4].endswith("--operation READ --operation WRITE --resource-pattern-type prefixed")
    assert any("--operation DESCRIBECONFIGS" in line for line in lines)
