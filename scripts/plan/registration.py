"""The registration of a cycle: what decides its verdicts, since when, and after how many trials.

    python -m scripts.plan.registration PLAN_DIR

adds a line to PLAN_DIR/registration.jsonl if what decides a verdict differs from the last line. It reads the
merged configuration in PLAN_DIR and the code that decides, and counts the trials beside PLAN_DIR. No line is
ever changed:

    {"line": 1, "time": "2026-11-26T05:41:00Z", "trials": 0, "previous": …, "sha256": …, "content": …}

`trials` is the number of trials so far, `previous` the SHA-256 of the line before, and `sha256` that of
`content`, as JSON with sorted keys and without spaces. The operator writes the times. Whoever has a copy of
`sha256` from before the first trial can check that nothing was changed since.

PLAN_DIR/registration.json has the number of lines, so that a file that lost some is refused.
"""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import ROOT, parse_json, read_json
from scripts.base.locks import locked
from scripts.base.records import from_json, read_record, to_json, write_record
from scripts.model.specification import SCHEMA_VERSION
from scripts.plan.calibration import PAIR as CALIBRATION

FILE = "registration.jsonl"
LENGTH = "registration.json"
FORM = "%Y-%m-%dT%H:%M:%SZ"

DECIDING = (
    "scripts/figures/catalogue.yaml",
    "scripts/metrics/*.py",
    "scripts/model/campaign.py",
    "scripts/model/caps.py",
    "scripts/model/link.py",
    "scripts/model/rules.yaml",
    "scripts/plan/planner.py",
    "scripts/plan/set_aside.py",
    "scripts/plan/shares.py",
    "scripts/plan/stated.py",
    "scripts/tables/*.sql",
    "scripts/tables/*/*.sql",
    "scripts/tables/formulas.py",
    "scripts/tables/parameters.py",
    "scripts/tables/registration_table.py",
)
"""The code that decides which trials are measured, which count, and what they say."""

MEND = "take the file from a backup, or name a new cycle (cycle=NAME)"

RegisteredContent = Mapping[str, Any]
"""What decides the verdicts: the merged configuration (`campaign`), the version of the specification of a
trial (`specification`), and the SHA-256 of every file that decides (`code`)."""


@dataclass(frozen=True)
class Registered:
    """A line of the registration; the module's docstring explains it."""

    line: int
    time: str
    trials: int
    previous: str | None
    sha256: str
    content: dict[str, Any]

    @property
    def time_ns(self) -> int:
        """The time in ns since the Unix epoch."""
        moment = datetime.strptime(self.time, FORM).replace(tzinfo=UTC)
        return int(moment.timestamp()) * 10**9

    @property
    def text(self) -> str:
        """The line without its end."""
        return json.dumps(to_json(self), ensure_ascii=False)


@dataclass(frozen=True)
class _Length:
    """How many lines there are, and the SHA-256 of the last one."""

    lines: int
    sha256: str


def content_of(campaign: Mapping[str, Any], root: Path = ROOT) -> RegisteredContent:
    """What decides the verdicts of a campaign.

    Args:
        campaign: its merged configuration, as plan/config.json holds it.
        root: the repository.
    """
    files = sorted(path for pattern in DECIDING for path in root.glob(pattern))
    code = {path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}
    return {"campaign": campaign, "specification": SCHEMA_VERSION, "code": code}


def hash_of(content: RegisteredContent) -> str:
    """The SHA-256 of a content, in hexadecimal."""
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(canonical.encode()).hexdigest()


def register(plan: Path, now: datetime | None = None) -> Registered:
    """Add a line to the registration of a cycle, unless its last line says the same.

    Args:
        plan: the folder plan/ of the cycle, with its config.json.
        now: the time; None: that of the clock.

    Returns:
        The last line.

    Raises:
        UserError: the configuration cannot be read, or the registration is damaged.
    """
    content = content_of(read_json(plan / "config.json"))
    checksum, when = hash_of(content), now or datetime.now(UTC)
    with locked(plan):
        lines = read_registration(plan)
        if lines and lines[-1].sha256 == checksum:
            return lines[-1]
        previous = _digest(lines[-1].text) if lines else None
        time, trials = when.astimezone(UTC).strftime(FORM), _trials_so_far(plan)
        added = Registered(len(lines) + 1, time, trials, previous, checksum, dict(content))
        _append(plan / FILE, added.text + "\n")
        write_record(plan / LENGTH, _Length(added.line, _digest(added.text)))
    return added


def read_registration(plan: Path) -> list[Registered]:
    """The lines of a registration; none if the cycle has none.

    Raises:
        UserError: a line is damaged, or lines are missing.
    """
    path, length = plan / FILE, plan / LENGTH
    known = read_record(_Length, length) if length.is_file() else None
    if not path.is_file():
        if known is not None:
            raise UserError(f"{path}: is missing, and had {known.lines} lines; {MEND}")
        return []
    text = path.read_text(encoding="utf-8", errors="replace")
    written = text.split("\n")
    if written.pop():
        raise UserError(f"{path}: line {len(written) + 1}: has no end; {MEND}")
    lines: list[Registered] = []
    for number, line in enumerate(written, start=1):
        lines.append(_parsed(line, number, written[number - 2] if number > 1 else None, path))
    if known is not None:
        if len(lines) < known.lines:
            raise UserError(
                f"{path}: line {len(lines) + 1}: is missing, as are all up to {known.lines}; {MEND}"
            )
        if _digest(written[known.lines - 1]) != known.sha256:
            raise UserError(f"{path}: line {known.lines}: is not the one that was written; {MEND}")
    return lines


def _parsed(line: str, number: int, before: str | None, path: Path) -> Registered:
    """A line, checked against the line before."""
    where = f"{path}: line {number}"
    try:
        entry = from_json(Registered, parse_json(line.encode(), where, MEND), where)
    except UserError as error:
        raise UserError(f"{where}: is damaged; {MEND}") from error
    if entry.line != number or entry.previous != (None if before is None else _digest(before)):
        raise UserError(f"{where}: does not follow the line before; {MEND}")
    if entry.text != line or hash_of(entry.content) != entry.sha256:
        raise UserError(f"{where}: was changed after it was written; {MEND}")
    return entry


def _digest(line: str) -> str:
    return sha256(line.encode()).hexdigest()


def _trials_so_far(plan: Path) -> int:
    trials = (path for path in (plan.parent / "trials").glob("*/*/*") if path.name.isdecimal())
    return sum(path.parent.name != CALIBRATION for path in trials)


def _append(path: Path, text: str) -> None:
    """Add a line in a single write, and wait until it is on the disk."""
    content = text.encode()
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        if os.write(descriptor, content) != len(content):
            raise UserError(f"{path}: its last line could not be written whole; free some space, and {MEND}")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Register what decides now; see the module's docstring."""
    parser = parser_of("scripts.plan.registration", __doc__)
    parser.add_argument("plan", type=Path, metavar="PLAN_DIR", help="data/<campaign>/<cycle>/plan")
    last = register(parser.parse_args(argv).plan)
    print(f"registration: line {last.line}, {last.time}, {last.trials} trials so far, SHA-256 {last.sha256}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
