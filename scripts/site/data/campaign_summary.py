"""Settings and services of a campaign as summary.json describes them."""

from scripts.charts.chart_labels import setting_title
from scripts.model.campaign import Campaign
from scripts.model.services import Service
from scripts.site.cycle.link_words import link_words
from scripts.site.data.summary import ServiceSummary, SettingSummary
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


def service_summaries(campaign: Campaign) -> tuple[ServiceSummary, ...]:
    """The services, in the campaign's order."""
    return tuple(_service(service, campaign) for service in campaign.services.values())


def _service(service: Service, campaign: Campaign) -> ServiceSummary:
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
    )
