"""The charts of histories: their data, and what stands between the cycles."""

import re
from dataclasses import replace

from scripts.site.root.archive_cycles import read_archive
from scripts.site.root.history import histories, of_pairs
from scripts.site.root.history_chart import MOST_TICKS, HistoryChart, HistoryPanel, HistoryPoint, to_svg
from scripts.site.root.history_pages import pair_charts
from tests.site.root.sample_archive import SETTINGS, write_archive
from tests.site.root.sample_summaries import make_rows

CHART = HistoryChart(
    cycles=("one", "two", "three"),
    panels=(HistoryPanel("MmF share (%)", 100.0), HistoryPanel("Throughput (Mbps)")),
    sides=("A & B", "B <b>"),
    points=tuple(
        HistoryPoint(panel, side, place, 0, 10.0 + place + side, 9.0, 14.0)
        for panel in (0, 1)
        for side in (0, 1)
        for place in (0, 1, 2)
    ),
    breaks=((1.5, "method"), (1.5, "host")),
    description="Two <services>",
)


def lines(svg: str) -> list[str]:
    """The paths of the lines: a path that moves once and then draws."""
    groups = re.findall(r'<g class="mark-line[^>]*>(.*?)</g>', svg)
    return [path for group in groups for path in re.findall(r' d="([^"]*)"', group)]


def charts(site) -> dict[str, HistoryChart]:
    """All charts of the sample archive by address."""
    write_archive(site)
    archive = read_archive(site, SETTINGS, {}, ())
    return pair_charts(of_pairs(histories(archive)))


def test_a_chart_has_a_line_for_each_side_and_panel():
    assert len(lines(to_svg(CHART))) == 4


def test_a_line_is_interrupted_where_the_method_differs():
    parted = tuple(replace(point, part=int(point.place == 2)) for point in CHART.points)
    drawn = lines(to_svg(replace(CHART, points=parted)))
    assert sorted(path.count("L") for path in drawn if "L" in path) == [1, 1, 1, 1]


def test_what_differs_is_marked_with_its_letter():
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", to_svg(CHART))
    assert "M" in texts and "H" in texts and "C" not in texts


def test_the_letters_of_each_kind_have_a_line_of_their_own():
    places = {
        letter: float(y)
        for y, letter in re.findall(r'translate\([\d.-]+,([\d.-]+)\)"[^>]*>([MCH])</text>', to_svg(CHART))
    }
    assert places["M"] - places["H"] > 20


def test_names_and_descriptions_are_escaped():
    svg = to_svg(CHART)
    assert 'aria-label="Two &lt;services&gt;"' in svg
    assert "A &amp; B" in svg and "<b>" not in svg


def test_many_cycles_have_few_names_on_the_axis_and_the_last_one_is_among_them():
    cycles = tuple(f"cycle {number}" for number in range(52))
    names = re.findall(r">(cycle \d+)<", to_svg(replace(CHART, cycles=cycles)))
    assert len(names) <= MOST_TICKS + 1 and names[-1] == "cycle 51"


def test_the_same_chart_gives_the_same_bytes_whatever_was_drawn_before():
    first = to_svg(CHART)
    to_svg(replace(CHART, points=(), breaks=()))
    assert to_svg(CHART) == first


def test_a_history_of_one_cycle_has_no_chart(tmp_path):
    found = charts(tmp_path)
    assert "charts/history/watchdog/8mbps/bbr~cubic.svg" in found
    assert not [address for address in found if address.startswith("charts/history/demo/")]


def test_the_points_are_the_medians_and_intervals_of_the_summaries(tmp_path):
    chart = charts(tmp_path)["charts/history/watchdog/8mbps/bbr~cubic.svg"]
    archive = read_archive(tmp_path, SETTINGS, {}, ())
    summary = archive.counted("watchdog")[0].summary
    rows = [row for row in make_rows(summary) if (row["pair"], row["service"]) == ("bbr~cubic", "bbr")]
    by_panel = {point.panel: point for point in chart.points if (point.place, point.side) == (0, 0)}
    for panel, figure, scale in ((0, "share", 100), (1, "throughput_mbps", 1)):
        [row] = [row for row in rows if row["figure"] == figure]
        point = by_panel[panel]
        assert [point.median, point.low, point.high] == [
            round(scale * row[name], 4) for name in ("median", "low", "high")
        ]
    assert [(point.place, point.part) for point in chart.points[:3]] == [(0, 0), (1, 0), (2, 1)]
    assert chart.breaks == ((1.5, "method"), (1.5, "code"), (1.5, "host"))
