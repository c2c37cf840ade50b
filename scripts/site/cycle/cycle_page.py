"""The data of the front page: the whole cycle, its story, and each setting with its heatmaps."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from scripts.base.records import to_json
from scripts.charts.chart_labels import setting_title
from scripts.charts.heatmap_cells import HARMS, HEATMAPS
from scripts.charts.setting_groups import shown_together, sweep_groups
from scripts.figures.figure import Figure, matrix
from scripts.model.campaign import Campaign
from scripts.model.pairs import is_solo
from scripts.model.services import Service
from scripts.plan.reach import limits, out_of_reach
from scripts.site import Row
from scripts.site.cycle.comparisons import order_charts
from scripts.site.cycle.excluded_pages import closed_pairs, set_aside_in
from scripts.site.cycle.inputs import Inputs, Switch
from scripts.site.cycle.link_words import link_words
from scripts.site.data.campaign_summary import service_summaries, setting_summaries
from scripts.site.data.recognised import recognised
from scripts.site.data.service_change import service_changes
from scripts.site.heatmap_table import heatmap_table
from scripts.site.story.names import short_titles
from scripts.site.story.overview import StoryInput
from scripts.site.story.whole import setting_story, story
from scripts.site.times import span

COMPLETION_CHARTS = ("slowdown-beside", "slowdown-by-rtt")
"""The charts of generated flows over several settings."""

SWITCHES = {"embedded": "embedded switch", "bess": "BESS"}


def cycle_page(inputs: Inputs) -> Row:
    """The facts about the whole cycle, counted from the tables."""
    trials = inputs.valid
    provenance, campaign = inputs.provenance, inputs.campaign
    counted = sum(trials.values())
    lengths_s = [campaign.times(name).duration_s for name in campaign.settings]
    pairs = {key.pair for key in trials if not is_solo(key.pair)}
    return {
        "title": campaign.title,
        "campaign": provenance.campaign,
        "cycle": provenance.cycle,
        "identity": to_json(inputs.identity) if inputs.identity else None,
        "planned": provenance.trials_planned,
        "measured": len(trials),
        "at_once": inputs.campaign.at_once,
        "counted": counted,
        "excluded": len(trials) - counted,
        "pairs": len(pairs),
        "alone": not pairs and not campaign.pairs,
        "services": [
            asdict(summary) | {"driver": service.driver, "web": service.is_web, "where": hosting(service)}
            for summary in service_summaries(campaign)
            for service in [campaign.services[summary.name]]
        ],
        "measured_span": span(provenance.first_start_ns, provenance.last_stop_ns),
        "host": provenance.host or {},
        "programs": provenance.programs,
        "bottlenecks": [switch_words(switch) for switch in provenance.bottlenecks],
        "trial": to_json(campaign.trial),
        "times": times_entries(campaign),
        "length": " to ".join(f"{end} s" for end in dict.fromkeys((min(lengths_s), max(lengths_s)))),
        "trials": to_json(campaign.trials),
        "calibration": to_json(campaign.calibration),
        "charts": [
            *inputs.existing(COMPLETION_CHARTS),
            *inputs.existing(f"bbr-model-{sweep.name}" for sweep in sweep_groups(campaign.settings)),
            *order_charts(inputs),
        ],
        "limits": [
            {"settings": [] if len(names) == len(campaign.settings) else names, "words": words}
            for names, words in limits(campaign)
        ],
    }


def switch_words(switch: Switch) -> str:
    """A switch and the trials that it measured, as their trial.json says."""
    title = SWITCHES.get(switch.backend or "", switch.backend or "not recorded")
    version = f" {switch.version}" if switch.version else ""
    return f"{title}{version}" + (f" ({switch.trials} trials)" if switch.trials else "")


def times_entries(campaign: Campaign) -> list[Row]:
    """The different times of trials, each with the `titles` of its settings, in the campaign's order."""
    times = {name: campaign.times(name) for name in campaign.settings}
    return [
        {
            "times": to_json(one),
            "titles": [setting_title(campaign.settings[other]) for other in times if times[other] == one],
        }
        for place, one in enumerate(times.values())
        if one not in [*times.values()][:place]
    ]


def hosting(service: Service) -> str:
    """Where a service runs, and what it stands for."""
    if service.live:
        return "live, on the Internet"
    return f"self-hosted, stands for {service.stands_for}" if service.stands_for else "self-hosted"


def setting_pages(inputs: Inputs) -> list[Row]:
    """Each setting with its link, its findings and the names of its charts, in the campaign's order."""
    settings = inputs.campaign.settings
    together, short = shown_together(settings), short_titles(setting_summaries(inputs.campaign))
    closed = closed_pairs(inputs, "service")
    solos, positions = inputs.rows_by("solo", "setting"), inputs.row_by("positions", "setting")
    return [
        {
            "name": name,
            "heading": setting_title(setting),
            "short": short[name],
            "together": name in together,
            "rate_mbps": setting.rate_mbps,
            "words": link_words(setting, inputs.campaign.most_clients(name)),
            "findings": [] if name in together else findings(inputs, name),
            "ranking": ranking(inputs.tables["services"], inputs.tables["leads"], name),
            "unable": [row["service"] for row in solos.get((name,), []) if row["able"] is False],
            "closed": [pair for at, pair in closed if at == name],
            "set_aside": set_aside_in(inputs, name),
            "dots": inputs.chart(f"dots-{name}"),
            "limit": out_of_reach(inputs.campaign, name),
            "positions": positions.get((name,)),
        }
        for name, setting in settings.items()
    ]


def findings(inputs: Inputs, setting: str) -> list[Row]:
    """The rows of the table `findings` of a setting, with the titles of their `services` (None without).

    A cycle that still runs has none, because they name extremes.
    """
    if inputs.provisional:
        return []
    rows = inputs.rows_by("findings", "setting").get((setting,), [])
    return [row | {"services": _services(inputs, row)} for row in rows]


def _services(inputs: Inputs, row: Row) -> str | None:
    incumbent, contender = row["incumbent"], row["contender"]
    if incumbent and contender:
        return inputs.labels.matchup(str(incumbent), str(contender))
    service = incumbent or contender
    return inputs.labels.service(str(service)) if service else None


RANKS = {"contentious_ranks": "most_contentious", "sensitive_ranks": "most_sensitive"}
"""The finding of which each column of a ranking has the intervals."""


def ranking(services: Iterable[Row], leads: Iterable[Row], setting: str) -> list[Row]:
    """The rows of the table `services` of a setting, each with the 95 % intervals of both ranks in words.

    An interval is None if the service has no rank, or a pair of it has fewer than six trials.
    """
    intervals = {
        (row["finding"], row["key"]): f"{row['rank_low']} to {row['rank_high']}"
        for row in leads
        if row["setting"] == setting and row["rank_low"] is not None
    }
    return [
        row | {column: intervals.get((finding, row["service"])) for column, finding in RANKS.items()}
        for row in services
        if row["setting"] == setting
    ]


def story_page(inputs: Inputs) -> Row:
    """The story; `pages` has the sentences and the heatmaps of every setting by name."""
    measured = _measured(inputs)
    settings = [setting.name for setting in measured.settings]
    pages = {
        name: setting_story(measured, name) | _heatmaps(inputs, measured.figures, name) for name in settings
    }
    return story(measured) | {"pages": pages}


def _measured(inputs: Inputs) -> StoryInput:
    counted = sum(inputs.valid.values())
    return StoryInput(
        setting_summaries(inputs.campaign),
        service_summaries(inputs.campaign),
        inputs.figures,
        counted,
        len(inputs.valid) - counted,
        inputs.provenance.compared_with,
        service_changes(inputs.tables_dir),
        recognised(inputs.tables_dir),
        provisional=inputs.provisional,
    )


def _heatmaps(inputs: Inputs, rows: Sequence[Figure], setting: str) -> Row:
    """The `heatmaps` of a setting, each with its `chart`; none without a cell."""
    kinds = [*HEATMAPS, *(kind for kind in HARMS if inputs.chart(f"{kind}-{setting}"))]
    return {
        "heatmaps": [
            heatmap_table(rows, setting, kind, inputs.labels.short)
            | {"chart": inputs.chart(f"{kind}-{setting}")}
            for kind in (kinds if matrix(rows, setting) else ())
        ]
    }
