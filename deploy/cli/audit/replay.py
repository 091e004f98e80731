"""`catwalk replay`: recorded streams through the pipeline, offline."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from deploy.cli.options import FOLDER, PATH, output_format
from deploy.errors import FOUND, UserError
from deploy.private_files import files_of_the_user
from deploy.progress import progress
from deploy.replay.compare import FindingsDifference, compare
from deploy.replay.run import ReplaySummary, replay, worth_starting
from deploy.replay.sources import StreamSource, find
from processors.games.readings import READINGS, UnknownReading, resolve
from schemas.amounts import amount, verb

RIVALLED = tuple(reading.id for reading in READINGS.values() if reading.rivals)
EXAMPLE = """\b
Example:
  catwalk replay examples/ --out out --jobs 2
  catwalk replay data/ledger.db --out out --fail-on breached
"""


@click.command("replay", epilog=EXAMPLE)
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH...")
@click.option("--out", required=True, type=FOLDER, help="Folder for the results.")
@click.option(
    "--jobs", type=click.IntRange(1, 256),
    help="Processes; one table each.  [default: the machine's cores; 1 for a few small streams]",
)  # fmt: skip
@click.option(
    "--reading", "readings", multiple=True, metavar="A1=literal", help="Read an unclear place this way."
)
@click.option(
    "--fail-on", type=click.Choice(["breached", "indeterminate"]),
    help="End with status 1 when a finding has this verdict (or a worse one).",
)  # fmt: skip
@click.option(
    "--compare-readings", "compared", metavar="A1",
    help="Also write what the rival readings of this place would change to readings.ndjson.",
)  # fmt: skip
@click.option(
    "--proofs/--no-proofs", default=True,
    help="Weigh what each round's rack proves: about a fifth of the time.",
)  # fmt: skip
@click.option(
    "--patterns/--no-patterns", default=True,
    help="Look for patterns that no single round shows: about a third more time.",
)  # fmt: skip
@output_format()
def command(
    paths: tuple[Path, ...],
    out: Path,
    jobs: int | None,
    readings: tuple[str, ...],
    fail_on: str | None,
    compared: str | None,
    proofs: bool,
    patterns: bool,
    form: str,
) -> None:
    """Audit streams (.ndjson, .gz, folders, ledgers): rounds, findings, dead letters and a summary into --out.

    A pattern is a finding with the verdict `suspected`: it is no breach, and --fail-on does not ask about it.
    """
    # All that is written is what was asked for: into --out, as the user's umask says.
    click.get_current_context().with_resource(files_of_the_user())
    chosen = parse_readings(readings)
    if compared is not None and compared not in RIVALLED:
        why, remedy = "the place has no rival reading", "see docs/readings.md"
        if compared not in READINGS:
            why, remedy = "no such place", f"there are: {', '.join(RIVALLED)}"
        raise UserError(f"--compare-readings {compared}", why, remedy)
    sources = find(paths, leave_out=out)
    processes = jobs or worth_starting(sources)
    with progress("replay", None, "events") as advance:
        summary = replay(
            sources, out, jobs=processes, readings=chosen, proofs=proofs, patterns=patterns, advance=advance
        )
    if form == "json":
        click.echo((out / "summary.json").read_text("utf-8"), nl=False)
    else:
        click.echo(as_table(summary, out))
    if compared is not None:
        click.echo(compare_readings(sources, compared, out))
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
            remedy = "name the place and its policy"
            raise UserError(f"--reading {pair}", "not of the form A1=literal", remedy)
        chosen[place.strip()] = policy.strip()
    try:
        resolve({}, chosen)
    except UnknownReading as error:
        raise UserError("--reading", str(error), "see docs/readings.md") from error
    return chosen


def compare_readings(sources: list[StreamSource], place: str, out: Path) -> str:
    """Write `readings.ndjson`: the stakes and findings that rival readings change; a line that sums them up."""
    rounds: set[tuple[str, str, int]] = set()
    stakes = cents = held = more = fewer = 0
    with (out / "readings.ndjson").open("wb") as target:
        for source in sources:
            for difference in compare(source, place):
                target.write(msgspec.json.encode(difference) + b"\n")
                if isinstance(difference, FindingsDifference):
                    held += 1
                    more += len(difference.only_to)
                    fewer += len(difference.only_at)
                    continue
                rounds.add((difference.file, difference.subject, difference.round))
                stakes += 1
                cents += difference.cents
    reading = READINGS[place]
    return (
        f"{place}: read {' or '.join(reading.rivals)} instead of {reading.default}, {amount(len(rounds), 'round')} and "
        f"{amount(stakes, 'stake')} {verb(len(rounds) + stakes, 'changes')}, "
        f"patrons by {'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}; "
        f"findings of {amount(held, 'round')}, {fewer:,} {verb(fewer, 'goes')} and {more:,} {verb(more, 'comes')}"
    )


def as_table(summary: ReplaySummary, out: Path) -> str:
    """The summary for a person: totals, then findings by verdict and by check."""
    broken = [file for file in summary.files if file.chain == "broken"]
    lines = [
        f"{amount(len(summary.files), 'table')}, {amount(summary.records, 'event')}, "
        f"{amount(summary.rounds, 'round')}, {amount(summary.findings, 'finding')}, "
        f"{amount(summary.deadletters, 'dead letter')} -> {out}"
    ]
    lines += [f"  {verdict:<14} {count:>8,}" for verdict, count in summary.by_verdict.items()]
    lines += [f"  {check:<28} {count:>8,}" for check, count in summary.by_check.items()]
    if summary.unsaid:
        words, cards, rounds = (
            summary.unsaid.words_missing,
            summary.unsaid.cards_inferred,
            summary.unsaid.rounds,
        )
        lines.append(
            f"  {amount(words, 'word')} of devices missing in {amount(rounds, 'round')}, {amount(cards, 'card')} "
            "inferred: rounds.ndjson names them"
        )
    lines += [
        f"  {file.file} ({file.subject}): chain broken, first bad sequence {file.first_bad_sequence}"
        for file in broken[:20]
    ]
    if len(broken) > 20:
        lines.append(f"  ... and {len(broken) - 20:,} more broken chains")
    return "\n".join(lines)
