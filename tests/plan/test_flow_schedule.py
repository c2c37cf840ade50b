"""Schedules of generated flows: the same for a seed everywhere, and refused if they cannot fit a trial."""

from dataclasses import replace
from random import Random

import pytest

from scripts.base.errors import UserError
from scripts.model.services import MOST_FLOWS, Distribution, Generator
from scripts.plan.flow_schedule import check_flows, flow_schedule
from tests.model.campaigns import TIMES, campaign, service, setting

SIZES = Distribution(
    "lognormal_pareto", median=14_480, sigma=2.16, tail_from=2_200_000, tail_index=1.2, most=25_000_000
)
GENERATOR = Generator(SIZES, Distribution("exponential", mean=0.2))


def fixed(*values):
    return Distribution("fixed", values=values)


def test_the_schedule_of_a_seed_on_every_machine_and_version_of_python():
    """Numbers written out: another one would make trials of one cycle differ between hosts."""
    flows = flow_schedule(replace(GENERATOR, most_flows=6), 600, Random("1/c1"))
    assert (0, 545546, 686672, 782473, 910988, 1036837) == flows.starts_us
    assert (74921, 30491, 280864, 1052, 1622, 334457) == flows.sizes_bytes


def test_another_seed_gives_other_flows():
    assert flow_schedule(GENERATOR, 60, Random("1/c1")) != flow_schedule(GENERATOR, 60, Random("1/c2"))


def test_flows_start_until_the_clients_time_is_over():
    generator = Generator(fixed(7, 8), fixed(2, 0.5), first_s=1)
    flows = flow_schedule(generator, 6, Random(1))
    assert (1_000_000, 3_000_000, 3_500_000, 5_500_000) == flows.starts_us  # the next one at 6 s
    assert (7, 8, 7, 8) == flows.sizes_bytes


def test_a_longer_trial_has_the_same_flows_and_more():
    short, long = (flow_schedule(GENERATOR, seconds, Random(5)) for seconds in (30, 60))
    count = len(short.starts_us)
    assert count < len(long.starts_us)
    assert (short.starts_us, short.sizes_bytes) == (long.starts_us[:count], long.sizes_bytes[:count])


def test_the_flows_of_a_group_start_together_and_the_gap_lies_between_groups():
    generator = Generator(fixed(1, 2, 3), fixed(1), most_flows=4, group_flows=2, rate_limit_mbps=10)
    flows = flow_schedule(generator, 60, Random(1))
    assert (0, 0, 1_000_000, 1_000_000) == flows.starts_us
    assert (1, 2, 3, 1) == flows.sizes_bytes
    assert (2, 10) == (flows.group_flows, flows.rate_limit_mbps)


def test_sizes_are_whole_bytes_and_none_is_0():
    tiny = Distribution("exponential", mean=1)
    flows = flow_schedule(Generator(tiny, fixed(0.1)), 60, Random(1))
    assert 1 == min(flows.sizes_bytes)
    assert all(isinstance(size, int) for size in flows.sizes_bytes)


def generating(**changes):
    """A campaign of 60 s a trial, 8 Mbps, whose service `f` has a generator with these fields."""
    generator = replace(Generator(fixed(1000), fixed(1)), **changes)
    flows = service("f", driver="flows", metric="completion", generator=generator)
    return campaign(
        services={"a": service("a"), "f": flows},
        pairs=("a~f",),
        settings={"8mbps": setting(queue_packets=64)},
        trial=replace(TIMES, duration_s=60, ignore_first_s=10, ignore_last_s=10),
    )


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"first_s": 59}, "generator.first_s: 59 is after the client's end; lower it or lengthen the trial"),
        ({"most_flows": 60}, "generator.most_flows: only 59 of 60 flows start before the client's end"),
        ({"most_flows": 3, "group_flows": 2}, "generator.most_flows: 3 is not a multiple of group_flows 2"),
        (
            {"sizes_bytes": fixed(1_000_001)},
            "generator.sizes_bytes: the flows have 59.0 MB, more than the 59.0 MB that the link carries",
        ),
        ({"sizes_bytes": Distribution("exponential", mean=1.1e6)}, "generator.sizes_bytes: the flows have"),
        ({"gaps_s": fixed(0.002)}, f"generator.gaps_s: there are more than {MOST_FLOWS} flows"),
        (
            {"gaps_s": Distribution("exponential", mean=1e-9)},
            f"generator.gaps_s: there are more than {MOST_FLOWS} flows",
        ),
        (
            {"gaps_s": fixed(1), "group_flows": 500},
            f"generator.gaps_s: there are more than {MOST_FLOWS} flows",
        ),
    ],
)
def test_flows_that_cannot_fit_a_trial_are_refused_with_the_reason(changes, reason):
    with pytest.raises(UserError) as error:
        check_flows(generating(**changes))
    assert str(error.value).startswith(f"services/catalogue/f.yaml: {reason}")
    assert str(error.value).endswith("(setting 8mbps, f, where the client has 59 s)")


@pytest.mark.parametrize(
    "changes",
    [{"first_s": 58}, {"most_flows": 59}, {"sizes_bytes": fixed(1_000_000)}, {"gaps_s": fixed(0.004)}],
)
def test_flows_that_just_fit_are_accepted(changes):
    check_flows(generating(**changes))


def test_a_client_that_starts_later_has_less_time():
    late = setting(queue_packets=64, clients=[{}, {"start_s": 9}])
    with pytest.raises(UserError, match=r"\(setting 8mbps, a~f, where the client has 50 s\)"):
        check_flows(replace(generating(first_s=50), settings={"8mbps": late}))


def test_only_the_trials_of_a_setting_that_measures_the_service_matter():
    elsewhere = replace(generating(first_s=59), settings={"8mbps": setting(queue_packets=64, services=["a"])})
    check_flows(elsewhere)


def test_a_drawn_schedule_that_is_longer_than_the_typical_one_is_cut():
    generator = replace(GENERATOR, most_flows=280)
    lengths = {len(flow_schedule(generator, 60, Random(seed)).starts_us) for seed in range(40)}
    assert min(lengths) < 280 == max(lengths)
