"""The charts of histories: their data, and what stands between the cycles."""

import re
from dataclasses import replace

from scripts.site.drawn.cycles import drawn_cycles
from scripts.site.root.archive_cycles import read_archive
from scripts.site.root.history import pair_histories
from scripts.site.root.history_chart import MARGIN, MOST_TICKS, WIDTH, history_svg
from scripts.site.root.history_pages import pair_charts
from tests.site.root.sample_archive import SETTINGS, write_archive
from tests.site.root.sample_summaries import make_rows
from tests.site.sample_figures import share

CYCLES = ("one", "two", "three")
SHARES = drawn_cycles([(0, share("a", "b", 0.5)), (2, share("a", "b", 1.0))], len(CYCLES), [2])
ROWS = (("A & B: MmF share", SHARES), ("B <b>: throughput", replace(SHARES, share=False)))
BREAKS = ((2, "method"), (2, "host"))


def chart(cycles=CYCLES, breaks=BREAKS) -> str:
    return history_svg(ROWS, cycles, breaks, "Two <services>")


def texts(svg: str) -> list[tuple[float, float, str]]:
    """Every text with its place."""
    found = re.findall(r'<text [^>]*?x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>', svg)
    return [(float(x), float(y), words) for x, y, words in found]


def charts(site) -> dict[str, str]:
    """All charts of the sample archive by address."""
    write_archive(site)
    return pair_charts(pair_histories(read_archive(site, SETTINGS, {}, ())))


def test_a_chart_has_a_picture_for_each_row_and_the_fair_zone_behind_shares_only():
    svg = chart()
    assert svg.count('viewBox="0 0 200 40"') == 2
    assert svg.count('fill="var(--zone)"') == 1
    assert svg.count(f'd="{SHARES.marks[0]["d"]}"') == 2


def test_what_differs_is_marked_with_its_letter_in_a_line_of_its_kind():
    place = MARGIN + WIDTH * 2 / len(CYCLES)
    letters = {words: (x, y) for x, y, words in texts(chart()) if words in "MCH"}
    assert letters.keys() == {"M", "H"}
    assert {round(x) for x, _y in letters.values()} == {round(place)}
    assert letters["H"][1] - letters["M"][1] > 20


def test_names_and_descriptions_are_escaped():
    svg = chart()
    assert 'aria-label="Two &lt;services&gt;"' in svg
    assert "A &amp; B" in svg and "<b>" not in svg


def test_many_cycles_have_few_names_on_the_axis_and_the_last_one_is_among_them():
    cycles = tuple(f"cycle {number}" for number in range(52))
    names = [words for _x, _y, words in texts(chart(cycles, ())) if words.startswith("cycle")]
    assert 1 < len(names) <= MOST_TICKS and "cycle 51" in names


def test_no_text_is_beyond_the_lower_end():
    svg = chart()
    assert max(y for _x, y, _words in texts(svg)) < float(re.search(r' height="(\d+)"', svg)[1])


def test_a_history_of_one_cycle_has_no_chart(tmp_path):
    found = charts(tmp_path)
    assert "charts/history/watchdog/8mbps/bbr~cubic.svg" in found
    assert not [address for address in found if address.startswith("charts/history/demo/")]


def test_a_row_tells_the_latest_figure_of_the_summaries(tmp_path):
    svg = charts(tmp_path)["charts/history/watchdog/8mbps/bbr~cubic.svg"]
    summary = read_archive(tmp_path, SETTINGS, {}, ()).counted("watchdog")[-1].summary
    rows = [row for row in make_rows(summary) if (row["pair"], row["service"]) == ("bbr~cubic", "bbr")]
    [median] = [row["median"] for row in rows if row["figure"] == "share"]
    words = " ".join(words for _x, _y, words in texts(svg)).replace("\u00a0", " ")
    assert f"MmF share, 0 to 200 %. Latest: {100 * median:.0f} %" in words
    assert [words for _x, _y, words in texts(svg) if words in ("M", "C", "H")] == ["M", "C", "H"]
