"""Where a clause and the record's own contradiction say the same thing: one finding cites both."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from processors.core.anomaly import Anomaly
from schemas.findings import Finding


def told_once(
    findings: list[Finding], anomalies: Iterable[Anomaly]
) -> tuple[list[Finding], tuple[Anomaly, ...]]:
    """A hand racked as other cards than were dealt contradicts the shoe as well: one finding cites both."""
    for place, finding in enumerate(findings):
        if finding.check != "rack.hand" or not (finding.verdict == "breached" or finding.because_of):
            continue
        mine = [one for one in anomalies if one.check == "integrity.shoe" and one.verdict == "breached"]
        if mine and finding.verdict == "breached":
            cites = (*finding.cites, "integrity.shoe")
            findings[place] = msgspec.structs.replace(finding, cites=cites)
        return findings, tuple(one for one in anomalies if one not in mine)
    return findings, tuple(anomalies)


def placed_once(
    findings: list[Finding], anomalies: Iterable[Anomaly]
) -> tuple[list[Finding], tuple[Anomaly, ...]]:
    """A card laid where none was due, and that the shoe did not give up, is one wrong: one finding cites both."""
    mine = [one for one in anomalies if one.check == "integrity.witness" and one.verdict == "breached"]
    place = next((at for at, finding in enumerate(findings) if finding.verdict == "breached"), None)
    if not mine or place is None:
        return findings, tuple(anomalies)
    found = findings[place]
    findings[place] = msgspec.structs.replace(found, cites=(*found.cites, "integrity.witness"))
    return findings, tuple(one for one in anomalies if one not in mine)


def of_the_rest(findings: Iterable[Finding], clause: str) -> list[Finding]:
    """The rest of a shoe goes to the rack so that it can be seen that no card is missing: 7(d)(1) is cited too."""
    return [
        msgspec.structs.replace(one, cites=(*one.cites, clause)) if one.check == "integrity.shoe" else one
        for one in findings
    ]
