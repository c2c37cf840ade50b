"""Recognition on the pages about all cycles: how often it is right, what changed, and the feeds."""

import json
import shutil
from dataclasses import replace

import pytest

from scripts.base.records import to_json
from scripts.recognition.confusion import AnswerCount, Evaluation
from scripts.site.root import build_root as building
from scripts.site.root.recognition_section import recognition_section
from tests.site.html_check import assert_valid
from tests.site.pages_read import text
from tests.site.root.sample_archive import FIRST, SECOND
from tests.site.root.sample_summaries import make_rows, make_summary, write_pages
from tests.site.root.test_root_feeds import ATOM, BASE, entries
from tests.site.sample_figures import recognised

NAMED = (
    AnswerCount("day", "2026-12-01", "Cubic-like", True, "Cubic-like", 17),
    AnswerCount("day", "2026-12-01", "Cubic-like", True, "unknown", 2),
    AnswerCount("day", "2026-12-02", "Reno-like", True, "Cubic-like", 1),
    AnswerCount("family", "Reno-like", "Reno-like", False, "unknown", 4),
    AnswerCount("stack", "quinn", "Copa-like", False, "unknown", 5),
)
EVALUATION = Evaluation("abc123", ("2026-12-01", "2026-12-02"), ("kernel", "quinn"), 24, NAMED)


@pytest.fixture
def evaluated(tmp_path):
    """The file of an evaluation."""
    path = tmp_path / "recognition.json"
    path.write_text(json.dumps(to_json(EVALUATION)))
    return path


def test_a_matrix_counts_the_answers_of_each_family(evaluated):
    part = recognition_section(evaluated)["parts"][0]
    families = ["Reno-like", "Cubic-like", "BBRv1-like", "BBRv2/3-like", "Copa-like", "unknown"]
    assert ["Family", *(f"# {name}" for name in families)] == part["heads"]
    assert [("Reno-like", [None, 1, *[None] * 4]), ("Cubic-like", [None, 17, *[None] * 3, 2])] == [
        (row["title"], row["counts"]) for row in part["rows"]
    ]


def test_its_words_have_the_rates(evaluated):
    words = [part["words"].replace("\u00a0", " ") for part in recognition_section(evaluated)["parts"]]
    assert words[0].endswith("Of 20 traces: 85 % right, 10 % abstained and 5 % wrong.")
    assert words[1].endswith("Of 4 traces: 100 % right, 0 % abstained and 0 % wrong.")


def test_a_family_of_no_other_stack_is_named_so(evaluated):
    (row,) = recognition_section(evaluated)["parts"][2]["rows"]
    assert "Copa-like, of no other stack" == row["title"]


def test_its_traces_come_from_the_kernel_and_from_named_stacks(evaluated):
    assert "the kernel and quinn" == recognition_section(evaluated)["stacks"]


def test_without_a_library_there_is_nothing(tmp_path):
    assert {} == recognition_section(tmp_path / "recognition.json")


@pytest.fixture
def site(build, evaluated, monkeypatch):
    """Two cycles; in the second one, Reno is recognised as another controller."""
    monkeypatch.setattr(building, "recognition_section", lambda: recognition_section(evaluated))

    def write(site):
        first, second = make_summary(FIRST, ["bbr", "reno"]), make_summary(SECOND, ["bbr", "reno"])
        now = (
            recognised("bbr", "BBRv1-like", before="BBRv1-like"),
            recognised("reno", "Cubic-like", before="Reno-like"),
        )
        second = replace(second, compared_with=FIRST.cycle, recognised=now)
        for summary in (first, second):
            write_pages(site, summary, make_rows(summary))

    return build(write)


def test_another_controller_is_on_the_page_of_changes_and_in_the_feeds(site):
    address = f"changes/watchdog/{SECOND.cycle}/"
    words = text(site.page(address))
    assert 'than before: Reno "classic" (Reno-like, now Cubic-like).' in words
    assert site.page(address).find(".//*[@id='controllers']") is not None
    assert "alone, 8 Mbps: Reno-like, now Cubic-like" in words.replace("\u00a0", " ")

    entry = entries(site)[f"{BASE}{address}#controllers"]
    title = entry.findtext("a:title", None, ATOM)
    assert f"1 service recognised as another controller in cycle {SECOND.cycle} of campaign watchdog" == title
    assert "Reno-like, now Cubic-like." in entry.findtext("a:summary", None, ATOM)
    of_reno, of_bbr = (
        entries(site, f"services/{name}/feed.xml")[f"{BASE}services/{name}/#watchdog-{SECOND.cycle}"]
        for name in ("reno", "bbr")
    )
    assert "Recognised as another controller" in of_reno.findtext("a:summary", None, ATOM)
    assert "Recognised as another controller" not in of_bbr.findtext("a:summary", None, ATOM)


def test_the_method_has_the_matrices(site):
    method = site.page("method/")
    assert "24 labelled traces of 2 days, 2026-12-01 and 2026-12-02 (version abc123)" in text(method)
    assert "85 % right" in text(method).replace("\u00a0", " ")
    assert 3 == len(method.findall(".//section[@class='scroll']"))


def test_its_pages_are_valid(site, tmp_path):
    for name in ("changes", "method"):
        shutil.copytree(site.root / name, tmp_path / "pages" / name)
    assert_valid(tmp_path / "pages", tmp_path)


def test_without_a_library_the_method_says_that_nothing_is_recognised(build, monkeypatch):
    monkeypatch.setattr(building, "recognition_section", dict)

    def write(site):
        summary = make_summary(FIRST, ["bbr"])
        write_pages(site, summary, make_rows(summary))

    words = text(build(write).page("method/"))
    assert "No labelled trace was measured yet." in words
    assert "right" not in words.split("No labelled trace was measured yet.")[1].split("CCAnalyzer")[0].split()
