"""Expectations of a campaign: completed from shared keys, and refused if a figure is not measured."""

import shutil

import pytest
import yaml

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.figures.catalogue import metrics_of
from scripts.figures.keys import INSTANCES, SELF_PAIR_INSTANCES, STATISTICS, key_words
from scripts.model.campaign import read_campaign
from scripts.model.expectations import Check, FigureKey, Multiple
from scripts.model.schemas import schema_of
from scripts.plan.campaign_file import load_campaign, main
from scripts.tables import table_schema

RTT = "zapletal-rtt-short"
"""Two pairs of a service with itself, in two settings."""
FILE = "config/campaigns/test.yaml"
SHARED = {
    "setting": "100mbps-20ms-250",
    "service": "flow-60mb-bbr",
    "contender": "flow-60mb-bbr",
    "metric": "slowdown",
    "statistic": "maximum",
}
RENO = {"service": "flow-60mb-reno", "contender": "flow-60mb-reno"}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A copy of the configuration and catalogue."""
    copy = tmp_path_factory.mktemp("root")
    for folder in ("config", "services/catalogue", "services/drivers"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def expecting(root, *expectations, **changes):
    """The expectations of a campaign like zapletal-rtt-short that has these, as they are loaded."""
    written = yaml.safe_load((root / f"config/campaigns/{RTT}.yaml").read_text()) | changes
    (root / FILE).write_text(yaml.safe_dump(written | {"expectations": list(expectations)}, sort_keys=False))
    return load_campaign("test", root).expectations


def expectation(*checks, name="later", **figure):
    """An expectation as a file has it."""
    return {
        "name": name,
        "says": "The later one is slow.",
        "source": "a paper",
        "figure": SHARED | figure,
        "checks": list(checks),
    }


def test_a_check_has_the_shared_keys_and_its_own_come_first(root):
    written = expectation(
        {"between": [1, 2.5]},
        {"figure": {"instance": "second"}, "below": {"figure": {"instance": "both"}, "times": 1.5}},
        {"figure": {"setting": "100mbps-100ms-250", "size_class": "30 MB and more"}, "above": 2},
    )
    (found,) = expecting(root, written)
    first = FigureKey(**SHARED)
    second, both = (FigureKey(**SHARED, instance=instance) for instance in ("second", "both"))
    far = FigureKey(**SHARED | {"setting": "100mbps-100ms-250"}, size_class="30 MB and more")
    assert ("later", "The later one is slow.", "a paper") == (found.name, found.says, found.source)
    assert found.checks == (
        Check(first, between=(1, 2.5)),
        Check(second, below=Multiple(both, 1.5)),
        Check(far, above=2),
    )


def test_another_figure_has_the_shared_keys_and_not_those_of_its_check(root):
    (found,) = expecting(root, expectation({"figure": RENO, "above": {"figure": {"instance": "second"}}}))
    assert Multiple(FigureKey(**SHARED, instance="second")) == found.checks[0].above


def test_contenders_may_be_named_in_any_order(root):
    pairs = ["flow-60mb-bbr~flow-60mb-reno~flow-60mb-reno"]
    for contender in ("flow-60mb-reno~flow-60mb-bbr", "flow-60mb-bbr~flow-60mb-reno"):
        written = expectation({"above": 2}, service="flow-60mb-reno", contender=contender)
        (found,) = expecting(root, written, pairs=pairs)
        assert "flow-60mb-bbr~flow-60mb-reno" == found.checks[0].figure.contender


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        (
            {"setting": "8mbps"},
            "unknown setting 8mbps; the campaign has: 100mbps-20ms-250, 100mbps-100ms-250",
        ),
        (
            {"service": "iperf-bbr"},
            "unknown service iperf-bbr; the campaign has: flow-60mb-bbr, flow-60mb-reno",
        ),
        ({"contender": "iperf-bbr"}, "unknown service iperf-bbr"),
        ({"contender": "flow-60mb-reno"}, "flow-60mb-bbr~flow-60mb-reno is not measured in 100mbps-20ms-250"),
        (
            {"contender": "", "instance": "both"},
            "instance: both is of a service against itself; name that pair",
        ),
        ({"size_class": "small"}, "unknown size_class small; known are: all, below 1 kB, 1 to 3 kB"),
    ],
)
def test_a_figure_that_is_not_measured_is_refused_wherever_it_stands(root, figure, message):
    for check in ({"figure": figure, "above": 2}, {"above": {"figure": figure}}):
        with pytest.raises(UserError) as refused:
            expecting(root, expectation({"above": 1}, check))
        assert str(refused.value).startswith(f"{FILE}: expectations: later: check 2: {message}")


def test_a_pair_that_its_setting_does_not_measure_is_refused(root):
    written = yaml.safe_load((root / f"config/campaigns/{RTT}.yaml").read_text())
    written["settings"]["100mbps-20ms-250"]["services"] = ["flow-60mb-reno"]
    with pytest.raises(UserError, match="flow-60mb-bbr~flow-60mb-bbr is not measured in 100mbps-20ms-250"):
        expecting(root, expectation({"above": 1}), settings=written["settings"])


def test_a_service_alone_that_is_not_measured_alone_is_refused(root):
    with pytest.raises(UserError, match="check 1: flow-60mb-bbr is not measured in 100mbps-20ms-250"):
        expecting(
            root,
            expectation({"above": 1}, contender=""),
            trials={"solo": 0, "counted": 6, "counted_attempts": 8},
        )


def test_a_service_without_completion_times_is_refused(root):
    with pytest.raises(
        UserError, match="iperf-bbr has no completion times; name a service of generated flows"
    ):
        expecting(
            root,
            expectation({"above": 1}, service="iperf-bbr", contender=""),
            services=["iperf-bbr", "flow-60mb-bbr", "flow-60mb-reno"],
        )


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({}, "expectations.0.checks.0: give exactly one of: between; or below; or above"),
        (
            {"above": 1, "below": 2},
            "expectations.0.checks.0: give exactly one of: between; or below; or above",
        ),
        (
            {"between": [2.2, 1.9]},
            "expectations: later: check 1: between: 2.2 is more than 1.9; exchange them",
        ),
        (
            {"above": {"figure": {}, "times": 0}},
            "expectations.0.checks.0.above.times: is 0; it must be more than 0",
        ),
        ({"above": 1, "figure": {"cca": "bbr"}}, "expectations.0.checks.0.figure.cca: unknown key"),
        (
            {"above": 1, "figure": {"metric": "loss"}},
            "expectations: later: check 1: unknown metric loss; known are: share",
        ),
    ],
)
def test_a_check_that_cannot_be_is_refused(root, check, message):
    with pytest.raises(UserError) as refused:
        expecting(root, expectation(check))
    assert str(refused.value).startswith(f"{FILE}: {message}")


def test_a_figure_without_a_key_that_it_needs_is_refused(root):
    written = expectation({"above": 1})
    del written["figure"]["metric"]
    with pytest.raises(
        UserError, match="later: check 1: a figure has no metric; add it there, or to the figure"
    ):
        expecting(root, written)


def test_two_expectations_of_one_name_are_refused(root):
    with pytest.raises(UserError, match="expectations: 2 have the name later; rename all but one"):
        expecting(root, expectation({"above": 1}), expectation({"below": 1}))


def test_expectations_are_read_back_as_they_were_written(tmp_path):
    path = tmp_path / "config.json"
    assert 0 == main([RTT, "-o", str(path)])
    assert load_campaign(RTT).expectations == read_campaign(path).expectations != ()


KEYS = schema_of(Check)["$defs"]["FigureKey"]["properties"]


def columns_of(table):
    """The values that each column of a table may have, by name."""
    return {column.name: column.values for column in table_schema.load_schema(table).columns}


def test_the_schema_and_the_words_have_the_same_statistics_and_instances():
    for key, words in (("statistic", STATISTICS), ("instance", INSTANCES)):
        assert [*words] == KEYS[key]["enum"]


def test_the_table_has_the_statistics_and_instances_of_the_schema():
    columns = columns_of("expectations")
    assert ("", *KEYS["statistic"]["enum"]) == columns["statistic"]
    for key in ("instance", "subject"):
        assert tuple(KEYS[key]["enum"]) == columns[key]


@pytest.mark.parametrize("table", ["completions", "models", "orders", "qoe_pairs"])
def test_a_table_has_the_metrics_of_the_catalogue(table):
    assert tuple(metrics_of(table)) == columns_of(table)["metric"]


@pytest.mark.parametrize("metric", ["luck", "slowdown_mean"])
def test_a_metric_without_a_table_is_refused(root, metric):
    with pytest.raises(UserError, match=f"unknown metric {metric}; known are: share, share_change, "):
        expecting(root, expectation({"above": 1, "figure": {"metric": metric}}))


def test_completions_have_the_metrics_statistics_and_instances_that_are_expected_of_them():
    columns = columns_of("completions")
    assert tuple(STATISTICS) == columns["statistic"]
    assert SELF_PAIR_INSTANCES["completions"] == columns["instance"]


PANEL = {
    "services": ["iperf-bbr", "iperf-cubic", "ref-page-text"],
    "pairs": ["iperf-bbr~iperf-bbr", "iperf-bbr~iperf-cubic", "iperf-cubic~ref-page-text"],
    "settings": {
        "8mbps": None,
        "50mbps": None,
        "10mbps": {
            "title": "Buffers",
            "rate_mbps": 10,
            "rtt_ms": 50,
            "queue_bdp": [1, 2],
            "discipline": "droptail",
            "precision_mbps": 0.5,
        },
    },
}
"""A campaign that no longer has flows of a generator, with a sweep."""


def expected_figure(metric, service="iperf-bbr", contender="iperf-cubic", **figure):
    """An expectation of a figure that is no completion time."""
    shared = {"setting": "10mbps-queue-bdp-1", "service": service, "contender": contender, "metric": metric}
    written = expectation({"above": 0})
    return written | {"figure": shared | figure}


@pytest.mark.parametrize(
    "written",
    [
        expected_figure("share"),
        expected_figure("share_change"),
        expected_figure("share", contender="iperf-bbr", instance="worse_off"),
        expected_figure("fness_in_order", contender="iperf-bbr", instance="second"),
        expected_figure("wire_rate_mbps", contender=""),
        expected_figure("web_visually_complete_s", service="ref-page-text"),
        expected_figure("k_percentile", setting="10mbps"),
    ],
)
def test_figures_of_every_table_are_accepted(root, written):
    (found,) = expecting(root, written, **PANEL)
    assert written["figure"]["metric"] == found.checks[0].figure.metric


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (expected_figure("share", statistic="median"), "share has no statistic; remove it"),
        (expected_figure("share", contender=""), "share is of a pair; name a contender"),
        (expected_figure("share", service="ref-page-text"), "ref-page-text is not judged by its throughput"),
        (
            expected_figure("share", contender="iperf-bbr"),
            "instance: share of a self-pair has no first; name worse_off or better_off",
        ),
        (
            expected_figure("link_fraction", contender="iperf-bbr", instance="second"),
            "instance: link_fraction of a self-pair has no second; name first",
        ),
        (expected_figure("wire_rate_mbps"), "wire_rate_mbps is of a service alone; remove the contender"),
        (expected_figure("web_visually_complete_s"), "iperf-bbr has no page load time; name a web page"),
        (
            expected_figure("k_percentile", setting="10mbps", service="iperf-cubic", contender="iperf-bbr"),
            "k_percentile is of the pair iperf-bbr~iperf-cubic; exchange the service and iperf-bbr",
        ),
        (expected_figure("k_percentile"), "unknown sweep 10mbps-queue-bdp-1; the campaign has: 10mbps"),
    ],
)
def test_a_figure_that_its_table_does_not_have_is_refused(root, written, message):
    with pytest.raises(UserError) as refused:
        expecting(root, written, **PANEL)
    assert str(refused.value).startswith(f"{FILE}: expectations: later: check 1: {message}")


def test_a_completion_time_without_a_statistic_is_refused(root):
    written = expectation({"above": 1})
    del written["figure"]["statistic"]
    with pytest.raises(UserError, match="later: check 1: a figure has no statistic; add it there"):
        expecting(root, written)


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (
            FigureKey(
                setting="8mbps", service="a", size_class="1 to 3 kB", metric="slowdown", statistic="median"
            ),
            "median slowdown, 1 to 3 kB, a alone, 8mbps",
        ),
        (
            FigureKey(setting="8mbps", service="a", contender="b", metric="data_ms", statistic="p95"),
            "95th percentile of the time from the first data to the last in ms, a against b, 8mbps",
        ),
        (
            FigureKey(
                setting="s",
                service="a",
                contender="a",
                instance="both",
                subject="group",
                metric="slowdown",
                statistic="maximum",
            ),
            "maximum slowdown of groups, a against a, both clients, s",
        ),
        (
            FigureKey(setting="s", service="a", contender="b~c~b~b", metric="link_fraction"),
            "fraction of the link that BBR flows get, a against b_3~c, s",
        ),
    ],
)
def test_the_words_of_a_figure(figure, words):
    assert words == key_words(figure)
