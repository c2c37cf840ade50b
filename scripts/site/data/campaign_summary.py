"""Settings and services of a campaign as summary.json describes them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from scripts.charts.chart_labels import setting_title
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import grouped
from scripts.model.campaign import Campaign
from scripts.model.services import Service
from scripts.site.cycle.link_words import link_words
from scripts.site.data.summary import ServiceSummary, SettingSummary, StackSummary
from scripts.tables.parameters import controls


def setting_summaries(campaign: Campaign) -> tuple[SettingSummary, ...]:
    """The settings, in the campaign's order."""
    return tuple(
        SettingSummary(
            name,
            setting_title(setting),
            setting.rate_mbps,
            str(link_words(setting, campaign.most_clients(name))["line"]),
        )
        for name, setting in campaign.settings.items()
    )


def service_summaries(
    campaign: Campaign, stacks: Mapping[str, StackSummary] = MappingProxyType({})
) -> tuple[ServiceSummary, ...]:
    """The services, in the campaign's order, with the stacks of some by name."""
    return tuple(
        _service(service, campaign, stacks.get(service.name)) for service in campaign.services.values()
    )


@dataclass(frozen=True)
class _ToldRow:
    """A row of trial_services. That of an earlier cycle may lack what an endpoint said."""

    service: str
    stack: str | None = None
    stack_version: str | None = None
    controller: str | None = None
    shipped: bool | None = None
    gso: bool | None = None
    pacing: bool | None = None


def stack_summaries(tables: Path) -> Mapping[str, StackSummary]:
    """What the endpoint of each service that has one said in the last of its trials in a folder of tables."""
    of_stacks = [row for row in read_rows(tables, "trial_services", _ToldRow) if row.stack is not None]
    return {
        service: StackSummary(
            str(rows[-1].stack),
            ", ".join(sorted({str(row.stack_version) for row in rows})),
            str(rows[-1].controller),
            all(row.shipped for row in rows),
            rows[-1].gso,
            rows[-1].pacing,
        )
        for service, rows in grouped(of_stacks, lambda row: row.service).items()
    }


def _service(service: Service, campaign: Campaign, stack: StackSummary | None) -> ServiceSummary:
    return ServiceSummary(
        service.name,
        service.title,
        service.category,
        service.metric,
        stands_for=service.stands_for,
        live=service.live is not None,
        baseline=service.name in controls(campaign),
        colour=service.colour,
        cca=service.live.cca if service.live else service.cca,
        flows=service.flows,
        short=service.short,
        stack=stack,
    )
