"""The bitrate of a trial's videos over time."""

import random
from dataclasses import replace

from scripts.charts.bitrate import bitrate_chart
from scripts.charts.chart_labels import make_labels
from scripts.charts.render import to_spec
from scripts.charts.table_rows import VideoSecondRow
from tests.charts.sample_cycle import trial_rows
from tests.charts.sample_qoe import CATALOGUE, CUBIC, SETTING, STALL_AT_S, VIDEO, seconds
from tests.charts.specs import layers_of, marked, records, title_of

LABELS = make_labels(CATALOGUE)
TRIAL = trial_rows(random.Random(2), SETTING, f"{CUBIC}~{VIDEO}", 1)
SERIES = records(
    VideoSecondRow, [second for row in TRIAL if row["service"] == VIDEO for second in seconds(row)]
)
WINDOW = (2.0, 9.0)


def spec_of(shown: list[VideoSecondRow] = SERIES) -> dict:
    return to_spec(bitrate_chart(shown, WINDOW, LABELS))


def changed(**values: object) -> list[VideoSecondRow]:
    """The series with other values in these columns."""
    return [replace(row, **values) for row in SERIES]


def test_the_line_is_the_bitrate_in_mbps_held_to_the_end_of_its_second():
    assert [(point["time"], point["bitrate"]) for point in marked(spec_of(), "line")] == [
        *[(second, 0.75) for second in range(4)],
        *[(second, 3.0) for second in range(4, 11)],
    ]


def test_a_stall_is_a_bar_as_long_as_the_part_of_its_second():
    (bar,) = marked(spec_of(), "rect")
    assert (STALL_AT_S, STALL_AT_S + 0.5) == (bar["time"], bar["end"])


def test_a_video_that_never_stalled_has_no_bar_and_its_title_says_so():
    spec = spec_of(changed(stalled=0.0))
    assert [] == marked(spec, "rect")
    assert f"{VIDEO}, c2: 2.10 Mbps on average, never stalled" == title_of(spec)


def test_all_but_the_steady_window_is_shaded():
    shade = spec_of()["vconcat"][0]["layer"][0]
    assert [(0, 2.0), (9.0, 10)] == [(row["time"], row["until"]) for row in shade["data"]["values"]]


def test_two_videos_are_two_panels_over_one_time_axis_and_with_one_scale():
    louder = [replace(row, client="c10", bitrate_kbps=2 * row.bitrate_kbps) for row in SERIES]
    spec = spec_of([*SERIES, *louder, *changed(client="c9")])
    assert [f"{VIDEO}, {c}: bitrate (Mbps)" for c in ("c2", "c9", "c10")] == [
        panel["title"]["text"] for panel in spec["vconcat"]
    ]
    encodings = [layer["encoding"] for layer in layers_of(spec, "line")]
    assert [[0, 10]] * 3 == [encoding["x"]["scale"]["domain"] for encoding in encodings]
    assert 1 == len({tuple(encoding["y"]["scale"]["domain"]) for encoding in encodings})


def test_the_description_has_bitrates_and_stall_time():
    assert f"{VIDEO}, c2: bitrate between 0.75 and 3.00 Mbps, stalled for 0.5 s" in spec_of()["description"]
