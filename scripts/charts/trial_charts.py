"""The charts of one trial, from the trial's own rows."""

from pathlib import Path

import pyarrow.compute as pc

from scripts.charts.bitrate import bitrate_chart
from scripts.charts.chart_labels import Labels
from scripts.charts.table_files import read_rows, read_table, records_of
from scripts.charts.table_rows import SlotRow, VideoSecondRow
from scripts.charts.theme import Charts
from scripts.charts.timeline import timeline


def trial_charts(trial: Path, labels: Labels) -> Charts:
    """The charts of a trial with their names. A failed trial may have none.

    Args:
        trial: the folder of the trial's tables.
        labels: titles and colours of the services.
    """
    slots = read_rows(trial, "trial_series", SlotRow)
    if slots:
        yield f"trial-{slots[0].key.name}", timeline(slots, labels)
    table = read_table(trial, "qoe_video_series")
    known = table.filter(pc.is_valid(table["bitrate_kbps"]))
    seconds = records_of(known, VideoSecondRow, str(trial / "qoe_video_series.parquet"))
    if seconds:
        yield f"bitrate-{seconds[0].key.name}", bitrate_chart(seconds, labels)
