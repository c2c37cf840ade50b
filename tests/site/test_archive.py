"""The archive: published cycles stay as they are, whatever is published after them."""

import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.site import archive
from scripts.site.addresses import Place
from scripts.site.archive import build_archive, build_provisional
from scripts.site.status import status_of
from scripts.snapshot.identity import Provisional
from tests.site.archives import SETTINGS, below, broken_links, build, chosen, contents, without_status
from tests.site.generated_archive import cycle_name, write_snapshots
from tests.site.html_check import assert_valid
from tests.site.pages_read import Site

FIRST, SECOND, THIRD = (Place("demo", cycle_name(number)) for number in range(3))


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A folder whose name has a space, in which every archive has a folder of its own."""
    return tmp_path_factory.mktemp("some archives")


@pytest.fixture(scope="module")
def snapshots(root) -> list[Path]:
    """The snapshots of three cycles: services are added and removed."""
    return write_snapshots(root / "all", 3)


@pytest.fixture(scope="module")
def first(root, snapshots) -> dict[str, bytes]:
    """The archive with the first cycle alone."""
    (root / "first").mkdir()
    return contents(build(root / "first", snapshots[0]))


@pytest.fixture(scope="module")
def site(root, snapshots) -> Path:
    """The archive of three cycles, each published after the other."""
    (root / "each").mkdir()
    for snapshot in snapshots:
        public = build(root / "each", snapshot)
    return public


def test_the_same_snapshots_give_the_same_bytes_backwards_and_again(root, snapshots, site):
    """Each was added to those before it; now the last one is first."""
    expected = contents(site)
    for name, *steps in (("backwards", snapshots[2:], snapshots[:2]), ("each", [])):
        (root / name).mkdir(exist_ok=True)
        for step in steps:
            public = build(root / name, *step)
        assert expected == contents(public), name
        assert {"snapshots", "public", ".public.lock"} == {path.name for path in (root / name).iterdir()}


def test_several_processes_build_the_same_bytes_and_report_the_same_errors(
    root, snapshots, site, monkeypatch, capsys
):
    monkeypatch.setattr(archive, "FEW", 1)
    own = root / "at once"
    own.mkdir()
    damaged = Path(shutil.copytree(snapshots[1], own / "snapshots" / snapshots[1].name))
    (damaged / "plan/config.json").write_text("something else")
    with pytest.raises(UserError, match=r"plan/config\.json: .* \(flipped\)"):
        build(own, *snapshots)
    assert {"snapshots", ".public.lock"} == {path.name for path in own.iterdir()}
    shutil.rmtree(damaged)
    capsys.readouterr()
    assert contents(site) == contents(build(own, *snapshots))
    lines = capsys.readouterr().out.splitlines()
    assert [f"built {place.pages}" for place in (FIRST, SECOND, THIRD)] == [
        line.partition(";")[0] for line in lines
    ]


def test_later_cycles_change_nothing_of_the_first_but_its_status_line(first, site):
    now, own = contents(site), (FIRST.pages, f"captures/demo/{FIRST.label}")
    before = below(first, *own) | {
        name: body for name, body in first.items() if f"cycle={FIRST.label}/" in name
    }
    assert len(before) > 60
    for name, body in before.items():
        if name.endswith(".html"):
            assert body != now[name] and without_status(body) == without_status(now[name]), name
        else:
            assert body == now[name], name
    assert below(now, *own).keys() == below(first, *own).keys()


def test_only_older_cycles_say_that_there_is_a_newer_one(site):
    for place in (FIRST, SECOND):
        assert '<a href="../../../cycles/#demo">newer cycle</a>' in status_of(
            site / place.pages / "index.html"
        )
    assert "" == status_of(site / THIRD.pages / "index.html")


@pytest.mark.usefixtures("first", "site")
@pytest.mark.parametrize("name", ["first", "each"])
def test_every_link_has_its_target_with_one_cycle_and_with_several(root, name):
    """Other tests see to it with provisional pages, corrections, submissions and all kinds of pages."""
    assert set() == broken_links(root / name / "public")


def test_every_page_of_the_archive_is_valid(site, tmp_path):
    assert_valid(site, tmp_path)


def test_addresses_of_the_first_cycle_work_after_the_third(site):
    pair, trial = "8mbps/iperf-bbr~iperf-cubic", "8mbps/iperf-bbr~iperf-cubic/01"
    assert (site / FIRST.pages / "pairs" / pair / "index.html").is_file()
    assert (
        b"client-c1.pcapng.zst"
        == (site / FIRST.captures("captures/") / trial / "client-c1.pcapng.zst").read_bytes()
    )
    rows = pq.ParquetFile(site / FIRST.table("pairs", "parquet")).read().to_pylist()
    assert {("demo", FIRST.label)} == {(row["campaign"], row["cycle"]) for row in rows}
    assert f'{THIRD.pages}"' in (site / "latest/index.html").read_text()


def test_a_cycle_whose_snapshot_is_gone_stays(root, snapshots, site):
    own = Path(shutil.copytree(root / "each", root / "gone", symlinks=True))
    for link in (own / "snapshots").iterdir():
        link.unlink()
    assert contents(site) == contents(build(own))


def test_captures_elsewhere_have_no_folder_in_the_site(root, snapshots):
    (root / "elsewhere").mkdir()
    public = root / "elsewhere/public"
    settings = replace(SETTINGS, captures="https://captures.invalid/")
    build_archive(chosen(snapshots[:1], root / "elsewhere/snapshots"), public, settings)
    assert not (public / "captures").exists()
    page = (public / FIRST.pages / "trials/8mbps/iperf-bbr~iperf-cubic/01/index.html").read_text()
    assert f"https://captures.invalid/demo/{FIRST.label}/8mbps/iperf-bbr~iperf-cubic/01/qoe.json" in page


def test_another_snapshot_of_a_published_cycle_changes_nothing_and_stops_no_other(root, snapshots, capsys):
    own = root / "changed"
    own.mkdir()
    before = contents(build(own, snapshots[0]))
    (own / "snapshots" / snapshots[0].name).unlink()
    changed = Path(shutil.copytree(snapshots[0], own / "snapshots" / snapshots[0].name))
    (changed / "SHA256SUMS").write_text("something else")
    after = contents(build(own, snapshots[1]))
    assert f"{changed}: is not the snapshot from which {FIRST.pages} was published" in capsys.readouterr().err
    assert f"{SECOND.pages}index.html" in after
    assert all(
        without_status(body) == without_status(after[name])
        for name, body in below(before, FIRST.pages).items()
    )


def test_a_snapshot_that_cannot_be_built_leaves_the_old_site(root, snapshots):
    own = root / "unbuildable"
    own.mkdir()
    before = contents(build(own, snapshots[0]))
    broken = Path(shutil.copytree(snapshots[1], own / "snapshots" / snapshots[1].name))
    (broken / "tables/pairs.parquet").write_text("no table")
    with pytest.raises(UserError, match=r"pairs\.parquet: does not match SHA256SUMS"):
        build(own, snapshots[2])
    assert before == contents(own / "public")
    assert {"snapshots", "public", ".public.lock"} == {path.name for path in own.iterdir()}


def test_provisional_pages_come_and_go_and_touch_no_published_cycle(root, snapshots):
    own = root / "provisional"
    own.mkdir()
    before = contents(build(own, snapshots[0]))
    running = Provisional("demo", SECOND.cycle, 12, 30)
    build_provisional(snapshots[1], own / "public", SETTINGS, running)
    page = own / "public/provisional/demo/pairs/8mbps/iperf-bbr~iperf-reno/index.html"
    assert "12 of 30 trials" in page.read_text()
    assert set() == broken_links(own / "public")
    after = contents(build(own))
    assert page.is_file(), "a build of the archive keeps the pages of a cycle that still runs"
    for kept in (f"cycles/demo/{FIRST.cycle}/", "data/v1/pairs/", "captures/"):
        assert below(before, kept) == below(after, kept)
    build(own, snapshots[1])
    assert not (own / "public/provisional").exists()


def test_from_a_service_to_a_capture_in_two_clicks(site):
    pages = Site(site)
    service = "services/iperf-bbr/index.html"
    pairs = [pages.target(service, link)[0] for link in pages.links(service) if "/pairs/" in link]
    names = [str(path.relative_to(site)) for path in pairs if path.is_relative_to(site / "cycles")]
    assert names
    for name in names:
        assert any(link.endswith("client-c1.pcapng.zst") for link in pages.links(name)), name
