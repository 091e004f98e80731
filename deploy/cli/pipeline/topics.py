"""`catwalk topics`: create the topics, or compare them with what this release declares."""

from __future__ import annotations

import click

from deploy.cli.options import as_json, output_format, whoever
from deploy.configured.kafka import connection
from deploy.errors import FOUND
from deploy.settings import load
from processors.runtime.watch.logs import quiet
from producers.kafka.topics import TopicAdmin
from schemas.amounts import amount

EPILOG = """\b
Example:
  catwalk topics apply
  catwalk topics check --format json
"""


@click.group("topics", epilog=EPILOG)
def command() -> None:
    """Create the topics, or compare them with what this release declares.

    The settings kafka_prefix, kafka_partitions and kafka_replication say what a deployment chooses.
    """


@command.command("apply", epilog="\b\nExample:\n  CATWALK_KAFKA_PARTITIONS=12 catwalk topics apply\n")
@output_format("Output.")
def apply(form: str) -> None:
    """Create what is missing and correct settings; done again it does nothing.

    The number of partitions and of copies of a topic that is there is never changed; where it is not as
    declared, that is said, and the exit status is 1. Where no version of the fold was ever put in force,
    this release's is.
    """
    _compare(form, apply=True)


@command.command("check", epilog="\b\nExample:\n  catwalk topics check\n")
@output_format("Output.")
def check(form: str) -> None:
    """Name every field that is not as declared; exit status 1 if there is one."""
    _compare(form, apply=False)


def _compare(form: str, *, apply: bool) -> None:
    """Compare the topics with what is declared, print what was done and what differs; end with 1 if anything does."""
    settings = load().values
    with TopicAdmin(connection(settings)) as admin:
        wanted = admin.forms(settings.kafka_prefix, settings.kafka_partitions, settings.kafka_replication)
        changed = admin.apply(wanted) if apply else []
        drifts = admin.drifts_after(wanted, changed)
    if apply:
        from deploy.upgrade.switching import (
            name_the_first,  # with the workers' client, that `check` need not load
        )

        quiet()
        name_the_first(settings, whoever())
    if form == "json":
        click.echo(as_json({"topics": wanted, "changed": changed, "drift": drifts}))
    else:
        for drift in changed:
            done = "created" if drift.field == "topic" else f"{drift.field} {drift.found} -> {drift.declared}"
            click.echo(f"{drift.topic:<28}  {done}")
        for drift in drifts:
            found = "not there" if drift.found is None else f"{drift.field} is {drift.found}"
            wants = "" if drift.field == "topic" else f", declared {drift.declared}"
            click.echo(f"{drift.topic:<28}  {found}{wants}; {drift.remedy}")
        if not drifts:
            said = "/".join(map(str, sorted({topic.partitions for topic in wanted})))
            copies = amount(wanted[0].replication, "copy")
            parts = f"{said} partition{'' if said == '1' else 's'}"
            click.echo(f"{amount(len(wanted), 'topic')} as declared, {parts}, {copies}")
    if drifts:
        raise SystemExit(FOUND)
