"""The files of config/papers/ name campaigns and expectations that exist; errors name file and key."""

from dataclasses import fields

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import load_schema
from scripts.plan.campaign_file import campaign_names
from scripts.site.root.paper_files import PAPERS, Paper, PaperFigure, PrintedResult, read_papers

FIGURES = [(name, figure) for name, paper in read_papers().items() for figure in paper.figures]
EXPECTED = {
    name: [one["name"] for one in load_yaml(ROOT / f"config/campaigns/{name}.yaml").get("expectations", [])]
    for name in campaign_names()
}


@pytest.mark.parametrize(("paper", "figure"), FIGURES)
def test_the_campaigns_of_a_figure_exist_and_each_judges_a_result(paper, figure):
    judging = {campaign for result in figure.results for campaign in result.expectations}
    assert judging == set(figure.campaigns) <= set(EXPECTED), (paper, figure.name)


@pytest.mark.parametrize(("paper", "figure"), FIGURES)
def test_every_expectation_of_a_result_is_one_of_its_campaign(paper, figure):
    for result in figure.results:
        for campaign, names in result.expectations.items():
            assert set() == set(names) - set(EXPECTED[campaign]), (paper, figure.name, campaign)


@pytest.mark.parametrize(
    ("record", "properties"),
    [
        (Paper, load_schema("paper")["properties"]),
        (PaperFigure, load_schema("paper")["$defs"]["figure"]["properties"]),
        (PrintedResult, load_schema("paper")["$defs"]["result"]["properties"]),
    ],
)
def test_a_record_has_the_keys_of_its_schema(record, properties):
    assert {field.name for field in fields(record)} == set(properties)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("year: 2023", "year: soon", r"zapletal\.yaml: year: 'soon' is not of type 'integer'"),
        ("venue: HotNets\n", "", r"zapletal\.yaml: venue: is missing; add it"),
        ("charts: [slowdown-beside]", "chart: a", r"zapletal\.yaml: figures\.3\.chart: unknown key"),
        ("not_measured: *traces", "", r"figures\.0\.results\.1: give exactly one of: expectations; or not_"),
        ("[zapletal-rtt, ", "[", r"zapletal\.yaml: Fig 6: zapletal-rtt is not in its `campaigns`; add it"),
    ],
)
def test_an_error_names_file_and_key(tmp_path, old, new, problem):
    text = (PAPERS / "zapletal.yaml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "zapletal.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError, match=problem):
        read_papers(tmp_path)
