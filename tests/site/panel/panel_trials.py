"""The rows of the sample's trials: who got how much, what is excluded, and what the users saw."""

import random
from collections.abc import Iterator

from scripts.model.campaign import Campaign
from scripts.model.pairs import contender_name, members
from scripts.tables.parameters import caps
from tests.charts.sample_cycle import flow_row, measured, series_rows, upstream_row
from tests.site.panel.panel_campaign import FEW_TRIALS, UNABLE, UNMEASURED
from tests.site.panel.panel_qoe import qoe_rows

Rows = dict[str, list[dict]]

STRENGTH = {
    "iperf-bbr": 1.6,
    "iperf-reno": 0.6,
    "ref-file-batched-5-bbr": 5.0,
    "ref-file-bbr": 1.5,
    "ref-file-quic-bbr": 1.9,
    "ref-video-4-reno": 1.4,
    "ref-video-quic-bbr": 0.8,
    "ref-call-1500kbps": 0.4,
    "ref-call-2600kbps": 0.5,
}
"""The weight of a service at a shared link; the others have 1."""

FULL = 0.985
REASONS = ("capture_missing_packets: 3 > 0", "rtt_error_ms: 1.7 > 1.0")
FAILED_REASON = "the browser of c1 did not answer within 30 s"


def panel_rows(campaign: Campaign, seed: int) -> Rows:
    """The rows of the tables of trials, by table."""
    rng, rows = random.Random(seed), {}
    for setting in sorted(campaign.settings):
        for name in sorted([*campaign.pairs, *campaign.services]):
            for clients in _trials(rng, campaign, setting, name):
                for table, found in _tables(rng, campaign, clients).items():
                    rows.setdefault(table, []).extend(found)
    return rows


def _trials(rng: random.Random, campaign: Campaign, setting: str, pair: str) -> Iterator[list[dict]]:
    """The trials of a pair or a solo, each as the rows of its clients. One pair in six has two modes."""
    if (setting, pair) in UNMEASURED:
        return
    count = FEW_TRIALS.get((setting, pair), rng.choice((7, 8, 9, 10)))
    bias, modes = rng.gauss(1, 0.12), rng.random() < 1 / 6
    for number in range(1, count + 1):
        weight = bias * (rng.choice((0.4, 1)) if modes else 1)
        yield _clients(rng, campaign, (setting, pair, number), weight)


def _clients(
    rng: random.Random, campaign: Campaign, key: tuple[str, str, int], first_weight: float
) -> list[dict]:
    setting, pair, number = key
    services, rate = members(pair), float(campaign.settings[setting].rate_mbps)
    rates = _shared(rng, campaign, services, rate, first_weight)
    luck = rng.random()
    failed, broken = luck < 0.01, luck > 0.97
    rows = []
    for place, service in enumerate(services):
        row = {
            **{"setting": setting, "pair": pair, "trial": number, "client": f"c{place + 1}"},
            **{"service": service, "contender": contender_name(services[:place] + services[place + 1 :])},
            **{"clients": len(services), "self_pair": len(services) > len(set(services))},
            **{"status": "failed" if failed else "completed", "valid": not (failed or broken)},
            "reason": FAILED_REASON if failed else rng.choice(REASONS) if broken else None,
            "cca": campaign.services[service].cca,
            **{"rate_mbps": rate, "able": None if len(services) > 1 else (setting, service) != UNABLE},
            **{"rtt_ms": 50.0, "instance": "further" if service in services[:place] else "first"},
        }
        got = {} if failed else measured(rng, rate, rates[place] / rate)
        rows.append(row | got | ({"utilization": sum(rates) / rate} if got else {}))
    return _with_reason_of_first(_with_instances(rows))


def _with_instances(rows: list[dict]) -> list[dict]:
    """The rows of a trial; in a self-pair its clients are told apart by what they got."""
    if rows[0]["self_pair"]:
        by_rate = sorted(rows, key=lambda row: (row.get("wire_rate_mbps", 0), row["client"]))
        by_rate[0]["instance"], by_rate[-1]["instance"] = "worse_off", "better_off"
    return rows


def _with_reason_of_first(rows: list[dict]) -> list[dict]:
    for row in rows:
        row["reason"] = rows[0]["reason"]
    return rows


def _shared(
    rng: random.Random, campaign: Campaign, services: list[str], rate: float, first_weight: float
) -> list[float]:
    """The wire rates (Mbps) of one or two services on a link: by weight, each at most its limit."""
    limits = {str(cap["service"]): cap["cap_mbps"] for cap in caps(campaign)}
    most = [min(limits[service] or rate, FULL * rate) * rng.uniform(0.97, 1) for service in services]
    if len(services) == 1:
        return most
    weights = [STRENGTH.get(service, 1.0) * rng.lognormvariate(0, 0.08) for service in services]
    weights[0] *= max(first_weight, 0.2)
    first = min(most[0], FULL * rate * weights[0] / sum(weights))
    second = min(most[1], FULL * rate - first)
    return [min(most[0], FULL * rate - second), second]


def _tables(rng: random.Random, campaign: Campaign, clients: list[dict]) -> Rows:
    """The rows of one trial in every table of trials."""
    done = [row for row in clients if row["status"] == "completed"]
    found: Rows = {
        "trial_services": clients,
        "trial_series": [slot for row in done for slot in series_rows(rng, row)],
        "trial_flows": [flow for row in done for flow in _flows(campaign, row)],
        "upstream_loss": [upstream_row(row) for row in done],
        "validity": _validity(clients[0]),
    }
    for row in done:
        service = campaign.services[row["service"]]
        for table, of_users in qoe_rows(rng, service, row).items():
            found.setdefault(table, []).extend(of_users)
    return found


def _flows(campaign: Campaign, row: dict) -> list[dict]:
    """The connections of a client, all at once."""
    count = campaign.services[row["service"]].flows or 9
    flow = flow_row(row)
    return [
        flow
        | {"flow": flow["flow"] + 2 * place, "destination_port": 40_000 + place, "concurrent_flows": count}
        | {name: flow[name] // count for name in ("packets", "ip_bytes", "payload_bytes")}
        for place in range(count)
    ]


def _validity(first: dict) -> list[dict]:
    """The rules of one trial: those that its reason names are broken."""
    key = {name: first[name] for name in ("setting", "pair", "trial")}
    if first["status"] == "failed":
        return [key | _rule("completed", "testbed", 1.0, 0.0)]
    broken = (first["reason"] or "").partition(":")[0]
    rows = [
        _rule("completed", "testbed", 0.0, 0.0),
        _rule("capture_missing_packets", "testbed", 3.0 * (broken == "capture_missing_packets"), 0.0),
        _rule("rtt_error_ms", "testbed", 1.7 if broken == "rtt_error_ms" else 0.2, 1.0),
    ]
    if first["able"] is not None:
        rows.append(_rule("render_limited_fraction", "service", 0.02 if first["able"] else 0.31, 0.1))
    return [key | row for row in rows]


def _rule(rule: str, kind: str, figure: float, threshold: float) -> dict:
    return {
        "rule": rule,
        "class": kind,
        "figure": figure,
        "threshold": threshold,
        "valid": figure <= threshold,
    }
