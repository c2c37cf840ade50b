"""The words of a verdict say what the code decides, with its limits and with trials that get them."""

import json

import pytest
import yaml

from scripts.figures.words import SETTLED
from scripts.metrics.fairness import FEWEST, LEVEL, LOSING_BELOW, SETTLED_WITHIN, WINNING_ABOVE
from scripts.site import verdict_words as module
from scripts.site.drawn.strip import DECIDED
from scripts.site.hugo import SITE
from scripts.site.verdict_words import EXAMPLES, judged, verdict_words
from tests.site.pages_read import table_of, text


def needs() -> str:
    """What all words need, as one text."""
    found = verdict_words(drawn=False)
    return " ".join(word["needs"] for word in [*found["judged"], *found["settled"]]).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("limit", "value", "before", "after"),
    [
        ("LOSING_BELOW", 0.83, f"below {100 * LOSING_BELOW:.0f} %", "below 83 %"),
        ("WINNING_ABOVE", 1.21, f"above {100 * WINNING_ABOVE:.0f} %", "above 121 %"),
        ("LEVEL", 0.02, f"p at most {100 * LEVEL:.0f} %", "p at most 2 %"),
        ("FEWEST", 8, f"fewer than {FEWEST} are valid", "fewer than 8 are valid"),
        ("SETTLED_WITHIN", 0.07, f"±{100 * SETTLED_WITHIN:.0f} points", "±7 points"),
    ],
)
def test_the_limits_follow_the_code(monkeypatch, limit, value, before, after):
    assert before in needs() and after not in needs()
    monkeypatch.setattr(module, limit, value)
    assert after in needs() and before not in needs()


@pytest.mark.parametrize("key", EXAMPLES)
def test_the_code_gives_each_example_its_verdict(key):
    wanted = key if key in DECIDED else None
    strip = judged(EXAMPLES[key])
    assert wanted == strip.verdict
    assert (key == "seen") == (strip.interval is None)
    assert all(dot.hollow == (wanted is None) for dot in strip.dots)


def test_trials_with_a_verdict_have_the_median_and_the_interval_of_six_values():
    strip = judged((0.6, 0.1, 0.5, 0.3, 0.4, 0.2))
    assert (10, 35, 60) == pytest.approx((strip.interval[0], strip.median, strip.interval[1]))
    assert "10 to 60\u00a0%, n\u00a0=\u00a06" == strip.words


def test_the_method_of_a_cycle_explains_every_verdict_and_draws_no_made_up_trials(either):
    table = table_of(either.page("method/"), "The verdict on a service in a pair")
    rows = table.findall(".//tbody/tr")
    wanted = [" ".join(word["needs"].split()) for word in verdict_words(drawn=False)["judged"]]
    assert wanted == [text(row.find("td")) for row in rows]
    assert all(text(row.find("th")) for row in rows)
    assert table.find(".//svg") is None


def test_the_drawn_zone_of_all_strips_is_the_fair_one():
    style = (SITE / "common/assets/css/verdicts.css").read_text(encoding="utf-8")
    low, high = f"{50 * LOSING_BELOW:g}%", f"{50 * WINNING_ABOVE:g}%"
    assert f"transparent {low}, var(--zone) {low} {high}, transparent {high}" in style


def test_the_glossary_leads_to_sections_of_the_definitions(either):
    glossary = yaml.safe_load((SITE / "root/data/glossary.yaml").read_text(encoding="utf-8"))
    sections = {term["in_full"] for group in glossary for term in group["words"] if "in_full" in term}
    definitions = either.page("definitions/")
    assert len(sections) > 10
    assert sections <= {one.get("id") for one in definitions.iter()}


def test_the_words_can_be_a_data_file():
    assert {"judged", "settled", "losing_below", "winning_above", "fewest", "words"} == json.loads(
        json.dumps(verdict_words(drawn=True), allow_nan=False)
    ).keys()
    assert list(SETTLED.values()) == [word["words"] for word in verdict_words(drawn=False)["settled"]]


@pytest.mark.parametrize("drawn", [True, False])
def test_made_up_trials_are_there_only_where_they_are_drawn(drawn):
    found = {row["verdict"] for row in verdict_words(drawn)["judged"] if row["strip"] is not None}
    assert found == (set(EXAMPLES) if drawn else set())
