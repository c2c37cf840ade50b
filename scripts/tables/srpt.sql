-- srpt: how long the flows of one trial would take on an ideal link with the same arrivals.
-- Grain:   one row per trial, client and generated flow that started; none if the trial failed.
-- Units:   in the names; slowdown is a ratio.
-- Sources: trial_completions of one trial.
-- The ideal link always serves the flow with the fewest remaining bytes (SRPT: Zapletal and Kuipers, 3.2), among the
-- generated flows of all clients of the trial, from the moment at which each really started. Other services are
-- left out, and that changes nothing: a bulk flow without an end never has the fewest remaining bytes, so it delays
-- nobody under SRPT.
-- The ideal completion time has no handshake: (SRPT + RTT) / (size / rate + RTT) is its slowdown. A flow with a limit of
-- its own takes at least size / limit; SRPT knows no limits, so the longer of both times counts.
with
flows as (
    select
        *,
        (started_ns - min(started_ns) over ()) / 1e9 as arrival_s,
        size_bytes * 8 / (rate_limit_mbps * 1e6) as limited_s
    from read_parquet($trial_completions)
    where started_ns is not null
),

-- Equal flows are served in the order of this list.
lists as (
    select
        list({client: client, flow: flow} order by started_ns, client, flow) as places,
        srpt_completion_times(
            list(arrival_s order by started_ns, client, flow),
            list(size_bytes::double order by started_ns, client, flow),
            any_value(rate_mbps) * 1e6
        ) as times_s
    from flows
),

served as (
    select unnest(places, recursive := true), unnest(times_s) as srpt_s from lists
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
    size_bytes,
    counted,
    (greatest(srpt_s, coalesce(limited_s, 0)) + rtt_ms / 1e3) * 1e3 as fct_ms,
    (greatest(srpt_s, coalesce(limited_s, 0)) + rtt_ms / 1e3) * 1e3 / optimal_ms as slowdown
from flows
inner join served using (client, flow)
order by setting, pair, trial, client, flow
