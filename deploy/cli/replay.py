"""`catwalk replay`: recorded streams through the pipeline, offline."""

from __future__ import annotations

from pathlib import Path

import click

from deploy.cli.errors import FOUND, UserError
from deploy.cli.progress import progress
from deploy.replay.run import Summary, replay
from deploy.replay.sources import find
from processors.games.readings import UnknownReading, resolve

EXAMPLE = """\b
Example:
  catwalk replay examples/ --out out --jobs 2
  catwalk replay data/ledger.db --out out --fail-on breached
"""


@click.command("replay", epilog=EXAMPLE)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder for the results."
)
@click.option(
    "--jobs", default=1, show_default=True, type=click.IntRange(1, 256), help="Processes; one table each."
)
@click.option(
    "--reading", "readings", multiple=True, metavar="A1=literal", help="Read an unclear place this way."
)
@click.option(
    "--fail-on",
    type=click.Choice(["breached", "indeterminate"]),
    help="End with status 1 when a finding has this verdict (or a worse one).",
)
@click.option("--format", "form", default="table", show_default=True, type=click.Choice(["table", "json"]))
def command(
    paths: tuple[Path, ...], out: Path, jobs: int, readings: tuple[str, ...], fail_on: str | None, form: str
) -> None:
    """Audit streams (.ndjson, .gz, folders, ledgers): rounds, findings, dead letters and a summary into --out."""
    chosen = parse_readings(readings)
    sources = find(paths)
    with progress("replay", None, "events") as advance:
        summary = replay(sources, out, jobs=jobs, readings=chosen, advance=advance)
    if form == "json":
        click.echo((out / "summary.json").read_text("utf-8"), nl=False)
    else:
        click.echo(as_table(summary, out))
    worse = {"breached": ("breached",), "indeterminate": ("breached", "indeterminate")}
    if fail_on and any(summary.by_verdict.get(verdict) for verdict in worse[fail_on]):
        raise SystemExit(FOUND)


def parse_readings(readings: tuple[str, ...]) -> dict[str, str]:
    """`A1=literal` pairs as a map.

    Raises:
        UserError: a pair without `=`, or a reading that does not exist.
    """
    chosen: dict[str, str] = {}
    for pair in readings:
        place, equals, policy = pair.partition("=")
        if not equals:
            raise UserError(
                f"--reading {pair}", "not of the form A1=literal", "name the place and its policy"
            )
        chosen[place.strip()] = policy.strip()
    try:
        resolve({}, chosen)
    except UnknownReading as error:
        raise UserError("--reading", str(error), "see docs/readings.md") from error
    return chosen


def as_table(summary: Summary, out: Path) -> str:
    """The summary for a person: totals, then findings by verdict and by check."""
    broken = [file for file in summary.files if file.chain == "broken"]
    lines = [
        f"{len(summary.files):,} tables, {summary.records:,} events, {summary.rounds:,} rounds, "
        f"{summary.findings:,} findings, {summary.deadletters:,} dead letters -> {out}"
    ]
    lines += [f"  {verdict:<14} {count:>8,}" for verdict, count in summary.by_verdict.items()]
    lines += [f"  {check:<28} {count:>8,}" for check, count in summary.by_check.items()]
    lines += [
        f"  {file.file} ({file.subject}): chain broken, first bad sequence {file.first_bad_sequence}"
        for file in broken[:20]
    ]
    if len(broken) > 20:
        lines.append(f"  ... and {len(broken) - 20:,} more broken chains")
    return "\n".join(lines)
