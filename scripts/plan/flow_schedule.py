"""When the generated flows of a client start, and how many bytes each has.

The first group of flows starts `first_s` after the client, each next group one gap after the group before it.
There are `most_flows` flows, or as many as start before the client's time is over. Sizes and gaps are drawn
in turn from the client's own random numbers: those of its position and the specification's seed.

A generator that cannot fit its trials is refused before they are planned. Chance has no part in this: random
sizes and gaps count with their means. So a drawn schedule is never refused. If it is longer than the typical
one, the flows that would start too late or have no port are left out, and those that do not complete in time
are censored.

Source: Zapletal and Kuipers 2023, 3.1.
"""

import math
from collections.abc import Iterator
from itertools import islice, takewhile
from random import Random

from scripts.base.errors import UserError
from scripts.model.campaign import Campaign
from scripts.model.distributions import draws, typical
from scripts.model.durations import duration_s, lead_s
from scripts.model.services import MOST_FLOWS, FlowSchedule, Generator, Service
from scripts.model.settings import Setting
from scripts.plan.client_paths import client_paths

SECOND_US = 1_000_000

ScheduledFlow = tuple[int, int]
"""Microseconds from the client's start to the flow's, and the flow's bytes."""


def flow_schedule(generator: Generator, seconds: int, random: Random) -> FlowSchedule:
    """The flows of a client that has so many seconds."""
    flows = _flows(generator, draws(generator.sizes_bytes, random), draws(generator.gaps_s, random))
    chosen = islice(_within(flows, generator, seconds), MOST_FLOWS)
    starts_us, sizes_bytes = zip(*chosen, strict=True)
    return FlowSchedule(starts_us, sizes_bytes, generator.group_flows, generator.rate_limit_mbps)


def _flows(
    generator: Generator, sizes_bytes: Iterator[float], gaps_s: Iterator[float]
) -> Iterator[ScheduledFlow]:
    """The generator's flows without end."""
    start_us = round(generator.first_s * SECOND_US)
    while True:
        for size_bytes in islice(sizes_bytes, generator.group_flows):
            yield start_us, math.ceil(size_bytes)
        start_us += round(next(gaps_s) * SECOND_US)


def _within(flows: Iterator[ScheduledFlow], generator: Generator, seconds: int) -> Iterator[ScheduledFlow]:
    """The flows that a client with so many seconds has."""
    return islice(takewhile(lambda flow: flow[0] < seconds * SECOND_US, flows), generator.most_flows)


def check_flows(campaign: Campaign) -> None:
    """Check that the generated flows of every client of every setting fit its trials.

    Raises:
        UserError: they do not; it names the catalogue file.
    """
    for name, setting in campaign.settings.items():
        for pair in [*campaign.services, *campaign.pairs]:
            services = campaign.services_of(pair)
            if not setting.measures(pair) or not any(service.generator for service in services):
                continue
            paths, leads_s = client_paths(campaign, setting, pair), lead_s(campaign.trial, services)
            for service, path, lead in zip(services, paths, leads_s, strict=True):
                latest_s = path.start_s + lead + campaign.trial.start_jitter_s
                seconds = int(duration_s(campaign, name, pair) - latest_s)
                if reason := _objection(service, seconds, setting):
                    raise UserError(
                        f"services/catalogue/{service.name}.yaml: generator.{reason} "
                        f"(setting {name}, {pair}, where the client has {seconds} s)"
                    )


def _objection(service: Service, seconds: int, setting: Setting) -> str | None:
    """Why the flows of a service do not fit so many seconds on this link, and what to do; None if they do."""
    generator = service.generator
    if generator is None:
        return None
    most, group = generator.most_flows, generator.group_flows
    if generator.first_s >= seconds:
        return f"first_s: {generator.first_s} is after the client's end; lower it or lengthen the trial"
    if most is not None and most % group:
        return f"most_flows: {most} is not a multiple of group_flows {group}; make it one"
    flows = _typical(generator, seconds)
    if len(flows) > MOST_FLOWS:
        return f"gaps_s: there are more than {MOST_FLOWS} flows, more than a client has ports; raise the gaps"
    if most is not None and len(flows) < most:
        return (
            f"most_flows: only {len(flows)} of {most} flows start before the client's end; "
            "lower it or the gaps, or lengthen the trial"
        )
    offered_mb = sum(size_bytes for _, size_bytes in flows) / 1e6
    carried_mb = (seconds - generator.first_s) * setting.rate_mbps / 8
    if offered_mb > carried_mb:
        return (
            f"sizes_bytes: the flows have {offered_mb:.1f} MB, more than the {carried_mb:.1f} MB that the "
            "link carries in their time; lower the sizes or raise the gaps"
        )
    return None


def _typical(generator: Generator, seconds: int) -> list[ScheduledFlow]:
    """The flows of so many seconds if chance had no part; of too many, enough to see that they are."""
    flows = _flows(generator, typical(generator.sizes_bytes), typical(generator.gaps_s))
    return list(islice(_within(flows, generator, seconds), MOST_FLOWS + 1))
