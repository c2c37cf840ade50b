"""Which hosts measured the cycle, and whether they agree, in the form of Hugo's data."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from scripts.figures.words import amount
from scripts.metrics.stratified import MARGIN
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs
from scripts.site.story.names import listed

VERDICTS = ("equivalent", "different", "undecided")
FAMILIES = ("control", "services")


@dataclass(frozen=True)
class Agreement:
    """A row of host_agreement: a service on two hosts. Below six trials on either host it has no verdict."""

    service: str
    family: str
    host: str
    other_host: str
    set_aside: bool
    verdict: str | None

    @property
    def hosts(self) -> tuple[str, str]:
        """Both hosts."""
        return self.host, self.other_host


@dataclass(frozen=True)
class HostFigures:
    """What a host measured, and its comparisons with other hosts by verdict, for each family of services.

    `cells_different` counts the single cells in which it differs from the other hosts.
    """

    name: str
    trials: int
    valid: int
    calibrations: int
    failed: int
    warned: int
    set_aside: bool
    cells_different: int = 0
    control: dict[str, int] = field(default_factory=dict)
    services: dict[str, int] = field(default_factory=dict)

    def count(self, *verdicts: str) -> int:
        """The comparisons with these verdicts, in both families."""
        return sum(family.get(verdict, 0) for family in (self.control, self.services) for verdict in verdicts)

    @property
    def verdict(self) -> str:
        """What all comparisons together say of the host."""
        if self.count("different") or self.cells_different:
            return "differs"
        if self.count("undecided") or not self.count("equivalent"):
            return "not known"
        return "agrees"


def host_page(inputs: Inputs) -> Row:
    """The hosts of the cycle, each with its figures and its verdict, and the sentence about them."""
    compared = inputs.records("host_agreement", Agreement)
    hosts = _host_figures(inputs, compared)
    return {
        "sentence": hosts_sentence(hosts, compared),
        "differing": [host.name for host in hosts if host.verdict == "differs" and not host.set_aside],
        "hosts": [asdict(host) | {"verdict": host.verdict} for host in hosts],
        "margin": amount(MARGIN, "fraction"),
    }


def _host_figures(inputs: Inputs, compared: Sequence[Agreement]) -> list[HostFigures]:
    """Every host that measured a trial or a calibration, by name. Some trials do not name theirs."""
    trials = [rows[0] for rows in inputs.by_trial("trial_services").values()]
    measured = Counter((row["host"], row["valid"]) for row in trials)
    calibrated = Counter((row["host"], row["verdict"]) for row in inputs.tables["calibration"])
    cells = Counter(row["host"] for row in inputs.tables["hosts"] if row["verdict"] == "different")
    set_aside = inputs.campaign.hosts_set_aside
    # Another host that is set aside says nothing about this one.
    counts = Counter(
        (host, row.family, row.verdict)
        for row in compared
        for host in row.hosts
        if host in set_aside or not row.set_aside
    )
    names = {host for host, _ in [*measured, *calibrated] if host is not None}
    return [
        HostFigures(
            name=name,
            trials=measured[name, True] + measured[name, False],
            valid=measured[name, True],
            calibrations=sum(count for (host, _), count in calibrated.items() if host == name),
            failed=calibrated[name, "failed"],
            warned=calibrated[name, "warning"],
            set_aside=name in set_aside,
            cells_different=cells[name],
            **{
                family: {verdict: counts[name, family, verdict] for verdict in VERDICTS}
                for family in FAMILIES
            },
        )
        for name in sorted(map(str, names))
    ]


def hosts_sentence(hosts: Sequence[HostFigures], compared: Sequence[Agreement]) -> str:
    """Whether the hosts agree, in plain words.

    They agree only if every service gets the same on every two hosts, which is a test of equivalence
    (Schuirmann 1987). A host that is set aside is no part of it.
    """
    if not hosts:
        return "The trials of this cycle do not name the host that measured them."
    if len(hosts) == 1:
        return f"One host measured this cycle: {hosts[0].name}."
    used = [host for host in hosts if not host.set_aside]
    if differing := [host.name for host in used if host.verdict == "differs"]:
        verb = "differs" if len(differing) == 1 else "differ"
        others = "each other" if len(differing) == len(used) else "other hosts"
        return f"{listed(differing)} {verb} from {others}."
    judged = [row for row in compared if row.verdict is not None and not row.set_aside]
    if not judged:
        return (
            f"{len(hosts)} hosts measured this cycle. No service has six valid trials in pairs on two of "
            "them, so the trials do not tell whether the hosts agree."
        )
    margin = f"within ±{amount(MARGIN, 'fraction')}"
    whole = len({row.hosts for row in judged}) == math.comb(len(used), 2)
    if whole and all(row.verdict == "equivalent" for row in judged):
        agree = "The hosts agree: every service gets the same on every two of them, over all its pairs"
        return f"{agree}, {margin}."
    return f"It is not known whether the hosts agree {margin}."
