"""The table `recognition`: which family of congestion controllers every service runs (scripts/recognition).

The labelled traces of the cycle's links are kept in its folder compared/, so that a snapshot gives the same
answers after the library has grown. A cycle without them has no such table: the library has no trace of its
links, or its trials are shorter than a trace.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.model.campaign import Campaign
from scripts.model.comparison import RECOGNITION
from scripts.model.durations import duration_s
from scripts.recognition.families import UNKNOWN, family_of, known_family
from scripts.recognition.library import EMPTY, read_library, write_library
from scripts.recognition.services import ServiceAnswer, recognise
from scripts.recognition.solos import read_solos
from scripts.recognition.traces import TRACE_S, LinkKey
from scripts.tables.database import checked


def keep_labels(campaign: Campaign, kept: Path, library: Path) -> None:
    """Write the labelled traces of a campaign's links to `kept`; remove it if there are none.

    Only links count with trials of a service alone that are longer than a trace.
    """
    links = _links(campaign)
    traces = read_library(library).of(links) if links else EMPTY
    if traces.labels:
        write_library(traces, kept)
    else:
        kept.unlink(missing_ok=True)


def _links(campaign: Campaign) -> set[LinkKey]:
    links = set()
    for name, setting in campaign.settings.items():
        link = LinkKey.of(setting)
        measured = [service for service in campaign.services if setting.measures(service)]
        if (
            link
            and campaign.trials.solo
            and any(duration_s(campaign, name, service) > TRACE_S for service in measured)
        ):
            links.add(link)
    return links


def recognition_table(campaign: Campaign, tables: Path, labels: Path, before: Path | None) -> pa.Table:
    """The rows of scripts/tables/recognition.yaml, in the order of its key.

    Args:
        campaign: the merged configuration.
        tables: the folder with the tables that it is made from.
        labels: the labelled traces.
        before: the table recognition of the previous cycle; None without one.
    """
    library, solos = read_library(labels), read_solos(tables, campaign.settings)
    earlier = {(row["setting"], row["service"]): row for row in _rows(before)}
    rows = []
    for recognised in recognise(solos, library, campaign.services):
        key = (recognised.setting, recognised.service)
        trials = [solo for solo in solos if (solo.key.setting, solo.key.pair) == key]
        families = {family_of(solo.controller) for solo in trials if solo.controller}
        known = families.pop() if len(families) == 1 else known_family(campaign.services[recognised.service])
        row = _row(recognised) | {"known": known, "library": library.version}
        rows.append(row | _change(recognised.answer.family, earlier.get(key)))
    return checked(RECOGNITION, rows)


def _rows(path: Path | None) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pq.read_table(path).to_pylist() if path else []
    return rows


def _row(recognised: ServiceAnswer) -> dict[str, object]:
    answer = recognised.answer
    return {
        "setting": recognised.setting,
        "service": recognised.service,
        "n": recognised.trials,
        "named": recognised.named,
        "family": answer.family,
        "reason": answer.reason,
        "trial": recognised.trial,
        "nearest_family": answer.nearest_family,
        "distance": answer.distance,
        "limit": answer.limit,
        "second": answer.second,
        "margin": answer.margin,
        "nearest": " ".join(recognised.nearest) or None,
    }


def _change(family: str, before: dict[str, object] | None) -> dict[str, object]:
    """What the previous cycle had, and whether that is another family."""
    if before is None:
        return {}
    known = UNKNOWN not in (family, before["family"])
    changed = family != before["family"] if known else None
    return {"before": before["family"], "before_library": before["library"], "changed": changed}
