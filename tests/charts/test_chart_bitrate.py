"""The bitrate of a trial's videos over time."""

from dataclasses import replace

from scripts.charts.bitrate import bitrate_chart
from scripts.charts.chart_labels import make_labels
from scripts.charts.render import to_spec
from scripts.charts.table_rows import VideoSecondRow
from scripts.model.trials import TrialKey
from tests.charts.sample_qoe import CATALOGUE, CUBIC, SETTING, STALL_AT_S, VIDEO, qoe_tables
from tests.charts.specs import records, rows_of, series_of

LABELS = make_labels(CATALOGUE)
SERIES = series_of(records(VideoSecondRow, qoe_tables()["qoe_video_series"].to_pylist()))[
    TrialKey(SETTING, f"{CUBIC}~{VIDEO}", 1)
]


def layers(spec: dict) -> dict[str, list[dict]]:
    """The rows of each layer of the first panel, by its mark."""
    panel = spec["vconcat"][0]
    return {one["mark"]["type"]: rows_of(spec, one, panel) for one in panel["layer"]}


def changed(**values: object) -> list[VideoSecondRow]:
    """The series with other values in these columns."""
    return [replace(row, **values) for row in SERIES]


def test_the_line_is_the_bitrate_in_mbps_held_to_the_end_of_its_second():
    line = layers(to_spec(bitrate_chart(SERIES, LABELS)))["line"]
    assert [(point["time"], point["bitrate"]) for point in line] == [
        *[(second, 0.75) for second in range(4)],
        *[(second, 3.0) for second in range(4, 11)],
    ]


def test_a_bar_is_the_part_of_a_second_that_the_video_stalled():
    (bar,) = layers(to_spec(bitrate_chart(SERIES, LABELS)))["bar"]
    assert (bar["time"], bar["end"], bar["height"]) == (STALL_AT_S, STALL_AT_S + 1, 0.5 * 3.0)


def test_a_video_that_never_stalled_has_no_bar():
    assert layers(to_spec(bitrate_chart(changed(stalled=0.0), LABELS)))["bar"] == []


def test_two_videos_are_two_panels_over_one_time_axis():
    both = [*SERIES, *changed(client="c10"), *changed(client="c9")]
    spec = to_spec(bitrate_chart(both, LABELS))
    assert [panel["title"]["text"] for panel in spec["vconcat"]] == [
        f"{VIDEO}, {c}" for c in ("c2", "c9", "c10")
    ]
    domains = [panel["layer"][1]["encoding"]["x"]["scale"]["domain"] for panel in spec["vconcat"]]
    assert domains == [[0, 10]] * 3


def test_the_description_has_bitrates_and_stall_time():
    description = to_spec(bitrate_chart(SERIES, LABELS))["description"]
    assert f"{VIDEO}, c2: bitrate between 0.75 and 3.00 Mbps, stalled for 0.5 s" in description
