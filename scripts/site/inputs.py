"""What the site is made from: the cycle's tables, its charts, its published trials, and two JSON files."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.charts.heatmap import HEATMAPS, cells_of
from scripts.charts.tables import read_table

TABLES = (
    "pairs",
    "solo",
    "services",
    "findings",
    "excluded",
    "changes",
    "trial_services",
    "validity",
    "calibration",
    "workloads",
    "qoe_pairs",
    "qoe_video",
    "qoe_rtc",
    "qoe_web",
)

OPTIONAL_TABLES = ("equivalence",)


@dataclass(frozen=True)
class Inputs:
    """Where everything is, and what was read of it.

    Attributes:
        tables_dir, charts_dir, published_dir, config_path, provenance_path: the sources.
        config: the campaign's merged configuration.
        provenance: which cycle, when and on what.
        tables: rows of each table the pages draw on, by name; a NaN is None.
    """

    tables_dir: Path
    charts_dir: Path
    published_dir: Path
    config_path: Path
    provenance_path: Path
    config: dict[str, Any]
    provenance: dict[str, Any]
    tables: dict[str, list[dict[str, Any]]]


def read_inputs(tables: Path, charts: Path, published: Path, config: Path, provenance: Path) -> Inputs:
    """Read and check the sources.

    Raises:
        UserError: one is missing, cannot be read, or names a setting or service the configuration lacks.
    """
    for folder, made_by in ((tables, "tables"), (charts, "charts"), (published, "published trials")):
        if not folder.is_dir():
            raise UserError(f"{folder}: no such folder; make the {made_by} first, or name their folder")
    inputs = Inputs(
        tables,
        charts,
        published,
        config,
        provenance,
        config=_read(config),
        provenance=_read(provenance),
        tables={name: _rows(read_table(tables, name)) for name in TABLES}
        | {
            name: _rows(read_table(tables, name))
            for name in OPTIONAL_TABLES
            if (tables / f"{name}.parquet").is_file()
        },
    )
    _check_names(inputs)
    _check_charts(inputs)
    return inputs


def _read(path: Path) -> dict[str, Any]:
    """One of the two JSON files."""
    if not path.is_file():
        raise UserError(f"{path}: no such file; make it first, or name it")
    try:
        return read_json(path)
    except UserError as error:
        raise UserError(f"{path}: not JSON as the cycle writes it; make it again ({error})") from error


def existing(inputs: Inputs, chart: str) -> str | None:
    """The name of a chart; None where it was not drawn."""
    return chart if (inputs.charts_dir / f"{chart}.svg").is_file() else None


def _rows(table: pa.Table) -> list[dict[str, Any]]:
    return [
        {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in row.items()
        }
        for row in table.to_pylist()
    ]


def _check_names(inputs: Inputs) -> None:
    for key in ("settings", "services", "trial", "campaign", "title"):
        if key not in inputs.config:
            raise UserError(f"{inputs.config_path}: lacks `{key}`; give the campaign's merged configuration")
    for key in ("campaign", "cycle"):
        if key not in inputs.provenance:
            raise UserError(f"{inputs.provenance_path}: lacks `{key}`; give the cycle's provenance")
    for row in inputs.tables["trial_services"]:
        for key, known in (("setting", "settings"), ("service", "services")):
            if row[key] not in inputs.config[known]:
                raise UserError(
                    f"{inputs.tables_dir}/trial_services.parquet: {key} {row[key]!r} is not in "
                    f"{inputs.config_path}; give the configuration these tables were made with"
                )


def _check_charts(inputs: Inputs) -> None:
    for setting in sorted({row["setting"] for row in inputs.tables["pairs"]}):
        for kind in HEATMAPS if cells_of(inputs.tables["pairs"], setting) else ():
            for ending in ("svg", "json"):
                path = inputs.charts_dir / f"{kind}-{setting}.{ending}"
                if not path.is_file():
                    raise UserError(f"{path}: no such chart; make the charts again from these tables")
