"""The page artifact/ has the commands that verify the latest cycle and rebuild what it claims."""

from dataclasses import replace

from scripts.site.data.summary import Claim, Effort
from scripts.site.root.archive_cycles import read_archive
from scripts.site.root.artifact_page import artifact_page
from tests.site.pages_read import text
from tests.site.root.sample_archive import SETTINGS, THIRD, write_archive

LONG = Effort(900, 2_000_000_000, 3600.0, "identical: all of it")
SHORT = Effort(12, 1_500_000, 20.0, "identical: 4 rows of 1 table")
CLAIMS = (
    Claim("ONLY=pairs/8mbps/bbr~cubic", "A pair", 30, LONG, None),
    Claim("CHART=share-8mbps", "Who gets what", 300, LONG, SHORT),
)


def data_of(site, claims):
    """The data of the page, if the latest cycle has these claims."""
    write_archive(site)
    archive = read_archive(site, SETTINGS, {}, ())
    cycle = archive.front
    summary = replace(cycle.summary, claims=claims)
    newest = replace(cycle, revisions=(*cycle.revisions[:-1], summary))
    cycles = tuple(newest if one is cycle else one for one in archive.cycles)
    return artifact_page(replace(archive, cycles=cycles))


def test_a_claim_has_a_command_for_each_way_to_rebuild_it(tmp_path):
    pair, chart = data_of(tmp_path, CLAIMS)["claims"]
    assert ["make reproduce ONLY=pairs/8mbps/bbr~cubic"] == [way["command"] for way in pair["ways"]]
    expected = ["make reproduce CHART=share-8mbps", "make reproduce CHART=share-8mbps FROM=rows"]
    assert expected == [way["command"] for way in chart["ways"]]
    assert ["1 h 0 min", "1 min"] == [way["time"] for way in chart["ways"]]


def test_the_example_is_the_first_claim_that_is_rebuilt_in_five_minutes(tmp_path):
    example = data_of(tmp_path, CLAIMS)["example"]
    assert ("make reproduce CHART=share-8mbps FROM=rows", SHORT.expected) == (
        example["command"],
        example["expected"],
    )


def test_the_page_names_the_latest_cycle_and_what_identifies_it(archive):
    page = text(archive.page("artifact/"))
    assert f"export SNAPSHOT={SETTINGS.address}{THIRD.pages}" in page
    assert "ssh-keygen -Y verify" in page
    assert "ab" * 32 in page
    assert "An example in less than five minutes" not in page  # this cycle was summarised without claims
