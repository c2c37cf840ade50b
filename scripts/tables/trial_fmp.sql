-- trial_fmp: K, how unfair the session of a trial was, in which early slots weigh most (Corbel et al., II-B and IV-A).
-- Grain:      one row per client of a completed trial with several continuous clients; also if the trial is invalid.
-- Units:      fractions.
-- Sources:    trial_services, trial_series, solo.
-- Parameters: $intermittent (web pages and generated flows).
-- k takes this client as a: below 0 it dominates. It is computed from the IP bytes of the whole slots of 100 ms in the
-- steady window, each divided by the client's allocation. Of three and more clients it is that of the worst pair that
-- the client is in (IV-B). There is no row beside a web page or generated flows, which are idle between their transfers,
-- and none of a pair in which no client sent anything.
-- scripts/metrics/session_weights.py has the weights of k_weights_low and k_weights_high, and explains k_scatter.
with
trial_services as (
    select * from read_parquet($trial_services) where clients > 1 and status = 'completed'
),

allocations as (select * from allocations($trial_services, $solo)),

continuous as (
    select setting, pair, trial, client, allocation_mbps, window_start_s, window_stop_s
    from trial_services
    inner join allocations using (setting, pair, service)
    where not list_has_any(services_of(service, contender), $intermittent::varchar[])
),

slots as (
    select
        setting,
        pair,
        trial,
        client,
        sum(ip_bytes) as ip_bytes,
        list(ip_bytes / nullif(allocation_mbps, 0) order by slot) as slot_bytes
    from read_parquet($trial_series)
    inner join continuous using (setting, pair, trial, client)
    where slot / 10 >= window_start_s and (slot + 1) / 10 <= window_stop_s
    group by setting, pair, trial, client
),

compared as (
    select
        setting,
        pair,
        trial,
        mine.client as a,
        other.client as b,
        fmp(mine.slot_bytes, other.slot_bytes) as ks,
        nullif(ks[1], 'nan'::double) as k,
        nullif(ks[2], 'nan'::double) as k_weights_low,
        nullif(ks[3], 'nan'::double) as k_weights_high,
        nullif(ks[4], 'nan'::double) as k_scatter
    from slots as mine
    inner join slots as other using (setting, pair, trial)
    where mine.client < other.client and mine.ip_bytes + other.ip_bytes > 0
),

-- Exchanging a and b changes only the sign.
both_ways as (
    select setting, pair, trial, a as client, b as rival, k, k_weights_low, k_weights_high, k_scatter from compared
    union all
    select
        setting,
        pair,
        trial,
        b as client,
        a as rival,
        0 - k as k,
        0 - k_weights_high as k_weights_low,
        0 - k_weights_low as k_weights_high,
        k_scatter
    from compared
)

select * exclude (rival)
from both_ways
qualify row_number() over (partition by setting, pair, trial, client order by abs(k) desc, rival) = 1
order by setting, pair, trial, client
