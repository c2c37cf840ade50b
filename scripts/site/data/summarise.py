"""Write the summary of a published cycle from its snapshot (summary.py describes it)."""

import json
from dataclasses import replace
from pathlib import Path

from scripts.base.files import digest, read_json, replacing, write_text
from scripts.base.parquet import write_rows
from scripts.base.records import read_record, to_json
from scripts.charts.chart_labels import make_labels
from scripts.charts.table_files import read_rows
from scripts.charts.table_rows import ServiceRow
from scripts.model.campaign import read_campaign
from scripts.model.comparison import decisive_values
from scripts.site.addresses import Place
from scripts.site.cycle.cycle_page import switch_words
from scripts.site.cycle.inputs import Provenance
from scripts.site.data.campaign_summary import service_summaries, setting_summaries, stack_summaries
from scripts.site.data.expectation_summaries import expectation_summaries
from scripts.site.data.figures import figures
from scripts.site.data.manifest import own_files
from scripts.site.data.recognised import recognised
from scripts.site.data.service_change import service_changes
from scripts.site.data.summary import (
    JSON,
    PARQUET,
    Summary,
    TableSummary,
)
from scripts.site.story.names import short_titles
from scripts.snapshot.identity import CHECKSUMS, read_identity
from scripts.snapshot.part import CYCLE_CHARTS


def write_summary(snapshot: Path, pages: Path, place: Place, tables: tuple[TableSummary, ...]) -> Summary:
    """Write summary.json and summary.parquet into the folder of a cycle's pages.

    Args:
        snapshot: the snapshot of the cycle.
        pages: the folder of its pages, which are built already.
        place: the cycle.
        tables: its tables in data/v1/ (tables_v1.py).

    Returns:
        The content of summary.json.

    Raises:
        UserError: the snapshot lacks something.
    """
    summary = _summary(snapshot, pages, place, tables)
    text = json.dumps(to_json(summary), indent=1, ensure_ascii=False, allow_nan=False)
    write_text(pages / JSON, text + "\n")
    with replacing(pages / PARQUET) as fresh:
        write_rows(fresh, figures(snapshot / "tables"))
    return summary


def _summary(snapshot: Path, pages: Path, place: Place, tables: tuple[TableSummary, ...]) -> Summary:
    from scripts.site.data.claims import claims_of  # takes seconds, and most builds have no new cycle

    identity, config = read_identity(snapshot), snapshot / "plan/config.json"
    campaign = read_campaign(config)
    settings = setting_summaries(campaign)
    labels = make_labels(campaign.services, campaign)
    provenance = read_record(Provenance, snapshot / "tables/cycle.json")
    trials = {row.key: row.valid for row in read_rows(snapshot / "tables", "trial_services", ServiceRow)}
    return Summary(
        place.campaign,
        place.cycle,
        place.revision,
        correction=identity.correction,
        commit=identity.commit,
        checksum=digest(snapshot / CHECKSUMS),
        title=campaign.title,
        first_start_ns=provenance.first_start_ns,
        last_stop_ns=provenance.last_stop_ns,
        planned=len(trials) if provenance.trials_planned is None else provenance.trials_planned,
        counted=sum(trials.values()),
        excluded=len(trials) - sum(trials.values()),
        settings=settings,
        services=service_summaries(campaign, stack_summaries(snapshot / "tables")),
        bottlenecks=tuple(map(switch_words, provenance.bottlenecks)),
        host=provenance.host or {},
        programs=provenance.programs,
        method=dict(sorted(decisive_values(read_json(config), campaign.settings))),
        compared_with=provenance.compared_with,
        not_compared=provenance.not_compared,
        pages=_pages(pages),
        tables=tables,
        claims=claims_of(snapshot, replace(labels, settings=short_titles(settings))),
        expectations=expectation_summaries(campaign, snapshot / "tables"),
        charts=tuple(sorted(path.stem for path in (snapshot / CYCLE_CHARTS).rglob("*.svg"))),
        service_changes=service_changes(snapshot / "tables"),
        recognised=recognised(snapshot / "tables"),
        tests_testbed=campaign.tests_testbed,
    )


def _pages(pages: Path) -> tuple[str, ...]:
    """The folders with a page, except the first page, those of single trials, and those for frames."""
    folders = {path.parent for path in own_files(pages) if path.name == "index.html"} - {Path()}
    return tuple(
        sorted(
            f"{folder.as_posix()}/"
            for folder in folders
            if folder.parts[0] != "embed" and not folder.match("trials/*/*/*")
        )
    )
