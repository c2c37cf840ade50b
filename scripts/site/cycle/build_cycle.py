"""Build the pages of a cycle, once, from its snapshot: stage the data, run Hugo, add the downloads."""

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.base.files import link, write_text
from scripts.base.records import to_json
from scripts.charts.svg_finish import inlined
from scripts.charts.table_rows import ServiceRow
from scripts.figures.catalogue import CATALOGUE
from scripts.figures.words import metric_words
from scripts.model.rules import RULES
from scripts.model.submission import is_submission
from scripts.plan.registration import FILE as REGISTRATION
from scripts.site import Row
from scripts.site.addresses import up
from scripts.site.cycle.comparisons import (
    change_page,
    fmp_sections,
    order_settings,
    setting_grids,
    sweep_pages,
)
from scripts.site.cycle.cycle_page import cycle_page, setting_pages, story_page
from scripts.site.cycle.data_page import PUBLISHED_FORMS, chart_texts, registration_page, table_list
from scripts.site.cycle.excluded_pages import excluded_page
from scripts.site.cycle.figure_pages import completion_charts
from scripts.site.cycle.hosts import host_page
from scripts.site.cycle.inputs import Inputs, read_inputs
from scripts.site.cycle.pair_pages import cell_pages, service_pages
from scripts.site.cycle.previews import embeds, pictures, write_pictures
from scripts.site.cycle.qoe_pages import qoe_pages
from scripts.site.cycle.recognition_drawings import recognition_drawings
from scripts.site.cycle.trial_pages import calibration_pages, trial_pages
from scripts.site.data.expectation_summaries import expectation_summaries
from scripts.site.frame import frame
from scripts.site.headers import EMBED_POLICY
from scripts.site.hugo import run_hugo, stage
from scripts.site.settings import Unlisted
from scripts.site.times import interval
from scripts.site.verdict_words import verdict_words
from scripts.snapshot.identity import Provisional


@dataclass(frozen=True)
class PagesTarget:
    """Where the pages will stand.

    Attributes:
        pages: their folder in the site (scripts/site/addresses.py).
        captures: the folder of the trials' files, in the site or a URL; None for a provisional cycle.
        label: the name of the cycle in data/; None for a provisional cycle, which has no data there.
        progress: how far a provisional cycle is; None for a published one.
        address: the URL of the site; empty for a provisional cycle, whose pages have no permanent one.
        doi: the DOI of the data, if it has one.
        unlisted: what unlisted pages say; None for others.
    """

    pages: str
    captures: str | None
    label: str | None
    progress: Provisional | None = None
    address: str = ""
    doi: str | None = None
    unlisted: Unlisted | None = None


def build_cycle(source: Path, output: Path, target: PagesTarget) -> None:
    """Make the folder of a cycle's pages, whole or not at all.

    Args:
        source: a folder with the layout of a snapshot; that of a provisional cycle has no trials.
        output: the folder to make.
        target: where it will stand.

    Raises:
        UserError: the source lacks something, or Hugo is not installed.
    """
    inputs = read_inputs(source, sealed=target.progress is None)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}.") as work:
        project, fresh = Path(work, "project"), Path(work, "fresh")
        stage("cycle", _data(inputs) | _placed(inputs, target), project)
        for path in inputs.charts.values():  # those with links: pages contain them inline
            if not path.name.startswith(("trial-", "senders-", "bitrate-")):
                write_text(project / "assets/charts" / path.name, inlined(path.read_text(encoding="utf-8")))
        run_hugo(project, fresh)
        _add_downloads(inputs, fresh)
        if target.address:
            write_pictures(pictures(inputs), fresh)
        fresh.rename(output)


def _placed(inputs: Inputs, target: PagesTarget) -> Row:
    """The files of Hugo's data folder that say where the pages stand."""
    known = frame(target.address, target.doi, target.captures, target.pages, target.unlisted)
    provenance, captures, identity = inputs.provenance, target.captures, inputs.identity
    known["coverage"] = interval(provenance.first_start_ns, provenance.last_stop_ns)
    place = {
        "pages": target.pages,
        "root": up(target.pages),
        "label": target.label,
        "captures": captures,
        "captures_below": captures is not None and "://" not in captures,
        "progress": asdict(target.progress) if target.progress else None,
        "incomplete": asdict(identity.incomplete) if identity and identity.incomplete else None,
        "embed_policy": EMBED_POLICY,
        "lean": identity is not None and identity.kind == "lean",
        "submitted": is_submission(provenance.campaign),
    }
    framed = embeds(inputs) if target.label and target.unlisted is None else {}
    return {"place": place, "frame": known, "embeds": framed}


def _data(inputs: Inputs) -> Row:
    """The files of Hugo's data folder by name."""
    trials = trial_pages(inputs)
    expected = [to_json(summary) for summary in expectation_summaries(inputs.campaign, inputs.tables_dir)]
    return {
        "cycle": cycle_page(inputs),
        "settings": setting_pages(inputs),
        "story": story_page(inputs),
        "trials": [trial.content for trial in trials],
        **cell_pages(inputs, trials),
        "service_pages": service_pages(inputs),
        "excluded": excluded_page(inputs),
        "changes": change_page(inputs),
        "sweeps": sweep_pages(inputs),
        "grids": setting_grids(inputs),
        "fmp": fmp_sections(inputs),
        "calibrations": calibration_pages(inputs),
        "hosts": host_page(inputs),
        "tables": table_list(inputs),
        "charts": chart_texts(inputs),
        "titles": _titles(inputs),
        "verdicts": verdict_words(drawn=False),
        "pair_titles": {trial.key.pair: inputs.labels.pair(trial.key.pair) for trial in trials},
        "equivalence": inputs.tables["equivalence"],
        "recognition": inputs.tables["recognition"],
        "recognition_drawings": recognition_drawings(inputs),
        "qoe": qoe_pages(inputs),
        "completions": completion_charts(inputs),
        "orders": order_settings(inputs),
        "expectations": expected,
        "registration": registration_page(inputs),
        "metrics": metric_words(),
        "metric_order": list(CATALOGUE),
        "workloads": inputs.tables["workloads"],
        "rules": {name: asdict(rule) | {"class": rule.kind} for name, rule in RULES.items()},
        "thresholds": {str(row["rule"]): row["threshold"] for row in inputs.tables["validity"]},
    }


def _titles(inputs: Inputs) -> dict[str, str]:
    """The title of every service, and of every `contender` in the tables, by its name."""
    rows = inputs.records("trial_services", ServiceRow)
    names = [*inputs.campaign.services, *(row.contender for row in rows if row.contender)]
    return {name: inputs.labels.contender(name) for name in names}


def _add_downloads(inputs: Inputs, fresh: Path) -> None:
    """The charts and the configuration. Tables and captures have addresses of their own."""
    for svg in inputs.charts.values():
        for form in PUBLISHED_FORMS:
            path = svg.with_suffix(f".{form}")
            if path.exists():
                link(path, fresh / "charts" / path.name)
    link(inputs.config_path, fresh / "downloads/config.json")
    link(inputs.tables_dir / "cycle.json", fresh / "downloads/cycle.json")
    if (inputs.config_path.parent / REGISTRATION).is_file():
        link(inputs.config_path.parent / REGISTRATION, fresh / "downloads" / REGISTRATION)
