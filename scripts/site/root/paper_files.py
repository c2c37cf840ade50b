"""The papers of config/papers/: what they print, and which campaigns measure it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import Number, about, with_rules
from scripts.figures.catalogue import CATALOGUE
from scripts.model.expectations import FigureKey
from scripts.model.schemas import read_checked
from scripts.site.data.expectation import NotComparable

PAPERS = ROOT / "config/papers"


Words = Annotated[str, about(minLength=1)]
CampaignName = Annotated[str, about(pattern="^[a-z0-9-]+$")]


@with_rules(anyOf=[{"required": [key]} for key in ("value", "low", "high", "measured")])
@dataclass(frozen=True)
class PrintedNumber:
    """A number that a paper prints, or a range, in the unit of its metric; none where it prints a word."""

    value: Number | None = None
    """The number."""
    low: Number | None = None
    """The lowest number of a range, such as that of `35 % to 40 %` or `more than 95 %`."""
    high: Number | None = None
    """The highest number of a range."""
    of: Words | None = None
    """Which of the numbers of its result it is, such as `at 8 Mbps`."""
    metric: str | None = None
    """A metric of scripts/figures/catalogue.yaml. Default is that of `measured`."""
    measured: tuple[FigureKey, ...] = ()
    """The figures that measure it, in the campaigns that measure the result. A page draws them beside the
    number, each of the first cycle that has it."""

    @property
    def numbers(self) -> tuple[Number, ...]:
        """The number, or the printed ends of the range."""
        return tuple(number for number in (self.value, self.low, self.high) if number is not None)

    @property
    def metric_name(self) -> str:
        """The name of the metric."""
        name = self.measured[0].metric if self.measured else self.metric
        assert name is not None, self
        return name


@with_rules(
    dependentRequired={
        "shown_in": ["shown_by"],
        "shown_by": ["shown_in"],
        "not_comparable": ["expectations"],
    },
    oneOf=[
        {"required": ["expectations"]},
        {"required": ["shown_in"], "not": {"required": ["expectations"]}},
        {"required": ["not_measured"]},
    ],
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
        dict[str, Annotated[tuple[CampaignName, ...], about(minItems=1)]], about(minProperties=1)
    ] = field(default_factory=dict)
    """The expectations that judge it, by campaign: of campaigns of the figure, by name."""
    shown_in: Annotated[tuple[CampaignName, ...], about(minItems=1)] = ()
    """The campaigns that measure it, although they expect nothing of it: of those of the figure. They show it
    until one that has expectations of it is measured."""
    shown_by: Words | None = None
    """Which chart, table or page of their cycles shows it."""
    not_comparable: NotComparable | None = None
    """Why a check that did not come out is no evidence against the result. It is then not comparable, instead
    of different. If the stand-in cannot show the result, a check that came out is no evidence, either."""
    not_measured: Words | None = None
    """Why no campaign measures it."""
    numbers: tuple[PrintedNumber, ...] = ()
    """The printed numbers, where the result has some of a metric."""


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
    campaigns: tuple[CampaignName, ...] = ()
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
        UserError: a file cannot be read, breaks its schema, has a result of a campaign that its figure does
            not list, or a number without a metric.
    """
    return {path.stem: _read_paper(path) for path in sorted(folder.glob("*.yaml"))}


def _read_paper(path: Path) -> Paper:
    paper = read_checked(Paper, path)
    for figure in paper.figures:
        for result in figure.results:
            if undeclared := sorted({*result.expectations, *result.shown_in} - set(figure.campaigns)):
                problem = f"{path}: {figure.name}: {undeclared[0]} is not in its `campaigns`"
                raise UserError(f"{problem}; add it there")
            for number in result.numbers:
                _check_number(number, f"{path}: {figure.name}: {result.of}")
    return paper


def _check_number(number: PrintedNumber, where: str) -> None:
    """Raise UserError unless a number has one known metric, and a range its lowest number first."""
    named = [number.metric, *(key.metric for key in number.measured)]
    metrics = sorted({metric for metric in named if metric is not None})
    if not metrics:
        raise UserError(f"{where}: a number has no metric; add `metric` or `measured`")
    if len(metrics) > 1:
        raise UserError(f"{where}: a number has the metrics {' and '.join(metrics)}; keep one")
    if metrics[0] not in CATALOGUE:
        raise UserError(f"{where}: unknown metric {metrics[0]}; take one of scripts/figures/catalogue.yaml")
    if number.low is not None and number.high is not None and number.low > number.high:
        raise UserError(f"{where}: low: {number.low} is more than {number.high}; exchange them")
