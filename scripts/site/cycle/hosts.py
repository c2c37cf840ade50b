"""Which hosts measured the cycle, and whether they agree, in the form of Hugo's data."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from scripts.charts.table_rows import TrialRow
from scripts.site.cycle.inputs import Inputs, Row

VERDICTS = ("equivalent", "different", "undecided")
FAMILIES = ("control", "services")


@dataclass(frozen=True)
class _Trial(TrialRow):
    """A row of trial_services. `host` is None if its trial does not name one."""

    valid: bool
    host: str | None


@dataclass(frozen=True)
class _Calibration:
    """A row of calibration."""

    verdict: str
    host: str | None


@dataclass(frozen=True)
class _Compared:
    """A row of hosts. Without six trials on either side it has no verdict."""

    host: str
    family: str
    verdict: str | None


@dataclass(frozen=True)
class HostFigures:
    """What a host measured, and the comparisons with the other hosts by verdict, for each family of cells."""

    name: str
    trials: int
    valid: int
    calibrations: int
    failed: int
    warned: int
    set_aside: bool
    control: dict[str, int] = field(default_factory=dict)
    services: dict[str, int] = field(default_factory=dict)

    def count(self, *verdicts: str) -> int:
        """The comparisons with these verdicts, in both families."""
        return sum(family.get(verdict, 0) for family in (self.control, self.services) for verdict in verdicts)

    @property
    def verdict(self) -> str:
        """What all comparisons together say of the host."""
        if self.count("different"):
            return "differs"
        if self.count("undecided") or not self.count("equivalent"):
            return "not decided"
        return "agrees"


def host_page(inputs: Inputs) -> Row:
    """The hosts of the cycle, each with its figures and its verdict, and the sentence about them."""
    hosts = host_figures(inputs)
    return {
        "sentence": hosts_sentence(hosts),
        "differing": [host.name for host in hosts if host.verdict == "differs" and not host.set_aside],
        "hosts": [asdict(host) | {"verdict": host.verdict} for host in hosts],
    }


def host_figures(inputs: Inputs) -> list[HostFigures]:
    """Every host that measured a trial or a calibration, by name."""
    trials = {row.key: row for row in inputs.records("trial_services", _Trial)}.values()
    calibrations = inputs.records("calibration", _Calibration)
    compared = inputs.records("hosts", _Compared)
    measured = Counter(row.host for row in trials)
    valid = Counter(row.host for row in trials if row.valid)
    calibrated = Counter(row.host for row in calibrations)
    verdicts = Counter((row.host, row.verdict) for row in calibrations)
    counts = Counter((row.host, row.family, row.verdict) for row in compared)
    return [
        HostFigures(
            name=name,
            trials=measured[name],
            valid=valid[name],
            calibrations=calibrated[name],
            failed=verdicts[name, "failed"],
            warned=verdicts[name, "warning"],
            set_aside=name in inputs.campaign.hosts_set_aside,
            **{
                family: {verdict: counts[name, family, verdict] for verdict in VERDICTS}
                for family in FAMILIES
            },
        )
        for name in sorted(name for name in measured.keys() | calibrated.keys() if name is not None)
    ]


def hosts_sentence(hosts: Sequence[HostFigures]) -> str:
    """Whether the hosts agree, in plain words."""
    if not hosts:
        return "The trials of this cycle do not name the host that measured them."
    if len(hosts) == 1:
        return f"One host measured this cycle: {hosts[0].name}."
    different, equivalent, undecided = (
        sum(host.count(verdict) for host in hosts) for verdict in ("different", "equivalent", "undecided")
    )
    compared = different + equivalent + undecided
    if not compared:
        return (
            f"{len(hosts)} hosts measured this cycle. No service has six valid trials on one host and six on "
            "the others, so the trials do not tell whether the hosts agree."
        )
    counted = (
        f"Of {compared} comparisons, {equivalent} {'is' if equivalent == 1 else 'are'} equivalent, "
        f"{different} different and {undecided} undecided."
    )
    names = [host.name for host in hosts if host.verdict == "differs"]
    if not names:
        return f"No host was found to differ from the others. {counted}"
    if len(names) == len(hosts):
        return f"{_listed(names)} do not agree. {counted}"
    verb = "measures" if len(names) == 1 else "measure"
    return f"{_listed(names)} {verb} something else than the other hosts. {counted}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
