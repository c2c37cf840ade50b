"""Build the pages about all cycles: front page, cycles, services, pairs, changes, corrections, status, feeds.

They are made anew for every build, from the summaries of the cycles only; the page status/ is made from
the status of the operation, papers/ also from config/papers/, findings/ also from texts and from tables of
cycles (editorial_pages.py), and submit/ from the schema of a submission and from the campaign of the front
page in config/campaigns/.

explore/compare/words.json has the words of figures and verdicts for the script of the page that compares.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from scripts.base.files import write_text
from scripts.figures.words import SETTLED, VERDICTS, metric_words
from scripts.model.operation import Status
from scripts.site.addresses import Place
from scripts.site.frame import frame
from scripts.site.hugo import run_hugo, stage
from scripts.site.lean_site import is_lean_site
from scripts.site.root.archive_cycles import Archive, read_archive
from scripts.site.root.artifact_page import artifact_page
from scripts.site.root.change_pages import change_list, change_pages
from scripts.site.root.choices import choices
from scripts.site.root.corrections import correction_page
from scripts.site.root.cycle_list import cycle_list
from scripts.site.root.data_page import data_page
from scripts.site.root.editorial_pages import editorial_pages
from scripts.site.root.feeds import write_feeds
from scripts.site.root.front_page import front_page
from scripts.site.root.history import pair_histories
from scripts.site.root.history_pages import pair_charts, pair_pages
from scripts.site.root.latest import write_latest
from scripts.site.root.operation_page import operation_page, write_operation
from scripts.site.root.paper_files import read_papers
from scripts.site.root.paper_pages import paper_pages
from scripts.site.root.reading_page import reading_page
from scripts.site.root.recognition_section import recognition_section
from scripts.site.root.search_index import write_search_index
from scripts.site.root.service_pages import service_pages
from scripts.site.root.sitemap import write_robots, write_sitemap
from scripts.site.root.stack_pages import stack_pages
from scripts.site.root.submit_page import submit_page, write_schema, write_submissions
from scripts.site.settings import SiteSettings
from scripts.site.verdict_words import verdict_words
from scripts.snapshot.absent import Tombstone
from scripts.snapshot.identity import Provisional
from scripts.snapshot.signatures import SIGNERS

COMPARE_WORDS = "explore/compare/words.json"


def build_root(
    site: Path,
    settings: SiteSettings,
    tombstones: Mapping[Place, Tombstone],
    provisional: Sequence[Provisional],
    operation: Status | None = None,
    withdrawn: int = 0,
) -> None:
    """Write all pages of a site that belong to no single cycle.

    Args:
        site: the root of the site, which has the pages of all cycles with their summaries.
        settings: the settings of the archive.
        tombstones: what was removed from the snapshots.
        provisional: the cycles that still run.
        operation: how unattended operation stands; None if nothing is scheduled.
        withdrawn: how many submissions were withdrawn after they were measured.

    Raises:
        UserError: a summary or a paper's file cannot be read, or Hugo is not installed.
    """
    archive = read_archive(site, settings, tombstones, provisional)
    with tempfile.TemporaryDirectory(dir=site.parent, prefix=f".{site.name}.") as work:
        project, fresh = Path(work, "project"), Path(work, "fresh")
        pairs = pair_histories(archive.panel)
        charts = pair_charts(pairs)
        data = _data(archive, is_lean_site(site)) | {"pairs": pair_pages(archive.panel, pairs, charts)}
        data["findings"] = editorial_pages(archive, site)
        data["operation"] = operation_page(archive.panel, operation)
        data["submit"] = submit_page(settings, withdrawn)
        stage("root", data, project)
        run_hugo(project, fresh)
        for address, chart in charts.items():
            write_text(fresh / address, chart)
        if not settings.unlisted:
            _write_announcements(fresh, archive, operation)
            write_submissions(fresh, withdrawn)
        write_schema(fresh)
        _write_others(site, fresh, archive)
        write_search_index(site, fresh, archive)
        _move(fresh, site)


def _data(archive: Archive, lean: bool) -> dict[str, object]:
    """The files of Hugo's data folder by name.

    Lists of cycles have those of submissions; pages about several cycles do not depend on them.
    """
    panel, settings = archive.panel, archive.settings
    return {
        "front": front_page(panel) | {"lean": lean},
        "campaigns": cycle_list(archive),
        "choices": choices(archive),
        "services": service_pages(panel),
        "stacks": stack_pages(panel),
        "changes": change_pages(panel),
        "change_list": change_list(panel),
        "corrections": correction_page(archive),
        "downloads": data_page(panel),
        "artifact": {} if settings.unlisted else artifact_page(panel),
        "papers": paper_pages(panel, read_papers()),
        "reading": reading_page(),
        "recognition": recognition_section(),
        "verdicts": verdict_words(drawn=True),
        "frame": frame(settings.address, settings.doi, settings.captures, unlisted=settings.unlisted),
    }


def _write_others(site: Path, fresh: Path, archive: Archive) -> None:
    """All files that Hugo does not make, and the links of the page for missing addresses."""
    write_latest(site, fresh, archive)
    seen, words = {row.figure for cycle in archive.cycles for row in cycle.figures}, metric_words()
    figures = {name: words[name] for name in words if name in seen}
    content = {"figures": figures, "verdicts": VERDICTS, "settled": SETTLED}
    write_text(fresh / COMPARE_WORDS, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    shutil.copyfile(SIGNERS, fresh / SIGNERS.name)
    # Hugo makes every link relative, but this page is shown at any address.
    missing = fresh / "404.html"
    path = urlsplit(archive.settings.address).path
    missing.write_text(missing.read_text(encoding="utf-8").replace("{root}", path), encoding="utf-8")


def _write_announcements(fresh: Path, archive: Archive, operation: Status | None) -> None:
    """Write the sitemap, the feeds and the status, which announce pages. Unlisted pages have none of them."""
    pages = [path.parent for path in fresh.rglob("index.html")]
    folders = [page.relative_to(fresh).as_posix() for page in pages]
    write_sitemap(fresh, archive, ("" if folder == "." else f"{folder}/" for folder in folders))
    write_robots(fresh, archive.settings)
    write_feeds(fresh, archive)
    write_operation(fresh, archive.settings, operation)


def _move(fresh: Path, site: Path) -> None:
    """Move every file to its place. A file that was there is replaced, not written to: it may have links."""
    for path in sorted(fresh.rglob("*")):
        target = site / path.relative_to(fresh)
        if path.is_dir():
            target.mkdir(parents=True, exist_ok=True)
        else:
            os.replace(path, target)
