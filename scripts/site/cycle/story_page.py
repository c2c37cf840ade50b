"""The story of a cycle and the heatmaps of its settings, for its first page and the pages of its settings."""

from collections.abc import Iterable, Sequence

from scripts.charts.heatmap_cells import HARMS, HEATMAPS
from scripts.figures.figure import Figure, as_figures, matrix
from scripts.site.cycle.inputs import Inputs, Row
from scripts.site.data.campaign_summary import service_summaries, setting_summaries
from scripts.site.data.figures import figures
from scripts.site.heatmap_table import heatmap_table
from scripts.site.story.whole import Measured, setting_story, story


def story_page(inputs: Inputs) -> Row:
    """The story; `pages` has the sentences and the heatmaps of every setting by name."""
    measured = _measured(inputs)
    settings = [one.name for one in measured.settings]
    pages = {
        name: setting_story(measured, name) | _heatmaps(inputs, measured.figures, name) for name in settings
    }
    return story(measured) | {"pages": pages}


def _measured(inputs: Inputs) -> Measured:
    counted = sum(inputs.valid.values())
    return Measured(
        setting_summaries(inputs.campaign),
        service_summaries(inputs.campaign),
        as_figures(figures(inputs.tables_dir)),
        counted,
        len(inputs.valid) - counted,
        inputs.provenance.compared_with,
    )


def _heatmaps(inputs: Inputs, rows: Sequence[Figure], setting: str) -> Row:
    """The `heatmaps` of a setting, none without a cell, and those of `harms` that it has."""

    def tables(kinds: Iterable[str]) -> list[Row]:
        return [
            heatmap_table(rows, setting, kind, inputs.labels.service)
            | {"chart": inputs.chart(f"{kind}-{setting}")}
            for kind in kinds
        ]

    return {
        "heatmaps": tables(HEATMAPS if matrix(rows, setting) else ()),
        "harms": tables(kind for kind in HARMS if inputs.chart(f"{kind}-{setting}")),
    }
