"""The declarations: what they refuse, what DDL they make, and that shipped migrations stay as they were."""

from __future__ import annotations

from dataclasses import replace

import pytest

from schemas.warehouse import MIGRATIONS, RELATIONS, Column, Migration, Relation, Topology
from schemas.warehouse.ddl import add_column, create, create_database
from schemas.warehouse.migrations import AddColumn, Create, relations_after

SMALL = Relation(
    name="small",
    grain="one row for each event's copy",
    columns=(
        Column("subject", "LowCardinality(String)", "gaming table"),
        Column("sequence", "UInt32", "the event's sequence", "Delta, ZSTD(1)"),
        Column("decided_at", "DateTime64(6, 'UTC')", "when"),
        Column("fold_version", "UInt32", "version"),
    ),
    key=("subject", "sequence"),
    version="fold_version",
    partition_by="toYYYYMM(decided_at)",
)


def test_one_server_gets_one_relation_that_is_on_the_disk_before_it_answers() -> None:
    assert create(SMALL, Topology("pit")) == (
        """CREATE TABLE IF NOT EXISTS `pit`.`small`
(
    `subject` LowCardinality(String) COMMENT 'gaming table',
    `sequence` UInt32 COMMENT 'the event\\'s sequence' CODEC(Delta, ZSTD(1)),
    `decided_at` DateTime64(6, 'UTC') COMMENT 'when',
    `fold_version` UInt32 COMMENT 'version'
)
ENGINE = ReplacingMergeTree(`fold_version`)
PARTITION BY toYYYYMM(decided_at)
ORDER BY (`subject`, `sequence`)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'one row for each event\\'s copy'""",
    )


def test_a_cluster_gets_replicas_that_hold_the_rows_and_a_relation_that_spreads_them() -> None:
    local, spread = create(SMALL, Topology("pit", cluster="floor", retention_years=5))
    assert local.startswith("CREATE TABLE IF NOT EXISTS `pit`.`small_local` ON CLUSTER `floor`\n(")
    path = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"
    assert f"ENGINE = ReplicatedReplacingMergeTree({path}, `fold_version`)\n" in local
    first, last = (f"toDateTime64('{year}-01-01 00:00:00', 6, 'UTC')" for year in (1970, 2100))
    kept = f"toDateTime(greatest({first}, least(decided_at, {last}))) + INTERVAL 5 YEAR"
    assert f"\nTTL {kept}\n" in local
    assert spread.startswith("CREATE TABLE IF NOT EXISTS `pit`.`small` ON CLUSTER `floor`\n(")
    assert "ENGINE = Distributed(`floor`, `pit`, `small_local`, cityHash64(subject))\n" in spread
    assert create_database(Topology("pit", cluster="floor")) == (
        "CREATE DATABASE IF NOT EXISTS `pit` ON CLUSTER `floor`"
    )


def test_a_column_is_added_where_the_rows_are_before_where_they_are_spread() -> None:
    note = Column("note", "String", "remark")
    added = " ON CLUSTER `floor` ADD COLUMN IF NOT EXISTS `note` String COMMENT 'remark'"
    assert add_column("small", note, Topology("pit", cluster="floor")) == (
        f"ALTER TABLE `pit`.`small_local`{added}",
        f"ALTER TABLE `pit`.`small`{added}",
    )


def test_a_declaration_that_contradicts_itself_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="small: no column of it: absent"):
        replace(SMALL, key=("absent",))
    with pytest.raises(ValueError, match="small: declared twice: sequence"):
        replace(SMALL, columns=(*SMALL.columns, SMALL.columns[1]))
    with pytest.raises(ValueError, match="Decimal"):
        replace(SMALL, columns=(*SMALL.columns, Column("money", "Decimal(18, 2)", ""))).refuse_misfits([])


def test_migrations_are_numbered_without_gaps_and_create_nothing_twice() -> None:
    with pytest.raises(ValueError, match="migration 3 stands in place 2"):
        relations_after((Migration(1, "", ()), Migration(3, "", ())))
    with pytest.raises(ValueError, match="small is created twice"):
        relations_after((Migration(1, "", (Create(SMALL), Create(SMALL))),))
    note = Column("note", "String", "remark")
    grown = relations_after((Migration(1, "", (Create(SMALL), AddColumn("small", note))),))
    assert grown["small"].column_names == (*SMALL.column_names, "note")


@pytest.mark.parametrize("relation", RELATIONS.values(), ids=RELATIONS)
def test_every_relation_says_what_it_holds_and_derives_its_key_from_the_event(relation: Relation) -> None:
    assert relation.grain.startswith("one row for each ")
    assert all(column.comment for column in relation.columns)
    assert "subject" in relation.key
    machine = ("now(", "rand", "generate")
    assert not any(word in relation.partition_by for word in machine)
    money = [column for column in relation.columns if column.name.endswith("_cents")]
    assert all(column.type in ("Int64", "Nullable(Int64)") for column in money)


def test_shipped_migrations_stay_as_they_were() -> None:
    # A store that saw a migration never sees it again: to change a relation, write the next number.
    assert {migration.number: migration.digest[:16] for migration in MIGRATIONS} == {
        1: "6bde455550af4cb3",
        2: "3586bba227fcbcf4",
        3: "ce67d342cdcc431d",
        4: "4b1947ee1cc3372d",
        5: "748e65846530e916",
        6: "d78bfa38597fce32",
        7: "b564ce672191024c",
        8: "3cbecab8264982ee",
    }
