"""The share of each service of a pair over the time of its trials."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import Labels
from scripts.charts.over_time import over_time
from scripts.charts.render import to_spec
from scripts.charts.table_rows import ShareBinRow
from tests.charts.specs import marked, rows_of, subtitle_of, title_of

LABELS = Labels(
    settings={"10mbps": "10 Mbps"},
    services={"bbr": "BBR", "cubic": "Cubic"},
    colours={"bbr": "#1f7fc4", "cubic": "#d55e00"},
)


def bins(service: str, medians: list[float], pair: str = "bbr~cubic", **values: object) -> list[ShareBinRow]:
    """Bins of 20 s with these medians; the steady window is from 20 to 80 s."""
    (contender,) = {"bbr", "cubic"} - {service}
    row = ShareBinRow(
        *("10mbps", pair, service, contender, "first", 0, 20, 10),
        *(0, 0, 0, 0, 0, 20, 80),
    )
    return [
        replace(
            row,
            start_s=20 * place,
            median=median,
            q25=0.9 * median,
            q75=1.1 * median,
            minimum=0.5 * median,
            maximum=2 * median,
            **values,
        )
        for place, median in enumerate(medians)
    ]


CLIMB = bins("bbr", [0.1, 0.2, 0.4, 0.5, 0.6])
FALL = bins("cubic", [1.9, 1.8, 1.6, 1.5, 1.4])


def spec_of(rows: list[ShareBinRow]) -> dict:
    return to_spec(over_time(rows, LABELS))


def panels_of(spec: dict) -> list[str]:
    """The heading of each panel."""
    return [panel["title"]["text"] for panel in spec["vconcat"]]


def test_each_service_has_a_panel_with_its_name_and_colour():
    spec = spec_of([*FALL, *CLIMB])
    assert ["BBR: MmF share (percent)", "Cubic: MmF share (percent)"] == panels_of(spec)
    colours = [panel["layer"][-1]["mark"]["color"] for panel in spec["vconcat"]]
    assert ["#1f7fc4", "#d55e00"] == colours


def test_the_line_has_the_median_in_percent_at_the_middle_of_its_bin():
    found = [(row["time"], row["median"]) for row in marked(spec_of(CLIMB), "line")]
    assert [(10, 10), (30, 20), (50, 40), (70, 50), (90, 60)] == found


@pytest.mark.parametrize(
    ("n", "band", "words"), [(6, (18, 22), "quartiles"), (5, (10, 40), "from the lowest to the highest")]
)
def test_the_band_is_the_quartiles_from_six_trials_on_and_all_trials_below(n, band, words):
    spec = spec_of([replace(row, n=n) for row in CLIMB])
    row = marked(spec, "area")[1]
    assert pytest.approx(band) == (row["low"], row["high"])
    assert f"n = {n}. Line: median of the trials in bins of 20 s; band: {words} " in subtitle_of(spec)


def test_one_trial_has_neither_median_nor_band_in_words():
    assert "n = 1. Line: bins of 20 s" in subtitle_of(spec_of([replace(row, n=1) for row in CLIMB]))


def test_a_bin_in_which_few_trials_last_has_the_band_of_the_others():
    """A trial with a web page ends with its loads."""
    rows = [*CLIMB[:-1], replace(CLIMB[-1], n=2)]
    assert pytest.approx((54, 66)) == tuple(marked(spec_of(rows), "area")[-1][end] for end in ("low", "high"))


def test_rules_mark_the_start_the_middle_and_the_end_of_the_steady_window():
    spec = spec_of(CLIMB)
    shade, ends, middle, fair = [rows_of(spec, part) for part in spec["vconcat"][0]["layer"][0]["layer"]]
    assert [(0, 20), (80, 100)] == [(row["time"], row["until"]) for row in shade]
    assert [20, 80] == [row["time"] for row in ends] and [50] == [row["time"] for row in middle]
    assert [100] == [row["fair"] for row in fair]
    assert "the steady window, 20–80 s" in subtitle_of(spec)


def test_the_title_has_the_mean_of_the_medians_in_each_half_of_the_steady_window():
    """A bin belongs to the half in which its middle is: that from 40 to 60 s to the second."""
    assert "BBR 20 % then 45 %, Cubic 180 % then 155 % of a fair share" == title_of(spec_of([*CLIMB, *FALL]))


def test_a_window_without_the_middle_of_a_bin_has_the_mean_of_all_bins_in_the_title():
    rows = [replace(row, window_start_s=41, window_stop_s=45) for row in CLIMB]
    assert "BBR 36 % of a fair share" == title_of(spec_of(rows))


def test_below_six_trials_the_title_says_what_was_seen():
    title = title_of(spec_of([replace(row, n=5) for row in CLIMB]))
    assert "Seen: BBR 20 % then 45 % of a fair share" == title


def test_a_self_pair_has_the_worse_off_instance_above_the_other():
    rows = [
        replace(row, pair="bbr~bbr", contender="bbr", instance=instance)
        for instance in ("better_off", "worse_off")
        for row in CLIMB
    ]
    spec = spec_of(rows)
    assert [f"{which} instance: MmF share (percent)" for which in ("worse-off", "better-off")] == panels_of(
        spec
    )
    assert title_of(spec).startswith("BBR against itself: worse-off instance 20 % then 45 %")


def test_of_many_clients_of_a_service_the_first_is_shown_and_named():
    spec = spec_of(bins("cubic", [1], pair="bbr~cubic_16"))
    assert ["Cubic, the first of 16 clients: MmF share (percent)"] == panels_of(spec)


def test_the_panels_have_one_scale_which_is_longer_if_a_share_is():
    spec = spec_of([*CLIMB, *bins("cubic", [4, 4])])
    ends = {panel["layer"][-1]["encoding"]["y"]["scale"]["domain"][1] for panel in spec["vconcat"]}
    assert {440} == {round(end) for end in ends}


def test_the_description_has_every_median():
    assert "BBR: 0–20 s 10 %, 20–40 s 20 %" in spec_of(CLIMB)["description"]
