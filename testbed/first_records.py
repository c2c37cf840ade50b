"""The records of a trial and its clients before the trial runs. Figures not known yet are None."""

from scripts.model.specification import Specification, SpecifiedClient
from scripts.model.trial_record import BottleneckReport, ClientRecord, TrialRecord
from services.drivers import programs_of
from testbed.hosts import Host
from testbed.program_versions import program_versions


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
