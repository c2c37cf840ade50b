"""The papers of config/papers/: what they print, and which campaigns measure it."""

from dataclasses import dataclass, field
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import from_json
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check

PAPERS = ROOT / "config/papers"


@dataclass(frozen=True)
class PrintedResult:
    """A result that a paper prints.

    Attributes:
        result: the number, or what stands for one, as the paper prints it: `about 5.5`, `hardly differ`.
        of: what it is a result of.
        where: where the paper prints it, such as `section 4`.
        expectations: the names of the expectations that judge it, by campaign.
        shown_in: the campaigns that measure it, if they expect nothing of it.
        shown_by: which chart, table or page of their cycles shows it; None if `shown_in` is empty.
        not_measured: why no campaign measures it; None if one does.
    """

    result: str
    of: str
    where: str
    expectations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    shown_in: tuple[str, ...] = ()
    shown_by: str | None = None
    not_measured: str | None = None


@dataclass(frozen=True)
class PaperFigure:
    """A figure or table of a paper.

    Attributes:
        name: its name in the paper, such as `Fig 4`.
        title: what it shows, as a heading.
        shows: the same in a few sentences.
        campaigns: the campaigns that measure it. The short form of a campaign X is called X-short.
        charts: the charts of a cycle that show it; a name that ends with a hyphen is the beginning of names.
        results: what is printed in it and about it.
    """

    name: str
    title: str
    shows: str
    results: tuple[PrintedResult, ...]
    campaigns: tuple[str, ...] = ()
    charts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paper:
    """A paper.

    Attributes:
        title, authors, venue, year, doi: as it was published; slides may have neither year nor DOI.
        says: what it says, in a few sentences.
        figures: those that have results, in the order of the paper.
        differs_because: why our results may differ from the printed ones.
        left_out: which figures are not here, and why; None if all are.
    """

    title: str
    authors: tuple[str, ...]
    venue: str
    says: str
    figures: tuple[PaperFigure, ...]
    differs_because: tuple[str, ...]
    year: int | None = None
    doi: str | None = None
    left_out: str | None = None


def read_papers(folder: Path = PAPERS) -> dict[str, Paper]:
    """Read every paper by the name of its file, without `.yaml`.

    Raises:
        UserError: a file cannot be read, breaks its schema, or has a result of a campaign that its figure
            does not list.
    """
    return {path.stem: _read_paper(path) for path in sorted(folder.glob("*.yaml"))}


def _read_paper(path: Path) -> Paper:
    content = load_yaml(path)
    check(content, "paper", lambda _keys: str(path))
    paper = from_json(Paper, content, str(path))
    for figure in paper.figures:
        for result in figure.results:
            if unlisted := sorted({*result.expectations, *result.shown_in} - set(figure.campaigns)):
                problem = f"{path}: {figure.name}: {unlisted[0]} is not in its `campaigns`"
                raise UserError(f"{problem}; add it there")
    return paper
