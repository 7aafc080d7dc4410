"""`apprenti doctor`: what this machine has, and what is missing or slow."""

import json
from dataclasses import asdict, dataclass

from apprenti.lab.doctor import examine


@dataclass(frozen=True)
class Options:
    """Look at this machine: versions, extras, cores, memory, compiled code, and what to do about what is missing."""

    json: bool = False
    """Print one JSON object and nothing else."""


def run(options: Options) -> None:
    """Print what was found."""
    findings = examine()
    if options.json:
        print(json.dumps({"findings": [asdict(finding) for finding in findings]}))
        return
    for finding in findings:
        print(f"{finding.what:<14} {finding.found}" + (f"\n{'':<14} → {finding.mend}" if finding.mend else ""))
