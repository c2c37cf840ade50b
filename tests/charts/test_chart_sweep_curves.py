"""The chart of a sweep: every setting at its value, a line for each incumbent of a pair."""

import pyarrow as pa
import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.render import to_spec
from scripts.charts.setting_groups import axis_title, sweep_groups
from scripts.charts.sweep_curves import sweep_chart, swept_pairs
from scripts.charts.table_rows import PairRow
from scripts.model.settings import Setting
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_sweep import PAIR, QUEUES_BDP, UNMEASURED, sweep_pairs, sweep_settings, swept_setting
from tests.charts.specs import records, rows_of, title_of

LABELS = make_labels(SERVICES)


def spec_of(settings: dict[str, Setting], pairs: pa.Table | None = None) -> dict:
    """The specification of the only chart of the only sweep."""
    (sweep,) = sweep_groups(settings)
    table = sweep_pairs(settings) if pairs is None else pairs
    rows = records(PairRow, table.to_pylist())
    ((pair, of_pair),) = swept_pairs(rows, sweep).items()
    assert (PAIR, "link") == (pair, sweep.name)
    return to_spec(sweep_chart(of_pair, sweep, LABELS))


def layer(panel: dict, mark: str, channel: str) -> dict:
    """The layer with this mark that has this channel."""
    (found,) = [one for one in panel["layer"] if one["mark"]["type"] == mark and channel in one["encoding"]]
    return found


def swept(key: str, *values: object) -> dict[str, Setting]:
    """The settings of a sweep over these values alone."""
    return {f"link-{place}": swept_setting("Link", {key: value}) for place, value in enumerate(values)}


def axis_of(key: str, *values: object) -> dict:
    """The axis of a sweep over these values."""
    settings = swept(key, *values)
    rows = [
        {"setting": name, "pair": PAIR, "incumbent": "iperf-bbr", "contender": "iperf-cubic"} | UNMEASURED
        for name in settings
    ]
    pairs = sweep_pairs({}).from_pylist(rows, schema=sweep_pairs({}).schema)
    return layer(spec_of(settings, pairs), "line", "x")["encoding"]["x"]


def test_a_point_is_the_median_share_in_percent_at_the_swept_value():
    settings = sweep_settings()
    spec = spec_of(settings)
    points = rows_of(spec, layer(spec, "point", "href"))
    expected = {
        (row["incumbent"], settings[row["setting"]].sweep.at["queue_bdp"]): row["share_median"]
        for row in sweep_pairs(settings).to_pylist()
    }
    found = {(point["line"], point["at"]): point["share"] for point in points}
    assert set(found) == set(expected)
    for key, share in expected.items():
        assert found[key] == (None if share is None else pytest.approx(100 * share))
    assert points[0]["href"] == f"../pairs/link-0p5/{PAIR}/"


def test_a_bar_is_the_interval_and_there_is_none_without_one():
    spec = spec_of(sweep_settings())
    bars = layer(spec, "rule", "y2")
    assert bars["transform"] == [{"filter": "datum.low !== null"}]
    with_interval = {(row["at"], row["line"]) for row in rows_of(spec, bars) if row["low"] is not None}
    assert with_interval == {(at, service) for at in (0.5, 1) for service in ("iperf-bbr", "iperf-cubic")}


def test_the_services_differ_in_colour_dash_and_shape():
    spec = spec_of(sweep_settings())
    line, point = layer(spec, "line", "strokeDash"), layer(spec, "point", "shape")
    colours = line["encoding"]["color"]["scale"]["range"]
    assert colours == [LABELS.colours["iperf-bbr"], LABELS.colours["iperf-cubic"]]
    assert line["encoding"]["strokeDash"]["scale"]["range"] == [[1, 0], [5, 2]]
    assert len(set(point["encoding"]["shape"]["scale"]["range"])) == 2


def test_doubling_has_a_logarithmic_axis_with_its_values_as_ticks():
    axis = axis_of("queue_bdp", *QUEUES_BDP)
    assert axis["scale"]["type"] == "log" and axis["axis"]["values"] == list(QUEUES_BDP)
    assert axis["title"] == "Queue (bandwidth-delay products)"


def test_equal_steps_have_a_linear_axis():
    assert axis_of("rate_mbps", 10, 20, 30)["scale"]["type"] == "linear"
    assert axis_of("random_loss", 0, 0.01, 0.02)["scale"]["type"] == "linear"


def test_words_are_in_the_order_of_the_campaign():
    axis = axis_of("discipline", "fq_codel", "droptail", "codel")
    assert axis["type"] == "nominal" and axis["sort"] == ["fq_codel", "droptail", "codel"]


def test_the_swept_key_with_more_values_is_the_axis_and_the_other_makes_panels():
    spec = spec_of(sweep_settings(rates=(8, 50)))
    names = ["Rate of the link (Mbps): 8", "Rate of the link (Mbps): 50"]
    assert [[name, "MmF share (percent)"] for name in names] == [
        panel["title"]["text"] for panel in spec["vconcat"]
    ]
    for name, panel in zip(names, spec["vconcat"], strict=True):
        assert layer(panel, "line", "x")["encoding"]["x"]["title"] == "Queue (bandwidth-delay products)"
        points = rows_of(spec, layer(panel, "point", "href"))
        assert {name} == {point["panel"] for point in points}
        assert len(points) == 2 * len(QUEUES_BDP)


def test_the_title_has_the_lowest_and_the_highest_share_and_where():
    one, two = spec_of(sweep_settings()), spec_of(sweep_settings(rates=(8, 50)))
    queue = "bandwidth-delay products"
    assert f"iperf-bbr 60 % of a fair share at 4 {queue}; 165 % at 0.5 {queue}" == title_of(one)
    assert f"165 % at 50 Mbps, 0.5 {queue}" in title_of(two)


def test_below_six_trials_the_title_says_what_was_seen():
    settings = sweep_settings()
    few = {service: {"share_n": 5} for service in ("iperf-bbr", "iperf-cubic")}
    assert title_of(spec_of(settings, with_columns(sweep_pairs(settings), few))).startswith(
        "Seen: iperf-bbr "
    )


def test_shares_have_the_same_axis_in_every_sweep():
    for settings in (sweep_settings(), sweep_settings(rates=(8, 50))):
        for panel in (spec := spec_of(settings)).get("vconcat", [spec]):
            assert [0, 200] == layer(panel, "line", "y")["encoding"]["y"]["scale"]["domain"]


def test_long_words_on_the_axis_are_turned():
    assert 0 == axis_of("discipline", "codel", "droptail")["axis"]["labelAngle"]
    long = [f"a discipline of queue {place}" for place in range(6)]
    assert axis_of("discipline", *long)["axis"]["labelAngle"] < 0


def test_an_unmeasured_setting_is_in_the_description_and_has_no_point():
    spec = spec_of(sweep_settings())
    assert "iperf-bbr, Queue (bandwidth-delay products): 2: no valid trial" in spec["description"]
    assert "iperf-bbr, Queue (bandwidth-delay products): 1: 150 %, n = 6" in spec["description"]


def test_the_title_of_a_sweep_is_what_the_titles_of_its_settings_share():
    (sweep,) = sweep_groups(sweep_settings())
    assert (sweep.name, sweep.title, sweep.key, sweep.others) == ("link", "Swept", "queue_bdp", [])


def test_a_setting_that_is_no_sweep_or_the_only_one_of_it_has_no_chart():
    assert sweep_groups({"8mbps": swept_setting("Highly constrained")}) == []
    assert sweep_groups(swept("queue_bdp", 4)) == []


def test_a_key_without_a_title_is_its_own_title():
    assert axis_title("discipline_options.target_ms") == "discipline options target ms"


def with_columns(pairs: pa.Table, changed: dict[str, dict]) -> pa.Table:
    """The rows with these columns changed, by incumbent."""
    rows = [row | changed.get(row["incumbent"], {}) for row in pairs.to_pylist()]
    return pairs.from_pylist(rows, schema=pairs.schema)


def test_a_self_pair_has_a_line_for_each_instance_in_the_colour_of_the_service():
    settings = sweep_settings()
    itself = {"incumbent": "iperf-bbr", "contender": "iperf-bbr"}
    instances = {
        "iperf-bbr": itself | {"instance": "worse_off"},
        "iperf-cubic": itself | {"instance": "better_off"},
    }
    spec = spec_of(settings, with_columns(sweep_pairs(settings), instances))
    colours = layer(spec, "line", "strokeDash")["encoding"]["color"]["scale"]
    assert colours["domain"] == ["iperf-bbr, worse-off instance", "iperf-bbr, better-off instance"]
    assert colours["range"] == [LABELS.colours["iperf-bbr"]] * 2


def test_a_pair_with_a_service_that_is_unable_alone_has_no_point():
    settings = sweep_settings()
    unable = {service: {"unable": "iperf-cubic"} for service in ("iperf-bbr", "iperf-cubic")}
    spec = spec_of(settings, with_columns(sweep_pairs(settings), unable))
    assert {point["share"] for point in rows_of(spec, layer(spec, "point", "href"))} == {None}
    assert "iperf-bbr, Queue (bandwidth-delay products): 1: unable" in spec["description"]


@pytest.mark.parametrize(("rates", "charts"), [(6, 1), (7, 0)])
def test_a_sweep_of_too_many_panels_has_no_chart(rates, charts):
    """The axis has seven queues, and each rate has a panel."""
    settings = {
        f"link-{queue}-{rate}": swept_setting("Link", {"queue_bdp": queue, "rate_mbps": rate})
        for queue in range(1, 8)
        for rate in range(1, rates + 1)
    }
    (sweep,) = sweep_groups(settings)
    rows = [
        {"setting": name, "pair": PAIR, "incumbent": "iperf-bbr", "contender": "iperf-cubic"} | UNMEASURED
        for name in settings
    ]
    pairs = sweep_pairs({}).from_pylist(rows, schema=sweep_pairs({}).schema)
    assert charts == len(swept_pairs(records(PairRow, pairs.to_pylist()), sweep))
