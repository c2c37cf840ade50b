"""A site without another cycle shows the lean snapshots of the archive, and only as long as that is so."""

import shutil
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.observatory.__main__ import COMMANDS
from scripts.site.__main__ import main
from scripts.site.addresses import Place
from scripts.site.archive import build_archive, build_provisional
from scripts.site.settings import read_settings
from scripts.snapshot.identity import Provisional
from scripts.snapshot.lean_format import pack
from tests.site.archives import SETTINGS, below, broken_links, build, chosen, contents
from tests.site.generated_archive import cycle_name, write_snapshots

FIRST, SECOND = (Place("demo", cycle_name(number)) for number in range(2))
TRIAL = f"captures/demo/{FIRST.label}/8mbps/iperf-bbr~iperf-cubic/01/trial.json"
OF_CYCLES = ("captures/", "data/v1/pairs/", "lean/")


@pytest.fixture(scope="module")
def snapshots(tmp_path_factory) -> list[Path]:
    """The snapshots of two cycles."""
    return write_snapshots(tmp_path_factory.mktemp("all"), 2)


@pytest.fixture(scope="module")
def first(snapshots, tmp_path_factory) -> Path:
    """A clone with one lean file, and the site that the installed command makes of it. Copy it."""
    clone = tmp_path_factory.mktemp("a clone")
    add_lean(clone, snapshots[0])
    words = [*COMMANDS["site"].words, "--snapshots", str(clone / "snapshots"), "-o", str(clone / "public")]
    assert 0 == main(words)
    return clone


@pytest.fixture
def clone(first, tmp_path) -> Path:
    """A copy of the clone with its site."""
    return Path(shutil.copytree(first, tmp_path / "clone", symlinks=True))


def add_lean(clone: Path, snapshot: Path) -> Path:
    file = clone / f"snapshots/lean/{snapshot.name}.tar.zst"
    pack(snapshot, file)
    return file


def build_lean(clone: Path) -> Path:
    build_archive(clone / "snapshots", clone / "public", read_settings(), lean=True)
    return clone / "public"


def shown(site: Path) -> list[str]:
    return sorted(path.name for path in site.glob("cycles/demo/*") if path.is_dir())


def test_it_shows_every_lean_file_with_the_records_of_its_trials(clone):
    site = clone / "public"
    assert [FIRST.cycle] == shown(site)
    assert set() == broken_links(site)
    assert (site / TRIAL).read_bytes()
    assert (site / TRIAL).resolve().is_relative_to(site)
    assert "lean snapshots" in (site / "index.html").read_text()


def test_nothing_is_rebuilt_from_packets_that_are_not_there(clone):
    artifact = (clone / "public/artifact/index.html").read_text()
    assert "from the published rows" in artifact and "from the packets" not in artifact


def test_another_build_keeps_its_pages_and_adds_a_new_file(clone, snapshots, capsys):
    before = contents(clone / "public")
    assert before == contents(build_lean(clone))
    add_lean(clone, snapshots[1])
    assert [FIRST.cycle, SECOND.cycle] == shown(build_lean(clone))
    assert f"built {SECOND.pages}\n" == capsys.readouterr().out


def test_a_damaged_file_leaves_the_old_site_and_one_that_is_gone_has_no_pages(clone, snapshots):
    damaged = Path(shutil.copytree(snapshots[0], clone / snapshots[0].name))
    with (damaged / "SHA256SUMS").open("a") as sums:
        sums.write(f"{'0' * 64}  tables/pairs.csv.gz\n")
    file = add_lean(clone, damaged)
    with pytest.raises(UserError, match=r"pairs\.csv\.gz"):
        build_lean(clone)
    assert [FIRST.cycle] == shown(clone / "public")
    file.unlink()
    assert [] == shown(build_lean(clone))


def test_a_cycle_of_ones_own_replaces_them_all(clone, snapshots):
    own = chosen(snapshots[1:], clone / "snapshots") / snapshots[1].name
    site = build_lean(clone)
    assert [SECOND.cycle] == shown(site)
    assert all(SECOND.cycle in name for name in below(contents(site), *OF_CYCLES))
    own.unlink()
    assert [SECOND.cycle] == shown(build_lean(clone)), "also when its snapshot is gone"


def test_a_cycle_that_runs_replaces_them_all(clone, snapshots):
    build_provisional(snapshots[1], clone / "public", SETTINGS, Provisional("demo", SECOND.cycle, 12, 30))
    site = build_lean(clone)
    assert [] == shown(site)
    assert {} == below(contents(site), *OF_CYCLES)
    assert (site / "provisional/demo/index.html").is_file()


def test_a_build_that_does_not_ask_for_them_has_none(clone):
    site = build(clone)
    assert [] == shown(site)
    assert {} == below(contents(site), *OF_CYCLES)
    assert "lean snapshots" not in (site / "index.html").read_text()
