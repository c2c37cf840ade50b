"""Which hosts measured a cycle, and whether they agree: in the definitions, on the front page and trials'."""

import pytest

from scripts.site.cycle.hosts import Agreement, HostFigures, hosts_sentence
from tests.charts.sample_cycle import sample_tables
from tests.site.pages_read import text

TABLES = sample_tables()


def host(name, control=(0, 0, 0), services=(0, 0, 0), cells=0, set_aside=False):
    """A host with numbers of comparisons that are equivalent, different and undecided, and of other cells."""
    verdicts = ("equivalent", "different", "undecided")
    families = [dict(zip(verdicts, counts, strict=True)) for counts in (control, services)]
    return HostFigures(name, 9, 8, 2, 0, 1, set_aside, cells, *families)


def compared(verdict, hosts="ab", set_aside=False):
    """A service on two hosts."""
    return Agreement("s", "control", *hosts, set_aside, verdict)


SAME, APART, OPEN = map(compared, ("equivalent", "different", "undecided"))
AGREE = "The hosts agree: every service gets the same on every two of them, over all its pairs, within ±10 %."
NOT_KNOWN = "It is not known whether the hosts agree within ±10 %."
AB = [host("a"), host("b")]


@pytest.mark.parametrize(
    ("hosts", "found", "sentence"),
    [
        ([], [], "The trials of this cycle do not name the host that measured them."),
        ([host("a")], [], "One host measured this cycle: a."),
        (
            AB,
            [compared(None)],
            "2 hosts measured this cycle. No service has six valid trials in pairs on two of them, so the "
            "trials do not tell whether the hosts agree.",
        ),
        (AB, [SAME, SAME], AGREE),
        (AB, [SAME, OPEN], NOT_KNOWN),
        ([*AB, host("c")], [SAME], NOT_KNOWN),
        (
            [*AB, host("c", (0, 1, 0), set_aside=True)],
            [SAME, compared("different", "ac", set_aside=True)],
            AGREE,
        ),
        ([host("a", (1, 1, 0)), host("b", (1, 1, 0))], [SAME, APART], "a and b differ from each other."),
        ([*AB, host("c", cells=1)], [SAME], "c differs from other hosts."),
    ],
)
def test_one_sentence_tells_whether_the_hosts_agree(hosts, found, sentence):
    assert sentence == hosts_sentence(hosts, found).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [((0, 0, 0), "not known"), ((2, 0, 0), "agrees"), ((2, 0, 1), "not known"), ((5, 1, 1), "differs")],
)
def test_a_host_differs_if_one_comparison_does_and_agrees_if_all_are_equivalent(counts, verdict):
    assert verdict == host("a", counts).verdict == host("a", services=counts).verdict
    assert host("a", counts, cells=1).verdict == "differs"


def test_the_definitions_compare_the_hosts(site):
    page = site.page("definitions/")
    (table,) = [one for one in page.iter("table") if "Every host" in text(one.find("caption"))]
    rows = [[text(cell) for cell in row] for row in table.findall(".//tbody/tr")]
    trials = {
        (row["setting"], row["pair"], row["trial"]): row for row in TABLES["trial_services"].to_pylist()
    }
    valid = [sum(row["valid"] for key, row in trials.items() if key[2] == number) for number in (1, 2)]
    assert [
        ["node-1", "differs", "1 / 1 / 0", "0 / 0 / 0", "1", "18", f"{valid[0]}", "1", "no"],
        [
            "node-2",
            "differs",
            "1 / 1 / 0",
            "0 / 0 / 0",
            "1",
            "18",
            f"{valid[1]}",
            "1, 1 with a warning",
            "no",
        ],
    ] == rows
    sentence = "node-1 and node-2 differ from each other."
    assert sentence in text(page) and sentence in text(site.page(""))


def test_a_cycle_without_a_second_host_has_one_line(fmp):
    page = fmp.page("definitions/")
    assert "Do the hosts agree?" in text(page)
    assert not [one for one in page.iter("table") if "Every host" in text(one.find("caption"))]
    assert "The hosts do not agree" not in text(fmp.page(""))


def test_every_trial_and_calibration_has_its_host_kernel_and_switch(site):
    for address, number in (
        ("trials/8mbps/iperf-bbr~iperf-cubic/01/", 1),
        ("trials/50mbps/iperf-reno/02/", 2),
        ("trials/50mbps/calibration/01/", 2),
    ):
        words = f"Host: node-{number}. Kernel: 6.12.{number}. Switch: embedded 9.9.0."
        assert words in text(site.page(address))
