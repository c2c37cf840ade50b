-- trial_completions: the generated flows of one trial, and how long each took.
-- Grain:   one row per trial, client that generated flows, and flow of its schedule; none if the trial failed.
-- Units:   in the names; slowdown is a ratio.
-- Sources: clients and qoe of one trial (scripts/extract), trial_services.
-- fct_ms counts from the client's connect() to the last byte, with the handshake (Zapletal and Kuipers, 3.2). data_ms
-- counts from the first byte to the last one, without it (Kunze et al., VIII-C). The slowdown is that of fct_ms:
-- scripts/metrics/completion.py, with the rate of the link or the flow's own limit, and the client's RTT in this
-- setting. The optimum has no headers and no slow start.
-- A flow without its last byte is censored: it takes longer than until the client was last seen at work, which is at
-- least until the end of the steady window. fct_ms, data_ms and slowdown are then lower bounds, and data_ms is 0 if
-- no byte came. A flow that did not start has neither of them. A flow counts if it started in the steady window.
with
clients as (select * from read_parquet($clients) where status = 'completed'),

observed as (
    select client, coalesce(since_ns, start_ns) as schedule_ns, window_start_ns, window_stop_ns, flows
    from read_parquet($qoe)
    inner join clients using (client)
    where flows is not null
),

flows as (
    select
        client,
        schedule_ns,
        window_start_ns,
        window_stop_ns,
        flows.rate_limit_mbps as rate_limit_mbps,
        (generate_subscripts(flows.planned_us, 1) - 1)::integer as flow,
        unnest(flows.planned_us) as planned_us,
        unnest(flows.size_bytes) as size_bytes,
        unnest(flows.group)::integer as flow_group,
        unnest(flows.started_ns) as started_ns,
        unnest(flows.connected_ns) as connected_ns,
        unnest(flows.first_ns) as first_ns,
        unnest(flows.last_ns) as last_ns,
        unnest(flows.received_bytes) as received_bytes,
        unnest(flows.retransmissions) as retransmissions
    from observed
),

seen as (
    select
        *,
        coalesce(
            last_ns,
            greatest(
                window_stop_ns,
                max(greatest(started_ns, connected_ns, first_ns, last_ns)) over (partition by client)
            )
        ) as until_ns
    from flows
),

timed as (
    select
        setting,
        pair,
        trial,
        service,
        contender,
        valid,
        rate_mbps,
        rtt_ms,
        seen.*,
        (until_ns - started_ns) / 1e6 as fct_ms,
        least(rate_mbps, coalesce(rate_limit_mbps, rate_mbps)) * 1e6 as fastest_bps
    from seen
    inner join read_parquet($trial_services) using (client)
)

select
    setting,
    pair,
    trial,
    client,
    service,
    contender,
    valid,
    flow,
    flow_group,
    size_bytes,
    rate_limit_mbps,
    rate_mbps,
    rtt_ms,
    planned_us / 1e6 as planned_s,
    (started_ns - schedule_ns - 1000 * planned_us) / 1e6 as late_ms,
    started_ns,
    (connected_ns - started_ns) / 1e6 as handshake_ms,
    fct_ms,
    case when started_ns is not null then coalesce((until_ns - first_ns) / 1e6, 0) end as data_ms,
    received_bytes,
    retransmissions,
    optimal_fct(size_bytes, fastest_bps, rtt_ms / 1e3) * 1e3 as optimal_ms,
    slowdown(fct_ms / 1e3, size_bytes, fastest_bps, rtt_ms / 1e3) as slowdown,
    last_ns is null as censored,
    coalesce(started_ns >= window_start_ns and started_ns < window_stop_ns, false) as counted
from timed
order by setting, pair, trial, client, flow
