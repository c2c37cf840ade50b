"""The figure start-up from packets on: slow starts that overshoot, beside a contender that sends evenly."""

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.extract.clients import CLIENTS_SCHEMA
from scripts.extract.packets import PACKETS_SCHEMA
from scripts.extract.queue_log import QUEUE_SCHEMA
from scripts.gate.decision import judge
from scripts.gate.definition import ComparedCell
from scripts.gate.margins import read_settings
from scripts.gate.running import arms_of
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_trial_formulas
from scripts.tables.table_schema import load_schema
from tests.tables.built import built
from tests.tables.campaigns import campaign, service

PACKET_S = 1538 * 8 / 8e6
QUEUE_PACKETS = 33
EVENLY_S = 2.2 * PACKET_S
"""Between two packets of a client: both together leave a tenth of the link."""
START_UP = {"start-up": read_settings().margins["start-up"]}
CELL = ComparedCell("8mbps", "iperf-cubic", "base")
TRIALS = 6
SECOND = 10**9


def sent(start_s, overshoot_s=0.0):
    """When a client sends its packets: at three times the rate of the link for a while, then evenly."""
    fast = [start_s + number * PACKET_S / 3 for number in range(int(3 * overshoot_s / PACKET_S))]
    even = [start_s + overshoot_s + number * EVENLY_S for number in range(int(6 / EVENLY_S))]
    return [*fast, *even]


def through_queue(arm, contender):
    """The rows of `queue` of a drop-tail queue, of c1 and c2."""
    rows, leaves_s = [], []
    for now_s, client in sorted([*((at, "c1") for at in arm), *((at, "c2") for at in contender)]):
        leaves_s = [at for at in leaves_s if at > now_s]
        dropped = len(leaves_s) > QUEUE_PACKETS
        departs_s = max([now_s, *leaves_s[-1:]])
        if not dropped:
            leaves_s.append(departs_s + PACKET_S)
        rows.append(
            {
                "arrival_ns": round(now_s * SECOND),
                "departure_ns": None if dropped else round(departs_s * SECOND),
                "frame_bytes": 1514,
                "ip_bytes": 1500,
                "verdict": "tail" if dropped else "forwarded",
                "client": client,
            }
        )
    return rows


def inputs_of_trial(arm, number, overshoot_s):
    """What trial_services is made from. The contender starts first in every second trial."""
    lead_s = 0.2 + 0.01 * number
    starts_s = (1 + lead_s, 1.0) if number % 2 else (1.0, 1 + lead_s)
    trial = {"setting": "8mbps", "pair": f"{arm}~iperf-cubic", "trial": number}
    common = trial | {
        "clients": 2,
        "self_pair": False,
        "status": "completed",
        "start_ns": SECOND,
        "trial_start_ns": SECOND,
        "window_start_ns": 7 * SECOND,
        "window_stop_ns": 8 * SECOND,
        "rate_mbps": 8.0,
        "rtt_ms": 50.0,
        "overhead_bytes": 24,
    }
    rule = {"rule": "cca", "class": "testbed", "figure": 0.0, "threshold": 0.0, "valid": True}
    return {
        "clients": (
            CLIENTS_SCHEMA,
            [
                common | {"client": "c1", "service": arm, "contender": "iperf-cubic"},
                common | {"client": "c2", "service": "iperf-cubic", "contender": arm},
            ],
        ),
        "packets": (PACKETS_SCHEMA, []),
        "queue": (QUEUE_SCHEMA, through_queue(sent(starts_s[0], overshoot_s), sent(starts_s[1]))),
        "validity": (load_schema("validity").arrow, [trial | rule]),
    }


def figure(overshoot_s, folder):
    """The verdict of start-up, if the candidate overshoots so long, and the base for 30 ms."""
    trials = []
    with connect() as connection:
        add_trial_formulas(connection)
        for arm, seconds in (("candidate", overshoot_s), ("base", 0.03)):
            for number in range(1, TRIALS + 1):
                paths = {}
                for name, (schema, rows) in inputs_of_trial(arm, number, seconds).items():
                    paths[name] = folder / f"{name}.parquet"
                    pq.write_table(pa.Table.from_pylist(rows, schema=schema), paths[name])
                trials.append(build(connection, "trial_services", paths))
    services = campaign(service("candidate"), service("base"), service("iperf-cubic"))
    samples = built("samples", {"trial_services": pa.concat_tables(trials)}, folder, services)
    (folder / "tables").mkdir()
    pq.write_table(samples, folder / "tables/samples.parquet")
    (found,) = judge(arms_of([CELL], START_UP, folder), (1.0,)).figures
    return found


def test_a_start_that_costs_the_contender_as_much_as_that_of_the_base_passes(tmp_path):
    found = figure(0.03, tmp_path)
    assert "pass" == found.verdict, found


def test_a_start_that_overshoots_for_longer_fails_whichever_client_starts_first(tmp_path):
    found = figure(0.5, tmp_path)
    assert "fail" == found.verdict, found
    assert TRIALS == len(found.arms.candidate) and min(found.arms.candidate) > 0.02
