"""How long the refusal of a code takes: unknown, expired, revoked and used-up ones, beside valid ones.

The kinds take turns in a random order, so that a disturbance affects all alike. All refusals must be alike.
"""

import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scripts.base.errors import UserError
from scripts.model.submission import Submission, locked_submissions, write_submission
from scripts.operate.submissions.codes import (
    REFUSAL,
    make_code,
    new_code,
    read_codes,
    revoke_code,
    valid_code,
)
from scripts.operate.submissions.records import new_identity, new_token
from tests.bench.process import Size

TODAY = datetime.now(UTC).date()
TRIES = {"full": 1000, "tiny": 4}
"""How often a code of each kind is tried."""
STORED = {"full": 10, "tiny": 2}
"""The stored codes of each kind."""
KINDS = ("valid", "unknown", "expired", "revoked", "used up")


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """The quartiles of each kind, and how far the medians of the refused kinds are apart."""
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch)
        codes = {kind: [_code(data, kind) for _ in range(STORED[size])] for kind in KINDS}
        turns = [kind for kind in KINDS for _ in range(TRIES[size])]
        random.Random(1).shuffle(turns)
        took: dict[str, list[float]] = {kind: [] for kind in KINDS}
        answers = set()
        for number, kind in enumerate(turns):
            code = codes[kind][number % STORED[size]]
            started = time.perf_counter_ns()
            answer = _answer(data, code)
            took[kind].append((time.perf_counter_ns() - started) / 1000)
            assert (answer is None) == (kind == "valid"), kind
            answers.add(answer)
    assert answers == {None, f"code: {REFUSAL}"}
    medians = {kind: statistics.median(took[kind]) for kind in KINDS}
    for kind in KINDS:
        for name, figure in zip(("q1", "median", "q3"), statistics.quantiles(took[kind]), strict=True):
            yield f"{TRIES[size]} {kind} codes, {name}", figure, "µs"
    refused = [medians[kind] for kind in KINDS[1:]]
    yield "refused kinds, largest difference of medians", max(refused) - min(refused), "µs"


def _answer(data: Path, code: str) -> str | None:
    """The refusal of a code; None if it is valid."""
    try:
        valid_code(data, code, "code", TODAY)
    except UserError as error:
        return str(error)
    return None


def _code(data: Path, kind: str) -> str:
    """A code of a kind."""
    if kind == "unknown":
        return new_code()
    before = {code.id for code in read_codes(data)} if data.is_dir() else set()
    expires = TODAY + timedelta(days=-1 if kind == "expired" else 1)
    text = make_code(data, 1, expires, kind)
    (identity,) = {code.id for code in read_codes(data)} - before
    if kind == "revoked":
        revoke_code(data, identity, TODAY)
    if kind == "used up":
        _use(data, identity)
    return text


def _use(data: Path, code: str) -> None:
    """Store a submission with a code."""
    submission = Submission(
        id=new_identity(),
        name="Example Films",
        address="https://films.iana.org/",
        shown_host="films.iana.org",
        kind="video",
        workload=(),
        contact="me@iana.org",
        code=code,
        release="public",
        settings=("8mbps",),
        contenders=("iperf-bbr",),
        token=new_token(),
        added="2026-12-07T00:00:00Z",
    )
    with locked_submissions(data):
        write_submission(data, submission)
