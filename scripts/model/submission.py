"""A submission: a service that somebody else asks the observatory to measure (Prudentia, 7 and Appendix A).

    data/submissions/
      lock                       held while a record is written
      codes/                     the access codes (scripts/operate/submissions/codes.py)
      <id>/submission.json       the record, whole or not at all
      <id>/definition/           its campaign: campaign.yaml and services/<name>.yaml
      <id>/data/                 a data folder of its own, with its cycle and its snapshot
      <id>/unlisted/             its unlisted pages and its bundle

A submission is a campaign, a cycle and a snapshot of its own. Nothing of it is in data/ or public/ until it
is released, so no figure of another campaign depends on it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from scripts.base.errors import UserError
from scripts.base.locks import locked
from scripts.base.records import Number, about, read_record, with_rules, write_record

FOLDER = "submissions"
RECORD = "submission.json"
DEFINITION = "definition"
DATA = "data"
UNLISTED = "unlisted"
PREFIX = "submission-"
"""The first part of the names of the campaign and the service of every submission."""

PUBLIC = "public"
"""The release of a submission whose results are published as soon as they are measured."""

SubmissionKind = Literal["page", "download", "video", "batched_download"]
SubmissionState = Literal["waiting", "approved", "begun", "measured", "released", "withdrawn"]


_Listed = Annotated[
    str,
    about(
        maxLength=60,
        pattern="^[a-z0-9]+(-[a-z0-9]+)*$",
        because="write a name in small letters, digits and hyphens",
    ),
]


def _list_of(things: str) -> msgspec.Meta:
    reason = f"write a list of 1 to 20 different {things}"
    return about(minItems=1, maxItems=20, uniqueItems=True, because=reason)


@with_rules(title="Submission")
@dataclass(frozen=True, kw_only=True)
class Form:
    """The file that asks the observatory to measure a service.

    Every value is text or a list of texts, as it is written: `on` and `2027-01-31` are text, too.
    """

    name: Annotated[
        str,
        about(
            pattern="^[A-Za-z0-9][A-Za-z0-9 .,'()+-]{0,59}$",
            because="write at most 60 Latin letters, digits, spaces and . , ' ( ) + -, "
            "beginning with a letter or digit",
        ),
    ]
    """The name of the service as pages show it, followed by "(submitted)": Latin letters, digits, spaces and
    . , ' ( ) + -, at most 60. It is not the name of a service that the observatory has."""
    address: Annotated[
        str,
        about(
            minLength=1,
            maxLength=2048,
            because="write a URL of at most 2048 characters, such as https://video.example.org/watch",
        ),
    ]
    """The URL to open, with https and a public host name. A page is loaded. A video plays there without a
    click. A download begins there without a click, and lasts as long as a trial. A batched download is a page
    that fetches files one after the other."""
    kind: Annotated[SubmissionKind, about(because="write page, download, video or batched_download")]
    """What a client does there. A page is judged by its load time, everything else by its throughput."""
    workload: Annotated[
        tuple[
            Annotated[
                str,
                about(
                    pattern="^[a-z0-9*._-]{1,253}$",
                    because="write a host name in small letters, with stars if you like, such as "
                    "*.cdn.example.org",
                ),
            ],
            ...,
        ],
        _list_of("host names"),
    ] = ()
    """Patterns of the host names whose flows are the workload, such as "*.cdn.example.org"; other flows
    (analytics, advertisements) are not. A star matches any characters; none is in the domain that its owner
    registered. Default is every flow."""
    contact: Annotated[
        str,
        about(
            pattern="^[A-Za-z0-9+][A-Za-z0-9 .,@+_'()-]{2,253}$",
            because="write one line of 3 to 254 Latin letters, digits, spaces and . , @ + _ ' ( ) -, such as "
            "me@example.org",
        ),
    ]
    """How to reach you: a mail address, for example. It is never published."""
    code: Annotated[
        str, about(minLength=1, maxLength=100, because="write the access code that the operator gave you")
    ]
    """The access code that the operator gave you. It is not stored and never published."""
    release: Annotated[
        str,
        about(
            pattern="^(public|[0-9]{4}-[0-9]{2}-[0-9]{2})$",
            because="write public, or a day such as 2027-01-31",
        ),
    ]
    """public: the results are published as soon as they are measured. Or a day (YYYY-MM-DD, at most 400 days
    ahead): until then they are at an address that only you and the operator know; on that day they are
    published."""
    settings: Annotated[
        tuple[_Listed, ...],
        _list_of("settings"),
    ] = ()
    """The links on which the service is measured, by the names that the observatory gives them. Default is
    all of them."""
    contenders: Annotated[
        tuple[_Listed, ...],
        _list_of("services"),
    ] = ()
    """The services of the observatory that the service meets, one at a time. A page meets services that are
    judged by their throughput. Default is the observatory's three baselines and six others."""


@dataclass(frozen=True)
class Submission:
    """A submission, and what became of it. Times are UTC, ISO 8601; None: not yet.

    Attributes:
        id: eight random letters and digits.
        name: the name of the service, as pages show it.
        address: the URL to open; its host is in ASCII (IDNA).
        shown_host: the host of the address in Unicode; the same as in the address if it is ASCII.
        kind: the driver that uses the service.
        workload: patterns of the host names whose flows are the workload; empty: every flow.
        contact: how to reach the person. It is never published.
        code: the id of the access code, never the code.
        release: `public`, or the day (ISO 8601) until which the results are unlisted.
        settings, contenders: what is measured: settings of the panel's campaign, services of the catalogue.
        token: 128 random bits in hexadecimal: the address of the unlisted pages.
        added, approved: when it was accepted, and when the operator approved it.
        begun: when the first step of its measurement ran.
        cycle: the name of its cycle.
        hours: how long it was measured so far.
        measured: when its snapshot was frozen.
        published: when files of it were first sent to the remote; since then it cannot be withdrawn unseen.
        withdrawn: when it was withdrawn. Nothing of it was published then, and nothing will be.
        released: when its snapshot was in the archive and published.
        problem: why its last step failed, in one line.
    """

    id: str
    name: str
    address: str
    shown_host: str
    kind: SubmissionKind
    workload: tuple[str, ...]
    contact: str
    code: str
    release: str
    settings: tuple[str, ...]
    contenders: tuple[str, ...]
    token: str
    added: str
    approved: str | None = None
    begun: str | None = None
    cycle: str | None = None
    hours: Number = 0
    measured: str | None = None
    published: str | None = None
    withdrawn: str | None = None
    released: str | None = None
    problem: str | None = None

    @property
    def campaign(self) -> str:
        """The name of its campaign, and of its service in the catalogue of that campaign."""
        return f"{PREFIX}{self.id}"

    @property
    def state(self) -> SubmissionState:
        """How far it is."""
        reached: tuple[tuple[SubmissionState, str | None], ...] = (
            ("withdrawn", self.withdrawn),
            ("released", self.released),
            ("measured", self.measured),
            ("begun", self.begun),
            ("approved", self.approved),
        )
        return next((state for state, at in reached if at), "waiting")

    @property
    def uses_its_code(self) -> bool:
        """Whether it counts as a test of its code. One that is withdrawn before it is begun does not."""
        return not self.withdrawn or bool(self.begun)

    def is_due(self, day: str) -> bool:
        """Whether its results are to be released on a day (ISO 8601)."""
        return self.state == "measured" and (self.release == PUBLIC or self.release <= day)


def is_submission(campaign: str) -> bool:
    """Whether a campaign is that of a submission."""
    return campaign.startswith(PREFIX)


def read_submissions(data: Path) -> list[Submission]:
    """All submissions below a data folder, in the order in which they were added.

    Raises:
        UserError: a record is wrong.
    """
    records = [read_record(Submission, path) for path in (data / FOLDER).glob(f"[!.]*/{RECORD}")]
    return sorted(records, key=lambda one: (one.added, one.id))


def read_submission(data: Path, identity: str) -> Submission:
    """One submission.

    Raises:
        UserError: there is none, or its record is wrong.
    """
    records = (data / FOLDER).glob(f"[!.]*/{RECORD}")
    found = next((path for path in records if path.parent.name == identity), None)
    if found is None:
        raise UserError(f"{data / FOLDER}: has no submission of this id; `list` shows all of them")
    return read_record(Submission, found)


def write_submission(data: Path, submission: Submission) -> None:
    """Write a record, whole or not at all. Hold the lock from reading to writing."""
    path = folder_of(data, submission) / RECORD
    write_record(path, submission)
    path.chmod(0o600)


def folder_of(data: Path, submission: Submission) -> Path:
    """The folder of a submission."""
    return data / FOLDER / submission.id


def withdrawn_after_measuring(submissions: list[Submission]) -> int:
    """How many submissions were withdrawn after they were measured. Only their number is published."""
    return sum(bool(one.withdrawn and one.measured) for one in submissions)


@contextmanager
def locked_submissions(data: Path) -> Iterator[None]:
    """Hold the lock of the submissions; wait for it."""
    folder = data / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(folder / "lock"):
        yield
