"""Models, predictions and harm on the pages."""

import pytest

from tests.charts.sample_files import seal, write_stand_ins
from tests.site.conftest import built
from tests.site.pages_read import row_named, table_of, text
from tests.site.sample_models import ALL, BBR, BESIDE, CUBIC, DEEP, RENO, SHALLOW, models_tables, write_models
from tests.site.test_site_flows import named

TITLES = {BBR: "iPerf (BBR)", CUBIC: "iPerf (Cubic)", RENO: "iPerf (NewReno)"}
FRACTIONS = "The part of the link that all BBR flows get together"
RATIOS = "The goodput of Reno, divided by that of a model, and loss events of Reno and Cubic"
PREDICTED = "The part of the link that each service gets, and the one predicted from pairs"


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


def shown(row: dict, factor: float, decimals: int, unit: str = "") -> str:
    """A median as a page shows it."""
    values = [
        f"{factor * row[name]:.{decimals}f}" for name in ("median", "low", "high") if row[name] is not None
    ]
    interval = f" {values[1]} to {values[2]}{unit}" if len(values) > 1 else ""
    return f"{values[0]}{unit}{interval}"


def charts_of(page) -> set[str]:
    """The names of the charts that a page shows."""
    return {
        link.get("href").rpartition("/")[2].removesuffix(".svg")
        for link in page.iter("a")
        if link.get("href", "").endswith(".svg")
    }


def test_the_page_of_a_setting_has_what_bbr_gets_beside_its_model(models):
    row = named(models.page(f"settings/{DEEP}/models/"), FRACTIONS, f"{TITLES[BBR]} against {TITLES[CUBIC]}")
    key = {"setting": DEEP, "pair": BESIDE, "service": BBR}
    fraction = figure("models", metric="link_fraction", **key)
    error = figure("models", metric="link_fraction_error", **key)
    assert row == {
        "Measured": shown(fraction, 100, 1, " %"),
        "Model": f"{100 * fraction['model_median']:.1f} %",
        "Error, percentage points": shown(error, 100, 1),
        "Why no model": "–",
        "n": "2",
    }


def test_where_the_model_of_bbr_does_not_hold_the_page_says_why(models):
    """A queue of one BDP: Cubic would keep less than nothing."""
    row = named(
        models.page(f"settings/{SHALLOW}/models/"), FRACTIONS, f"{TITLES[BBR]} against {TITLES[CUBIC]}"
    )
    assert ("–", "–", "the formula gives no fraction") == (
        row["Model"],
        row["Error, percentage points"],
        row["Why no model"],
    )


def test_a_client_of_reno_has_its_ratios_alone_and_beside_others(models):
    page = models.page(f"settings/{DEEP}/models/")
    row = named(page, RATIOS, f"{TITLES[RENO]} alone")
    key = {"setting": DEEP, "pair": RENO, "service": RENO}
    mathis, padhye = (figure("models", metric=f"{one}_ratio", **key) for one in ("mathis", "padhye"))
    assert row == {
        "Ratio to Mathis": shown(mathis, 1, 2),
        "Ratio to Padhye": shown(padhye, 1, 2),
        "Mathis": f"{mathis['model_median']:.2f} Mbps",
        "Padhye": f"{padhye['model_median']:.2f} Mbps",
        "Loss events": str(mathis["events"]),
        "Loss events per 1000 packets": (
            f"{1000 * mathis['event_rate']:.2f} "
            f"{1000 * mathis['event_rate_low']:.2f} to {1000 * mathis['event_rate_high']:.2f}"
        ),
        "Why no ratio": "–",
        "n": "2",
    }
    cubic = named(page, RATIOS, f"{TITLES[CUBIC]} beside {TITLES[BBR]}")
    assert ("–", "not Reno", "0") == (cubic["Ratio to Mathis"], cubic["Why no ratio"], cubic["n"])


def test_three_services_have_what_they_get_beside_the_prediction(models):
    contender = f"{TITLES[CUBIC]} and {TITLES[RENO]}"
    key = {"setting": DEEP, "pair": ALL, "service": BBR}
    measured, predicted = (
        figure("predictions", metric=f"{one}_fraction", **key) for one in ("measured", "predicted")
    )
    for path in (f"settings/{DEEP}/models/", f"pairs/{DEEP}/{ALL}/"):
        row = named(models.page(path), PREDICTED, f"{TITLES[BBR]} beside {contender}")
        assert shown(measured, 100, 1, " %") == row["Measured"]
        assert shown(predicted, 100, 1, " %") == row["Predicted"]
        assert "6" == row["n"]


def test_the_pages_of_a_pair_and_of_a_service_alone_have_their_own_rows_only(models):
    of_pair = table_of(models.page(f"pairs/{DEEP}/{BESIDE}/"), RATIOS)
    assert [f"{TITLES[CUBIC]} beside {TITLES[BBR]}"] == [
        text(row.find("th")) for row in of_pair.findall(".//tbody/tr")
    ]
    alone = table_of(models.page(f"solos/{DEEP}/{RENO}/"), RATIOS)
    assert "2" == row_named(alone, f"{TITLES[RENO]} alone")[-1]


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
    assert "Beside models" not in page and "predicted from pairs" not in page
