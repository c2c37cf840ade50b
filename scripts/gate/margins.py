"""The margins of the gate: config/gate.yaml."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import Number, about
from scripts.figures.catalogue import CATALOGUE
from scripts.model.pairs import Name
from scripts.model.schemas import read_checked

FILE = ROOT / "config/gate.yaml"

TABLES = ("pairs", "qoe_pairs")
"""The metrics of these tables have one value of each service in a trial."""

Side = Literal["candidate", "contender"]
Worse = Literal["more", "less", "either"]


@dataclass(frozen=True)
class Margin:
    """How much worse the candidate may be than the base in one figure."""

    metric: Annotated[str, about(minLength=1)]
    """The metric, by its name in scripts/figures/catalogue.yaml."""
    of: Side
    """Whose value counts. candidate: that of the candidate, compared with that of the base. contender: that
    of the service beside it, compared with what it has beside the base."""
    worse: Worse
    """Which difference, candidate minus base, is worse: more, less, or either."""
    margin: Annotated[Number, about(exclusiveMinimum=0)]
    """The difference from which on it is too much, in the unit."""
    unit: Annotated[str, about(minLength=1)]
    """The unit of the margin. It is that of the metric in the catalogue: fraction (0.1 is ten points), ms."""
    why: Annotated[str, about(minLength=1)]
    """Why this margin, in one sentence."""


@dataclass(frozen=True)
class GateSettings:
    """What the gate judges a candidate by. Each figure is judged beside each contender."""

    margins: Annotated[
        dict[str, Margin], about(minProperties=1, propertyNames={"pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"})
    ]
    """The figures by the names that reports give them, each with its margin."""
    settings: dict[Name, dict[str, Any]] = field(default_factory=dict)
    """Links besides those of config/config.yaml, in its form. `--settings` names them."""


def read_settings(path: Path = FILE) -> GateSettings:
    """Read the margins.

    Raises:
        UserError: the file cannot be read, breaks its schema, or contradicts the catalogue of metrics.
    """
    settings = read_checked(GateSettings, path)
    for name, margin in settings.margins.items():
        _check(margin, f"{path}: margins.{name}")
    return settings


def _check(one: Margin, where: str) -> None:
    """Refuse what the catalogue contradicts."""
    metric = CATALOGUE.get(one.metric)
    if metric is None or metric.table not in TABLES:
        known = ", ".join(name for name, other in CATALOGUE.items() if other.table in TABLES)
        raise UserError(f"{where}.metric: {one.metric!r} is no metric of pairs; known are: {known}")
    if one.unit != metric.unit:
        raise UserError(f"{where}.unit: {one.metric} has the unit {metric.unit}; write the margin in it")
    if metric.relative and one.of == "candidate":
        raise UserError(
            f"{where}.of: {one.metric} compares with trials alone, which differ for candidate and base and "
            "scatter too; take that of the contender"
        )
