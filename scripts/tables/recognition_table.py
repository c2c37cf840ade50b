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
    found = read_library(library).of(links) if links else EMPTY
    if found.labels:
        write_library(found, kept)
    else:
        kept.unlink(missing_ok=True)


def _links(campaign: Campaign) -> set[LinkKey]:
    links = set()
    for name, setting in campaign.settings.items():
        link, measured = LinkKey.of(setting), [one for one in campaign.services if setting.measures(one)]
        if (
            link
            and campaign.trials.solo
            and any(duration_s(campaign, name, one) > TRACE_S for one in measured)
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
    for found in recognise(solos, library, campaign.services):
        key = (found.setting, found.service)
        trials = [solo for solo in solos if (solo.key.setting, solo.key.pair) == key]
        told = {family_of(solo.controller) for solo in trials if solo.controller}
        known = told.pop() if len(told) == 1 else known_family(campaign.services[found.service])
        row = _row(found) | {"known": known, "library": library.version}
        rows.append(row | _change(found.answer.family, earlier.get(key)))
    return checked(RECOGNITION, rows)


def _rows(path: Path | None) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pq.read_table(path).to_pylist() if path else []
    return rows


def _row(found: ServiceAnswer) -> dict[str, object]:
    answer = found.answer
    return {
        "setting": found.setting,
        "service": found.service,
        "n": found.trials,
        "named": found.named,
        "family": answer.family,
        "reason": answer.reason,
        "trial": found.trial,
        "nearest_family": answer.nearest_family,
        "distance": answer.distance,
        "limit": answer.limit,
        "second": answer.second,
        "margin": answer.margin,
        "nearest": " ".join(found.nearest) or None,
    }


def _change(family: str, before: dict[str, object] | None) -> dict[str, object]:
    """What the previous cycle had, and whether that is another family."""
    if before is None:
        return {}
    known = UNKNOWN not in (family, before["family"])
    changed = family != before["family"] if known else None
    return {"before": before["family"], "before_library": before["library"], "changed": changed}
