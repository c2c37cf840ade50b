"""The pictures of a service: strips of both directions, facts, and what users notice."""

from dataclasses import replace

from scripts.charts.chart_labels import Labels
from scripts.figures.figure import WIRE_RATE
from scripts.site.service_shares import MeasuredServices, service_pictures
from tests.site.sample_figures import FAST, SERVICES, SLOW, figure, recognised, share

LABELS = Labels(services={one.name: one.title for one in SERVICES}, shorts={"bbr": "BBR"})
LOSES, WINS = share("video", "bbr", 0.4), share("video", "cubic", 1.5)
SELF, TAKEN = share("video", "video", 0.9), share("cubic", "video", 0.6)
FIGURES = (LOSES, WINS, SELF, TAKEN, figure("video", "", WIRE_RATE, 7.5, unit="Mbps"))
CELL = ("8mbps", "video", "bbr", "first")


def pictures(*rows, trials=None, recognised=()):
    """The pictures of the video service with these figures in two settings."""
    measured = MeasuredServices(
        rows,
        (SLOW, FAST),
        SERVICES,
        LABELS,
        page=lambda folder: folder,
        trials=trials or {},
        recognised=recognised,
    )
    return service_pictures(measured, "video")


def strip_of(row):
    return row["cells"][0]["strip"]


def test_what_others_leave_it_has_the_lowest_share_first_and_itself_last():
    rows = pictures(*FIGURES)["gets"]
    assert ["BBR", "iPerf (Cubic)", "Itself"] == [row["title"] for row in rows]
    assert ("40\u00a0%", "36 to 44\u00a0%, n\u00a0=\u00a010, loses") == (
        strip_of(rows[0])["number"],
        strip_of(rows[0])["words"],
    )
    assert "pairs/8mbps/bbr~video/" == rows[0]["cells"][0]["page"]


def test_what_it_leaves_others_has_the_shares_of_the_opponents():
    (row,) = pictures(*FIGURES)["leaves"]
    assert ("iPerf (Cubic)", "60\u00a0%") == (row["title"], strip_of(row)["number"])


def test_calls_and_pages_come_after_the_cells_of_the_matrix():
    page = share("video", "batched", 0.1, verdict="unjudged")
    titles = [row["title"] for row in pictures(page, *FIGURES)["gets"]]
    assert titles[-1] == "File in batches of five (BBR)"


def test_every_trial_is_a_dot_and_an_excluded_one_is_hollow():
    (row, *_others) = pictures(*FIGURES, trials={CELL: [(0.41, True), (0.9, False)]})["gets"]
    marks = {mark["class"]: mark["d"] for mark in strip_of(row)["marks"]}
    assert ("M41 6h.1", "M90 6h.1") == (marks["d lo"], marks["h"])


def test_every_setting_is_a_column_and_one_without_the_pair_has_no_cell():
    fast = replace(LOSES, setting="50mbps", median=1.0, verdict="fair")
    found = pictures(fast, *FIGURES)
    assert ["8\u00a0Mbps", "50\u00a0Mbps"] == found["settings"]
    assert ["100\u00a0%", None] == [
        row["cells"][1] and row["cells"][1]["strip"]["number"] for row in found["gets"][:2]
    ]


def test_a_sweep_has_three_columns_and_tells_how_many_settings_are_left():
    rates = [replace(SLOW, name=f"{rate}mbps", rate_mbps=rate) for rate in (1, 2, 3, 4, 5)]
    rows = [replace(LOSES, setting=one.name) for one in rates]
    found = service_pictures(
        MeasuredServices(rows, rates, SERVICES, LABELS, page=lambda folder: folder), "video"
    )
    assert (["1\u00a0Mbps", "2\u00a0Mbps", "3\u00a0Mbps"], 2) == (found["settings"], found["further"])


def test_a_service_that_is_unable_alone_has_words_in_place_of_a_strip():
    (row,) = pictures(replace(LOSES, verdict=None))["gets"]
    assert "cannot do alone what it must" == row["cells"][0]["words"] and "strip" not in row["cells"][0]


def test_the_words_count_the_verdicts_of_other_services():
    assert ["At 8\u00a0Mbps it loses to 1 of 2 opponents and wins against 1."] == pictures(*FIGURES)["words"]
    few = [replace(row, low=None, high=None, verdict="seen") for row in (LOSES, WINS)]
    assert ["At 8\u00a0Mbps, 2 opponents met it, without a verdict."] == pictures(*few)["words"]


def test_the_verdict_says_that_a_share_still_moves():
    (row,) = pictures(replace(LOSES, settled="still moving"))["gets"]
    assert strip_of(row)["words"].endswith("loses, still moving")


def test_the_facts_are_those_of_the_catalogue_and_what_it_gets_alone():
    facts = {fact["title"]: fact["value"] for fact in pictures(*FIGURES)["facts"]}
    assert {
        "Stands for": "Netflix",
        "Kind": "Video",
        "Alone on the wire, 8\u00a0Mbps": "7.50\u00a0Mbps, n\u00a0=\u00a010",
    } == facts


def test_what_users_notice_has_the_value_beside_each_opponent_and_alone():
    alone, beside = (
        figure("video", name, "video_bitrate_kbps", value, unit="kbps")
        for name, value in (("", 4000.0), ("bbr", 1000.0))
    )
    users = pictures(alone, beside, *FIGURES)["users"]
    assert ("Bitrate", "Mbps", "4") == (users["title"], users["unit"], users["high"])
    (row,) = users["rows"]
    marks = {mark["class"]: mark["d"] for mark in strip_of(row)["marks"]}
    assert ("BBR", "M50 4h.1", "M200 0v8") == (row["title"], marks["d"], marks["m"])
    assert ("1.00\u00a0Mbps", "alone 4.00, n\u00a0=\u00a010") == (
        strip_of(row)["number"],
        strip_of(row)["words"],
    )
    assert row["cells"][0]["page"] is None, "its share leads to the pair"
    (row,) = pictures(alone, beside)["users"]["rows"]
    assert "pairs/8mbps/bbr~video/" == row["cells"][0]["page"]


def test_a_page_beside_the_service_is_among_what_users_of_others_notice():
    loads = [
        figure("page", name, "web_visually_complete_s", value, unit="s")
        for name, value in (("", 2.0), ("video", 4.0))
    ]
    (row,) = pictures(*loads, *FIGURES)["others"]
    assert ("page", "Page load time", "4.00\u00a0s") == (row["title"], row["sub"], strip_of(row)["number"])


def test_a_pair_of_three_clients_is_named_whole():
    three = share("video", "bbr~cubic", 0.5, verdict="unjudged")
    assert "iPerf (BBR) and iPerf (Cubic)" == pictures(three)["gets"][0]["title"]
    crowd = share("bbr", "cubic~video", 0.5, verdict="unjudged")
    assert (
        "iPerf (BBR) against iPerf (Cubic) and Video over four flows (Reno)"
        == (pictures(crowd)["leaves"][0]["title"])
    )


def test_what_it_is_recognised_as_is_a_fact_of_each_setting():
    told = [
        recognised("video", "Reno-like"),
        recognised("video", "unknown", setting="50mbps", named=10, reason="limited by itself"),
        recognised("bbr", "BBRv1-like"),
    ]
    facts = {one["title"]: one["value"] for one in pictures(*FIGURES, recognised=told)["facts"]}
    words = "Reno-like (9 of 10 trials, 8 Mbps); unknown: limited by itself (10 of 10 trials, 50 Mbps)"
    assert words == facts["Recognised as"].replace("\u00a0", " ")
    assert "Recognised as" not in {one["title"] for one in pictures(*FIGURES)["facts"]}
