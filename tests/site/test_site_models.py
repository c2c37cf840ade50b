"""Models, predictions and harm on the pages."""

import pytest

from scripts.figures.catalogue import CATALOGUE
from tests.charts.sample_files import seal, write_stand_ins
from tests.site.conftest import built
from tests.site.pages_read import row_named, table_of, text
from tests.site.sample_models import ALL, BBR, BESIDE, CUBIC, DEEP, RENO, SHALLOW, models_tables, write_models

TITLES = {BBR: "iPerf (BBR)", CUBIC: "iPerf (Cubic)", RENO: "iPerf (NewReno)"}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The pages of the cycle, parsed."""
    folder = write_models(tmp_path_factory.mktemp("a cycle of models"))
    write_stand_ins(folder)
    return built(tmp_path_factory.mktemp("web root") / "public", seal(folder))


def figure(table: str, **key) -> dict:
    """A row of a table of the cycle."""
    (row,) = [row for row in models_tables()[table].to_pylist() if key.items() <= row.items()]
    return row


def charts_of(page) -> set[str]:
    """The names of the charts that a page shows."""
    return {
        link.get("href").rpartition("/")[2].removesuffix(".svg")
        for link in page.iter("a")
        if link.get("href", "").endswith(".svg")
    }


@pytest.mark.parametrize(
    ("page", "caption", "metrics"),
    [
        (f"pairs/{DEEP}/{BESIDE}/", f"{TITLES[BBR]} as the incumbent", ("link_fraction",)),
        (
            f"pairs/{DEEP}/{ALL}/",
            f"{TITLES[BBR]} as the incumbent",
            ("measured_fraction", "prediction_error"),
        ),
        (f"solos/{DEEP}/{RENO}/", f"{TITLES[RENO]} alone", ("mathis_ratio", "padhye_ratio")),
    ],
)
def test_the_medians_of_a_cell_have_its_figures_of_models_and_predictions(models, page, caption, metrics):
    table = table_of(models.page(page), caption)
    _room, setting, pair, _end = page.split("/")
    for metric in metrics:
        look = CATALOGUE[metric]
        service = RENO if pair == RENO else BBR
        row = figure("figures", setting=setting, pair=pair, service=service, metric=metric)
        unit = f" {look.shown_unit}" if look.shown_unit else ""
        expected = f"{look.factor * row['median']:.{look.decimals}f}{unit}"
        headings = map(text, table.iterfind(".//tbody/tr/th"))
        (name,) = [heading for heading in headings if heading.partition(" n = ")[0] == look.name]
        assert expected == row_named(table, name)[0]


def test_where_a_model_does_not_hold_there_is_no_number(models):
    """A queue of one BDP: Cubic would keep less than nothing."""
    table = table_of(models.page(f"pairs/{SHALLOW}/{BESIDE}/"), f"{TITLES[BBR]} as the incumbent")
    assert CATALOGUE["link_fraction_error"].name not in text(table)


def test_the_charts_are_on_their_pages(models):
    assert "bbr-model-link" in charts_of(models.page(""))
    for setting in (SHALLOW, DEEP):
        assert {f"models-{setting}", f"predictions-{setting}"} <= charts_of(
            models.page(f"settings/{setting}/models/")
        )


def test_harm_is_shown_where_services_were_measured_alone(site, models):
    """In the other cycle only Reno was, so two of three incumbents have no harm."""
    page = site.page("settings/8mbps/harm-delay/")
    assert "harm-delay-8mbps" in charts_of(page)
    assert "no ratio to the service alone" in text(models.page(f"settings/{DEEP}/harm-throughput/"))


def test_a_page_without_models_has_no_section_of_them(flows):
    """Web flows beside Cubic: no BBR, and flows that end."""
    page = text(flows.page("pairs/8mbps/flow-60mb-bbr~flow-60mb-bbr/"))
    assert CATALOGUE["link_fraction"].name not in page and "predicted from pairs" not in page
