"""The pages of a cycle: the same bytes each time, whole or not at all; what each says of its cycle."""

import json
import shutil
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

from scripts.base.errors import UserError
from scripts.site import hugo
from scripts.site.addresses import Place, provisional
from scripts.site.cycle.build_cycle import PagesTarget, build_cycle
from scripts.site.status import END, START, status_of, with_status
from scripts.site.times import span, utc
from scripts.snapshot.identity import Provisional
from tests.charts.sample_campaign import merged_config
from tests.charts.sample_files import seal
from tests.site.conftest import PLACE, target_of
from tests.site.pages_read import Site, text

CORRECTED = Place("demo", "2026-11-21", 2)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def broken(cycle, tmp_path) -> Path:
    """A copy of the sample cycle that a test can damage."""
    return Path(shutil.copytree(cycle, tmp_path / "broken"))


@pytest.fixture(scope="module")
def running(cycle, build, tmp_path_factory) -> Site:
    """The pages of the sample as a cycle that still runs: without trials, checksums and snapshot.json."""
    folder = tmp_path_factory.mktemp("running")
    for part in ("plan", "tables", "charts"):
        shutil.copytree(cycle / part, folder / part)
    target = PagesTarget(provisional("demo"), None, None, Provisional("demo", "2026-11-21", 36, 180))
    return build(tmp_path_factory.mktemp("web root") / "public", folder, target)


def test_building_twice_gives_the_same_bytes(site, build, cycle, tmp_path):
    assert contents(build(tmp_path / "public", cycle).base) == contents(site.base)


def test_nothing_but_the_pages_is_left_in_their_folder(site):
    assert [site.base] == list(site.base.parent.iterdir())
    rooms = {path.name for path in site.base.iterdir() if path.is_dir()}
    pages = {"settings", "services", "pairs", "solos", "trials", "changes"}
    assert rooms == pages | {"method", "definitions", "data", "charts", "css", "js", "downloads", "embed"}


def test_downloads_are_the_files_themselves(site, cycle):
    for source, name in (
        ("charts/cycle/share-8mbps.json", "charts/share-8mbps.json"),
        ("charts/trials/8mbps/iperf-bbr/trial-8mbps-iperf-bbr-01.svg", "charts/trial-8mbps-iperf-bbr-01.svg"),
        ("plan/config.json", "downloads/config.json"),
        ("tables/cycle.json", "downloads/cycle.json"),
    ):
        assert (cycle / source).read_bytes() == (site.base / name).read_bytes()


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda folder: (folder / "plan/config.json").unlink(), "config.json: cannot be read: No such file"),
        (lambda folder: (folder / "tables/cycle.json").write_text("{"), "cycle.json: is not valid JSON"),
        (lambda folder: (folder / "snapshot.json").unlink(), "snapshot.json: cannot be read: No such file"),
        (lambda folder: (folder / "datapackage.json").write_text("{}"), "datapackage.json: Object missing"),
        (
            lambda folder: (folder / "tables/pairs.parquet").write_text("no"),
            "pairs.parquet: not a Parquet table",
        ),
        (lambda folder: shutil.rmtree(folder / "charts"), "charts: no such folder"),
        (
            lambda folder: (folder / "plan/config.json").write_text(
                json.dumps({key: value for key, value in merged_config().items() if key != "services"})
            ),
            "config.json: Object missing required field `services`",
        ),
    ],
)
def test_a_bad_snapshot_is_a_user_error_and_leaves_nothing(broken, tmp_path, spoil, problem):
    spoil(broken)
    with pytest.raises(UserError) as caught:
        build_cycle(broken, tmp_path / PLACE.pages, target_of(PLACE))
    assert problem in str(caught.value)
    assert not contents(tmp_path / "cycles")


def test_a_failure_of_hugo_leaves_nothing(cycle, tmp_path, monkeypatch):
    shutil.copytree(hugo.SITE, tmp_path / "site")
    (tmp_path / "site/cycle/layouts/home.html").write_text("{{ no such function }}")
    monkeypatch.setattr(hugo, "SITE", tmp_path / "site")
    with pytest.raises(RuntimeError, match=r"home\.html"):
        build_cycle(cycle, tmp_path / PLACE.pages, target_of(PLACE))
    assert not list((tmp_path / PLACE.pages).parent.iterdir())


def test_every_page_has_one_line_for_its_status(either):
    for name in either.pages:
        path = either.base / name
        page = path.read_text()
        assert status_of(path) == "", name
        lines = zip(page.splitlines(), with_status(page, "<p>Old.</p>").splitlines(), strict=True)
        assert [new for old, new in lines if old != new] == [f"{START}<p>Old.</p>{END}"], name


def whole_pages(site) -> dict[str, Element]:
    """Every page but those for frames of other sites, which have no header and no footer."""
    return {name: page for name, page in site.pages.items() if not name.startswith("embed/")}


def test_every_page_says_its_permanent_address_its_cycle_its_date_and_the_commit(either):
    for name, page in whole_pages(either).items():
        words = text(page.find(".//footer"))
        address = either.folder + name.removesuffix("index.html")
        assert words.startswith("Campaign demo, cycle 2026-11-21. Measured 2026-11-21, "), name
        assert "commit 0123456789abcdef0123456789abcdef01234567" in words, name
        assert f"Permanent address: {address} " in words, name
        assert "Provisional" not in text(page), name


def test_every_page_leads_to_the_six_entries_and_to_all_cycles(either):
    for name in whole_pages(either):
        site_links, context = (
            [str(either.target(name, link.get("href"))[0].relative_to(either.root)) for link in nav.iter("a")]
            for nav in either.pages[name].findall(".//nav")[:2]
        )
        rooms = ("services", "papers", "explore", "data", "method")
        assert site_links == ["index.html", *(f"{room}/index.html" for room in rooms)], name
        assert "cycles/index.html" in context, name


def test_a_correction_names_its_revision_and_reason(cycle, build, tmp_path):
    source = shutil.copytree(cycle, tmp_path / "cycle")
    site = build(tmp_path / "public", seal(source, revision=2, reason="a <wrong> rate"), target_of(CORRECTED))
    words = text(site.page("pairs/8mbps/iperf-bbr~iperf-cubic/").find(".//footer"))
    assert "cycle 2026-11-21, revision 2. Measured" in words
    assert "Corrected on 2026-12-24: a <wrong> rate." in words
    assert "cycles/demo/2026-11-21/r2/pairs/8mbps/iperf-bbr~iperf-cubic/" in words
    links = site.links("pairs/8mbps/iperf-bbr~iperf-cubic/index.html")
    captures = f"{CORRECTED.captures('captures/')}8mbps/iperf-bbr~iperf-cubic/"
    assert any(link.endswith(f"{captures}01/queue.bin.zst") for link in links)


def test_a_provisional_page_says_so_first_and_promises_nothing(running):
    for name, page in running.pages.items():
        first = page.find(".//main")[0]
        words = "Provisional: 36 of 180 trials planned so far are measured. Nothing here is permanent."
        assert text(first) == words, name
        assert "Permanent address" not in text(page), name
        assert page.find(".//meta[@name='robots']").get("content") == "noindex", name
        for link in running.links(name):
            target, _fragment = running.target(name, link)
            below = target.relative_to(running.root).parts
            assert below[0] != "captures" and below[:2] != ("data", "v1"), (name, link)


def test_a_provisional_cycle_has_pages_of_its_trials_and_of_its_tables(running):
    assert "published when the cycle is complete" in text(running.page("trials/8mbps/iperf-bbr/01/"))
    data = running.page("data/")
    assert "published when it is complete" in text(data)
    assert data.find(".//tr[@id='table-pairs']") is not None


def test_times_are_shown_in_utc_with_the_date_once():
    assert utc(0) == "1970-01-01 00:00 UTC"
    assert utc(None) is None
    assert span(0, 3600 * 10**9) == "1970-01-01, 00:00 to 01:00 UTC"
    assert span(0, 86400 * 10**9) == "1970-01-01 00:00 UTC to 1970-01-02 00:00 UTC"
