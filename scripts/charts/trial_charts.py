"""The charts of single trials, from a folder of their tables."""

from pathlib import Path

from scripts.charts.bitrate import bitrate_chart
from scripts.charts.chart_labels import Labels
from scripts.charts.table_files import by_trial
from scripts.charts.table_rows import SlotRow, VideoSecondRow
from scripts.charts.theme import Charts
from scripts.charts.timeline import timeline


def trial_charts(tables: Path, labels: Labels) -> Charts:
    """The charts of every trial with their names. A failed trial may have none.

    Args:
        tables: the folder of the tables of one trial, or of all trials of a cycle.
        labels: titles and colours of the services.
    """
    for key, slots in by_trial(tables, "trial_series", SlotRow, known="slot"):
        yield f"trial-{key.name}", timeline(slots, labels)
    for key, seconds in by_trial(tables, "qoe_video_series", VideoSecondRow, known="bitrate_kbps"):
        yield f"bitrate-{key.name}", bitrate_chart(seconds, labels)
