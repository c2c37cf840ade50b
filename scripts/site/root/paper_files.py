"""The papers of config/papers/: what they print, and which campaigns measure it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import about, with_rules
from scripts.model.schemas import read_checked
from scripts.site.data.expectation import NotComparable

PAPERS = ROOT / "config/papers"


Words = Annotated[str, about(minLength=1)]
Name = Annotated[str, about(pattern="^[a-z0-9-]+$")]


@with_rules(
    dependentRequired={
        "shown_in": ["shown_by"],
        "shown_by": ["shown_in"],
        "not_comparable": ["expectations"],
    },
    oneOf=[{"required": ["expectations"]}, {"required": ["shown_in"]}, {"required": ["not_measured"]}],
)
@dataclass(frozen=True)
class PrintedResult:
    """A result that a paper prints."""

    result: Words
    """The number, or what stands for one, as the paper prints it: `about 5.5`, `hardly differ`."""
    of: Words
    """What it is a result of."""
    where: Words
    """Where the paper prints it, such as `section 4`."""
    expectations: Annotated[
        dict[str, Annotated[tuple[Name, ...], about(minItems=1)]], about(minProperties=1)
    ] = field(default_factory=dict)
    """The expectations that judge it, by campaign: of campaigns of the figure, by name."""
    shown_in: Annotated[tuple[Name, ...], about(minItems=1)] = ()
    """The campaigns that measure it, although they expect nothing of it: of those of the figure."""
    shown_by: Words | None = None
    """Which chart, table or page of their cycles shows it."""
    not_comparable: NotComparable | None = None
    """Why a check that did not come out is no evidence against the result. It is then not comparable, instead
    of different."""
    not_measured: Words | None = None
    """Why no campaign measures it."""


@dataclass(frozen=True)
class PaperFigure:
    """A figure or table of a paper."""

    name: Annotated[str, about(pattern="^(Fig|Table|Section|Observation|Equation|Slide) [0-9A-Za-z.-]+$")]
    """Its name in the paper, such as `Fig 4`."""
    title: Words
    """What it shows, as a heading."""
    shows: Words
    """The same in a few sentences, in our words."""
    results: Annotated[tuple[PrintedResult, ...], about(minItems=1)]
    """What is printed in it and about it."""
    campaigns: tuple[Name, ...] = ()
    """The campaigns that measure it. The short form of a campaign X is called X-short. A result is judged by
    each campaign; a short form counts only where its long form has no verdict."""
    charts: tuple[Annotated[str, about(pattern="^[a-z0-9_~-]+$")], ...] = ()
    """The charts of a cycle that show it; a name that ends with a hyphen is the beginning of names."""


@dataclass(frozen=True)
class Paper:
    """A paper, figure by figure, and the campaigns that measure it."""

    title: Words
    """The title, as published."""
    authors: Annotated[tuple[Words, ...], about(minItems=1)]
    """The authors, as published."""
    venue: Words
    """Where it was published."""
    says: Words
    """What the paper says, in a few sentences of ours."""
    figures: Annotated[tuple[PaperFigure, ...], about(minItems=1)]
    """Those that have results, in the order of the paper."""
    differs_because: tuple[Words, ...]
    """Why our results may differ from the printed ones."""
    year: Annotated[int | None, about(minimum=1900)] = None
    """The year; slides may have none."""
    doi: Annotated[str | None, about(pattern=r"^10\.[0-9]{4,9}/[^ ]+$")] = None
    """The DOI; slides may have none."""
    left_out: Words | None = None
    """Which figures are not here, and why."""


def read_papers(folder: Path = PAPERS) -> dict[str, Paper]:
    """Read every paper by the name of its file, without `.yaml`.

    Raises:
        UserError: a file cannot be read, breaks its schema, or has a result of a campaign that its figure
            does not list.
    """
    return {path.stem: _read_paper(path) for path in sorted(folder.glob("*.yaml"))}


def _read_paper(path: Path) -> Paper:
    paper = read_checked(Paper, path)
    for figure in paper.figures:
        for result in figure.results:
            if unlisted := sorted({*result.expectations, *result.shown_in} - set(figure.campaigns)):
                problem = f"{path}: {figure.name}: {unlisted[0]} is not in its `campaigns`"
                raise UserError(f"{problem}; add it there")
    return paper
