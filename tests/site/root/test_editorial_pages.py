"""The editorial pages findings/<year>/: their numbers are figures of cycles, or the build ends."""

import json
import re
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.figures.figure import read_figures
from scripts.figures.words import verdict_words
from scripts.site.addresses import Place
from scripts.site.root import editorial_pages as module
from scripts.site.root.archive_cycles import read_archive
from scripts.site.root.editorial_pages import editorial_pages
from scripts.site.settings import Unlisted
from scripts.snapshot.absent import Tombstone, Withdrawn
from tests.site.html_check import assert_valid
from tests.site.pages_read import text
from tests.site.root.sample_archive import SETTINGS
from tests.site.root.sample_papers import CAME_OUT, expectation
from tests.site.root.sample_summaries import make_rows, make_summary, write_pages

FIRST, SECOND = Place("demo", "2026-11-21"), Place("demo", "2026-12-05")
KEY = {"subject": "flow", "size_class": "all", "statistic": "", "instance": "first"}
PAIR = {"setting": "8mbps", "pair": "bbr~cubic", "service": "bbr", "contender": "cubic"}
NUMBERS = {"n": 8, "median": 0.466, "low": 0.439, "high": 0.488, "at_least": None}
SHARE = {**KEY, **PAIR, **NUMBERS, "metric": "share"}
OF_FIGURES = "setting=8mbps service=bbr contender=cubic metric"


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes an editorial text about these cycles, whose first line is the sixth of its file."""

    def write(body="", cycles=(FIRST,)):
        texts = tmp_path / "texts"
        texts.mkdir(exist_ok=True)
        named = ", ".join(f"{one.campaign}/{one.cycle}" for one in cycles)
        head = f"title: What we found in 2026\ndescription: Who takes what from whom.\ncycles: [{named}]\n"
        (texts / "2026.md").write_text(f"---\n{head}---\n{body}")
        monkeypatch.setattr(module, "TEXTS", texts)

    return write


@pytest.fixture
def answer(written, tmp_path):
    """What Hugo gets for a text with this reference."""

    def answered(reference, figures=(SHARE,), *, cycles=(FIRST,), second=()):
        site = tmp_path / "public"
        write_cycles(site, figures, second)
        written(f"A line.\n\nIt got {{{{< {reference} >}}}}.\n", cycles)
        (found,) = editorial_pages(read_archive(site, SETTINGS, {}, ()), site)["2026"]["answers"].values()
        return found

    return answered


def write_cycles(site, figures=(SHARE,), second=()):
    """Two cycles with the tables of their figures, a chart and an expectation."""
    for place, rows in ((FIRST, figures), (SECOND, second)):
        made = make_summary(place, ["bbr", "cubic"], ["8mbps", "50mbps"])
        summary = replace(made, charts=("share-8mbps",), expectations=(expectation("near", CAME_OUT),))
        write_pages(site, summary, make_rows(summary))
        path = site / place.table("figures", "parquet")
        path.parent.mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist([*rows, SHARE | {"setting": "other"}]), path)
        picture = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" aria-label="A &lt; B"/>'
        (site / place.pages / "charts/share-8mbps.svg").write_text(picture)


def test_a_figure_is_its_median_with_interval_and_trials(answer):
    found = answer("figure setting=8mbps service=bbr contender=cubic metric=share")
    assert {
        "words": "47\u00a0%",
        "certainty": "95\u00a0% interval 44 to 49\u00a0%, n\u00a0=\u00a08",
        "page": f"{FIRST.pages}pairs/8mbps/bbr~cubic/",
    } == found


@pytest.mark.parametrize("show", ["", " show=value"])
def test_fewer_than_six_trials_are_always_seen(answer, show):
    few = SHARE | {"n": 5, "low": None, "high": None}
    assert "seen in 5 trials" == answer(f"figure {OF_FIGURES}=share{show}", [few])["certainty"]


@pytest.mark.parametrize(
    ("changed", "given", "words"),
    [
        ({}, "share show=value", "47\u00a0%"),
        ({"metric": "throughput_mbps"}, "throughput_mbps show=value", "0.47\u00a0Mbps"),
        ({"metric": "jain"}, "jain show=value", "0.466"),
        ({"metric": "fct_ms", "statistic": "p95"}, "fct_ms statistic=p95 show=value", "0.47\u00a0ms"),
        ({"at_least": 0.4}, "share show=value", "≥\u00a047\u00a0%"),
        (
            {"metric": "slowdown", "statistic": "mean"},
            "slowdown statistic=mean show=value",
            "0.47\u00a0times",
        ),
        ({"contender": "~".join(["cubic"] * 16)}, 'share contender="cubic_16" show=value', "47\u00a0%"),
    ],
)
def test_a_value_is_written_as_the_catalogue_says(answer, changed, given, words):
    of = "setting=8mbps service=bbr metric" if "contender" in changed else OF_FIGURES
    found = answer(f"figure {of}={given}", [SHARE | changed])
    assert (words, "") == (found["words"], found["certainty"])


def test_a_verdict_is_that_of_the_cycle(answer, tmp_path):
    found = answer(f"figure {OF_FIGURES}=share show=verdict")
    rows = read_figures(tmp_path / "public" / FIRST.pages / "summary.parquet")
    (row,) = [
        one
        for one in rows
        if (one.setting, one.service, one.contender, one.figure) == ("8mbps", "bbr", "cubic", "share")
    ]
    assert verdict_words(row) == found["words"] and row.verdict


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        ("figure setting=8mbps service=bbr contender=reno metric=share", "no cycle of this page has it"),
        ("figure setting=8mbps service=bbr contender=cubic metric=shares", "no cycle of this page has it"),
        (f"figure {OF_FIGURES}=jain show=verdict", "no cycle of this page has it"),
        (f"figure {OF_FIGURES}=share cycl=demo", "cycl"),
        (f"figure {OF_FIGURES}=share show=all", "show: "),
        ("figure 8mbps", "8mbps: write key=value"),
        ('figure setting="8mbps', "No closing quotation"),
        (f"figure {OF_FIGURES}=loss_rate", "no cycle of this page has it"),
        ("expectation name=far", "no cycle of this page has it"),
        ("chart name=share-4mbps", "no cycle of this page has it"),
        ("chart title=share-8mbps", "title"),
        ("number metric=share", "is not one of figure, expectation, chart"),
    ],
)
def test_a_reference_without_an_answer_ends_the_build_and_names_its_line(answer, reference, problem):
    with pytest.raises(UserError, match=re.escape(problem)) as found:
        answer(
            reference, [SHARE, SHARE | {"metric": "jain"}, SHARE | {"metric": "loss_rate", "median": None}]
        )
    assert f"2026.md:8: {reference}: " in str(found.value)
    assert "\n" not in str(found.value)


def test_two_answers_end_the_build(answer):
    with pytest.raises(UserError, match=r"2026.md:8: .*demo/2026-11-21 and demo/2026-12-05 have it"):
        answer(f"figure {OF_FIGURES}=share", cycles=(FIRST, SECOND), second=[SHARE])


def test_the_key_cycle_says_which_of_two_answers_counts(answer):
    reference = f'figure {OF_FIGURES}=share show=value cycle="demo/2026-12-05"'
    options = {"cycles": (FIRST, SECOND), "second": [SHARE | {"median": 0.9}]}
    assert "90\u00a0%" == answer(reference, **options)["words"]


def test_a_text_without_front_matter_is_an_error(written, tmp_path):
    written()
    (tmp_path / "texts/2026.md").write_text("Text.\n")
    with pytest.raises(UserError, match=r"2026\.md: must begin with a front matter"):
        editorial_pages(read_archive(tmp_path, SETTINGS, {}, ()), tmp_path)


BODY = f"""BBR got {{{{< figure {OF_FIGURES}=share >}}}}.

It {{{{< expectation name=near >}}}}.

{{{{< chart name=share-8mbps >}}}}
"""


def test_the_page_prints_the_answers_and_is_linked_listed_and_described(written, build, tmp_path):
    written(BODY)
    site = build(write_cycles)
    page, links = site.page("findings/2026/"), site.links("findings/2026/index.html")
    words = text(page.find(".//main"))
    assert "BBR got 47 % (95 % interval 44 to 49 %, n = 8). It came out. From cycle 2026-11-21" in words
    picture = page.find(".//figure//img")
    assert ("A < B", "300", "200") == (picture.get("alt"), picture.get("width"), picture.get("height"))
    own = f"../../{FIRST.pages}"
    assert {f"{own}pairs/8mbps/bbr~cubic/", f"{own}#expected", f"{own}charts/share-8mbps.svg"} <= {*links}
    assert "Who takes what from whom." == page.find(".//meta[@name='description']").get("content")
    data = json.loads(text(page.find(".//script[@type='application/ld+json']")))
    address = f"{SETTINGS.address}findings/2026/"
    assert ("Article", address, [SETTINGS.address + FIRST.pages]) == (
        data["@type"],
        data["url"],
        data["isBasedOn"],
    )
    assert address in (site.root / "sitemap.xml").read_text()
    for other in ("", "about/", "findings/2026/"):
        assert "What we found in 2026" in text(site.page(other).find(".//footer"))
    assert "What we found in 2026" in text(site.page("").find(".//main"))
    assert_valid(site.root / "findings", tmp_path)


ABSENT = Place("demo", "2027-01-01")


def test_an_archive_without_one_of_the_cycles_has_no_page_and_no_link(written, build, capsys):
    written("{{< figure metric=none >}}\n", (FIRST, ABSENT))
    site = build(write_cycles)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("2026.md: no page findings/2026/: this archive has no cycle demo/2027-01-01")
    assert not (site.root / "findings").exists()
    assert "findings/" not in (site.root / "sitemap.xml").read_text()
    assert all("findings/" not in link for page in site.pages for link in site.links(page))


def test_a_withdrawn_cycle_counts_as_none(written, tmp_path):
    written()
    write_cycles(tmp_path)
    withdrawn = {FIRST: Tombstone(withdrawn=Withdrawn("2026-12-06", "The switch was broken."))}
    assert {} == editorial_pages(read_archive(tmp_path, SETTINGS, withdrawn, ()), tmp_path)


def test_unlisted_pages_have_no_editorial(written, tmp_path, capsys):
    written()
    write_cycles(tmp_path)
    unlisted = replace(SETTINGS, unlisted=Unlisted())
    assert {} == editorial_pages(read_archive(tmp_path, unlisted, {}, ()), tmp_path)
    assert "" == capsys.readouterr().err
