"""The overview of a cycle: its pair, its ranking, what users notice, what changed, how sure it is."""

from dataclasses import replace

import pytest

from scripts.figures.figure import WIRE_RATE
from scripts.site.story.overview import StoryInput, overview
from scripts.site.story.worst_pair import worst_pair
from tests.site.sample_figures import FAST, SERVICES, SLOW, change, figure, pair, share

BITRATE = "video_bitrate_kbps"
LOWEST = pair("cubic", "batched", (0.2, 1.8))
VIDEO = pair("video", "batched", (0.4, 1.6))
RATES = [
    figure(service, contender, WIRE_RATE, rate, unit="Mbps")
    for service, contender, rate in (
        ("video", "", 7.8),
        ("batched", "", 7.6),
        ("video", "batched", 1.6),
        ("batched", "video", 6.4),
    )
]


def bitrate(contender: str, kbps: float, **more):
    return figure("video", contender, BITRATE, kbps, unit="kbps", **more)


FALLS = [*VIDEO, bitrate("", 4500), bitrate("batched", 700), change("video", "batched", 2.0, 1.6)]


def told(*rows, settings=(SLOW, FAST), **more) -> dict:
    """The overview of these figures."""
    return overview(StoryInput(settings, SERVICES, rows, 90, 10, "2026-11-01", **more))


def classes(strip: dict) -> dict[str, str]:
    return {mark["class"]: mark["d"] for mark in strip["marks"]}


def test_without_two_services_that_share_a_link_there_is_none():
    assert overview(StoryInput((SLOW,), SERVICES, RATES[:2], 90, 10, None)) is None


def test_the_pair_is_the_losing_one_whose_users_lose_most_if_it_was_measured_before():
    assert worst_pair([*LOWEST, *FALLS], [SLOW.name]).cell.service == "video"
    (entry,) = [told(*LOWEST, *FALLS, *RATES)["pair"]]
    assert (
        "The bitrate of the stand-in for Netflix falls from 4.50\u00a0Mbps to 0.70\u00a0Mbps."
        in entry["more"]
    )
    assert entry["page"] == "pairs/8mbps/batched~video/"
    assert entry["before"].startswith("File in batches of five (stand-in for Mega) leaves Video")


@pytest.mark.parametrize(
    "rows",
    [
        FALLS[:-1],
        [*VIDEO, bitrate("", 4500), bitrate("batched", 4300), FALLS[-1]],
        [*pair("video", "batched", (1.0, 1.0), low=0.95, high=1.05), *FALLS[2:]],
        [*VIDEO, bitrate("", 4500), bitrate("batched", 700, n=5), FALLS[-1]],
    ],
    ids=["not seen before", "no certain fall", "no loss", "few trials"],
)
def test_else_the_pair_is_the_one_with_the_lowest_share(rows):
    found = worst_pair([*LOWEST, *rows], [SLOW.name])
    assert (found.cell.service, found.fall) == ("cubic", None)


@pytest.mark.parametrize(
    ("rows", "before"),
    [
        (pair("cubic", "bbr", (0.98, 1.02), low=0.93, high=1.07), "No service loses. "),
        (pair("cubic", "bbr", (0.98, 1.02), low=0.6, high=1.4), "No service certainly loses. "),
        (pair("cubic", "bbr", (0.5, 1.5), low=0.4, high=1.1), "No service certainly loses. "),
        (pair("cubic", "bbr", (0.1, 1.8), n=2), ""),
    ],
    ids=["fair", "wide interval", "interval with the fair share", "few trials"],
)
def test_without_a_loser_it_is_the_lowest_share_with_the_reason(rows, before):
    entry = told(*rows)["pair"]
    lowest = "The lowest share: " if before else "The lowest share seen: "
    assert entry["before"] == f"{before}{lowest}iPerf (BBR) leaves iPerf (Cubic) "
    assert entry["verdict"] != "losing"


def test_a_service_that_is_unable_alone_is_no_loser():
    unable = pair("video", "bbr", (0.0, 1.9), verdict=None)
    assert told(*LOWEST, *unable)["pair"]["before"].endswith("leaves iPerf (Cubic) ")


def test_the_link_shows_the_rates_alone_the_fair_ones_and_those_together():
    rows = {row["title"]: row["words"] for row in told(*VIDEO, *RATES)["pair"]["bar"]["rows"]}
    assert list(rows.values()) == [
        "7.8\u00a0Mbps",
        "7.6\u00a0Mbps",
        "4.0 and 4.0\u00a0Mbps",
        "1.6 and 6.4\u00a0Mbps",
    ]
    starved = [share("video", "batched", 0.0), share("batched", "video", 1.6), *RATES[:2], RATES[3]]
    starved.append(figure("video", "batched", WIRE_RATE, 0.0, unit="Mbps"))
    assert told(*starved)["pair"]["bar"]["rows"][2]["words"] == "4.0 and 4.0\u00a0Mbps"
    assert told(*VIDEO)["pair"]["bar"] is None


def test_a_row_of_the_ranking_has_what_a_service_gets_and_leaves_in_each_setting():
    fast = pair("video", "batched", (0.9, 1.1), setting="50mbps", n=5)
    rows = {row["name"]: row for row in told(*LOWEST, *VIDEO, *fast)["ranking"]}
    assert list(rows) == ["batched", "video", "cubic"]
    gets, leaves, few, _left = rows["batched"]["strips"]
    assert (gets["number"], leaves["number"]) == ("170", "30")
    assert classes(leaves)["d lo"] == "M20 4h.1M40 4h.1"
    assert "d wi" in classes(gets) and not {"d lo", "d wi"} & classes(few).keys()
    assert rows["cubic"]["strips"][2:] == [None, None]
    assert rows["batched"]["stands_for"] == "Mega"


def test_two_settings_are_shown_and_the_others_are_counted():
    settings = [SLOW, FAST, *(replace(SLOW, name=f"s{rate}", rate_mbps=rate) for rate in (1, 2, 3))]
    rows = [row for one in settings for row in pair("cubic", "bbr", (0.4, 1.6), setting=one.name)]
    found = told(*rows, settings=settings)
    assert [one["name"] for one in found["matrices"]] == ["8mbps", "50mbps"]
    assert (found["others"], len(found["stacks"]), len(found["ranking"][0]["strips"])) == (3, 2, 4)
    assert found["places"] == ["8\u00a0Mbps", "50\u00a0Mbps"]


def test_without_a_verdict_it_says_what_was_seen_in_hollow_marks():
    found = told(*pair("cubic", "bbr", (0.4, 1.6), n=2))
    assert (found["verdicts"], found["counts"]) == (False, "")
    assert found["pair"]["before"].startswith("The lowest share seen: ")
    assert found["pair"]["after"].endswith("(seen in 2 trials).")
    marks = classes(found["ranking"][0]["strips"][0])
    assert "h" in marks and not {"d lo", "d wi"} & marks.keys()
    assert [part["class"] for part in found["stacks"][0]["parts"]] == ["few"]


def test_a_cycle_that_still_runs_names_no_pair_and_no_change():
    rows = [row for row in FALLS if row.verdict is None]
    rows += pair("video", "batched", (0.4, 1.6), verdict="provisional")
    found = told(*rows, provisional=True)
    assert (found["pair"], found["users"], found["changes"], found["verdicts"]) == (None, None, None, False)
    assert found["certainty"] == "90 trials count; 10 are excluded."


def test_users_see_a_line_alone_and_a_dot_beside_each_contender():
    rows = [bitrate("", 4500), bitrate("batched", 700), bitrate("bbr", 4400), bitrate("cubic", 3000, n=3)]
    (row,) = told(*VIDEO, *rows)["users"]["rows"]
    assert row["strip"]["number"] == "4.50 → 0.70\u00a0Mbps"
    assert "beside File in batches of five (BBR) (0.63 to 0.77, n\u00a0=\u00a010)" == row["strip"]["words"]
    assert classes(row["strip"])["d lo"] == "M31 4h.1"
    assert classes(row["strip"])["h"] == "M133 4h.1"
    assert row["page"] == "pairs/8mbps/batched~video/"


def test_the_largest_changes_are_shown_but_not_those_of_the_control_group():
    cells = [change("video", "batched", 1.0, 1.0 + step / 10) for step in range(1, 8)]
    control = change("cubic", "bbr", 1.0, 7.0, control=True)
    still = change("video", "bbr", 1.0, 6.0, changed=False)
    found = told(*VIDEO, *cells, control, still)["changes"]
    assert [row["strip"]["number"] for row in found["rows"]] == [
        f"1.00 → {1 + step / 10:.2f}\u00a0Mbps" for step in (7, 6, 5, 4, 3)
    ]
    assert found["words"].startswith("Since cycle 2026-11-01, 7 of 8 cells changed.")


def test_the_parts_of_a_stack_fill_the_bar():
    rows = [*VIDEO, *pair("cubic", "bbr", (0.5, 1.0), n=4), *pair("bbr", "video", (0.0, 1.0), verdict=None)]
    parts = told(*rows)["stacks"][0]["parts"]
    assert [(one["class"], one["count"]) for one in parts] == [
        ("losing", 1),
        ("winning", 1),
        ("few", 2),
        ("no", 2),
    ]
    assert [one["x"] for one in parts] == ["0%", "16.67%", "33.33%", "66.67%"]
    assert sum(float(str(one["width"]).rstrip("%")) for one in parts) == pytest.approx(100, abs=0.1)
