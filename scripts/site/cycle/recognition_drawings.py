"""The queue of each service alone, and those of the labelled traces that it is most like.

The drawing has the typical trial that the table recognition names. Its labelled traces are in compared/.
"""

from scripts.model.comparison import LABELS, RECOGNITION
from scripts.recognition.library import read_library
from scripts.recognition.solos import read_solos
from scripts.recognition.traces import SLOT_S, TRACE_S, Trace
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs
from scripts.site.data.campaign_summary import setting_summaries
from scripts.site.drawn.series import Look, SeriesLine, SmallSeries, drawn_series
from scripts.site.service_shares import MOST_SETTINGS
from scripts.site.story.names import short_titles


def recognition_drawings(inputs: Inputs) -> dict[str, list[Row]]:
    """The drawings of each service, one for each setting with a typical trial, MOST_SETTINGS at most.

    Returns:
        By service: rows with `title`, the setting; `row`, that of the table; and `series` (drawn_series). A
        service without a trace has none, and so has a cycle without labelled traces.
    """
    rows = [row for row in inputs.tables[RECOGNITION] if row["distance"] is not None]
    if not rows or not (inputs.source / LABELS).is_file():
        return {}
    library = read_library(inputs.source / LABELS)
    labelled = dict(zip((label.address for label in library.labels), library.traces, strict=True))
    solos = read_solos(inputs.tables_dir, inputs.campaign.settings)
    traces = {(solo.key.setting, solo.key.pair, solo.key.number): solo.trace for solo in solos}
    titles = short_titles(setting_summaries(inputs.campaign))
    drawn: dict[str, list[Row]] = {}
    for row in rows:
        own = traces.get((str(row["setting"]), str(row["service"]), int(str(row["trial"]))))
        drawings = drawn.setdefault(str(row["service"]), [])
        if own is not None and len(drawings) < MOST_SETTINGS:
            nearest = [labelled[address] for address in str(row["nearest"] or "").split()]
            drawings.append(drawing(titles[str(row["setting"])], row, own, nearest))
    return {service: drawings for service, drawings in drawn.items() if drawings}


def drawing(title: str, row: Row, own: Trace, nearest: list[Trace]) -> Row:
    """A drawing of the occupancy of the queue over the time since the end of slow start."""
    lines = [*(_line("c", trace) for trace in nearest), _line("a", own)]
    series = SmallSeries(tuple(lines), TRACE_S, 1, "queue, part of its limit", size="low")
    return {"title": title, "row": row, "series": drawn_series(series)}


def _line(look: Look, trace: Trace) -> SeriesLine:
    return SeriesLine(look, [(place * SLOT_S, float(value)) for place, value in enumerate(trace[:, 0])])
