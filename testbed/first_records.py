"""The records of a trial and its clients before the trial runs. Figures not known yet are None.

They name the versions of the programs that a trial uses. Host names of the operator's addresses are
recorded apart, and never published.
"""

import platform
import re
import subprocess
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from scripts.model.services import Service
from scripts.model.specification import Specification, SpecifiedClient
from scripts.model.trial_record import BottleneckReport, ClientRecord, PrivateRecord, TrialRecord
from services.browser_settings import load_settings
from services.drivers import programs_of
from testbed.hosts import Host


def first_trial_record(specification: Specification) -> TrialRecord:
    """The record of a trial without its clients."""
    return TrialRecord(
        schema=specification.schema,
        campaign=specification.campaign,
        cycle=specification.cycle,
        setting=specification.setting,
        pair=specification.pair,
        trial=specification.trial,
        link=specification.link,
        seed=specification.seed,
        calibration=specification.calibration,
        status="completed",
        reason=None,
        clients=[],
        start_ns=None,
        stop_ns=None,
        window_start_ns=None,
        window_stop_ns=None,
        bottleneck=BottleneckReport(),
        host=None,
        sysctls=None,
        programs=program_versions(programs_of(client.service.driver for client in specification.clients)),
    )


def first_client_record(specified: SpecifiedClient, client: Host, host: Host) -> ClientRecord:
    """The record of one client."""
    service = specified.service
    return ClientRecord(
        client=specified.client,
        service=service.name,
        instance=specified.instance,
        driver=service.driver,
        cca_asked=service.cca,
        cca=None,
        address=client.address,
        service_addresses=[] if service.live else host.addresses,
        start_offset_s=specified.start_offset_s,
        start_ns=None,
        stop_ns=None,
        access=specified.access,
        rtt=specified.rtt,
        rtt_ms=None,
        base_rtt_ns=None,
        delay_down_ns=None,
        delay_up_ns=None,
        capture=None,
        headless=None,
    )


COMMANDS = {
    "dumpcap": ["dumpcap", "--version"],
    "ip": ["ip", "-V"],
}


def program_versions(packages: Mapping[str, str]) -> dict[str, str]:
    """The version of Python, of COMMANDS, and of the drivers' programs.

    Args:
        packages: the Debian package of each of the drivers' programs.
    """
    versions = {"python": platform.python_version()}
    for name, command in COMMANDS.items():
        versions[name] = _number(_output(command) or "unknown")
    for name, package in packages.items():
        # Few programs use another option. The package's version is the fallback.
        outputs = (_output(command) for command in ([name, "--version"], [name, "-v"], [name, "version"]))
        output = next(filter(None, outputs), None) or _output(["dpkg-query", "-Wf", "${Version}", package])
        versions[name] = _number(output or "unknown")
    return versions


def _output(command: list[str]) -> str | None:
    """What a program prints; None if it fails or is missing."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def _number(text: str) -> str:
    """The first version number in a text. The rest of the text may name files of this machine."""
    number = re.search(r"\d+(\.\d+)+", text)
    return number[0] if number else "unknown"


def private_record(services: Iterable[Service]) -> PrivateRecord:
    """The record of a trial of these services. config/browser.yaml has the addresses of the live ones."""
    own = load_settings().addresses
    addresses = [own[service.name] for service in services if service.live and service.name in own]
    names = {urlsplit(address).hostname for address in addresses}
    return PrivateRecord(tuple(sorted(name for name in names if name)))
