-- trial_fairness: how fairly the clients of a trial shared the link.
-- Grain:      one row per completed trial with several clients, and client; also if the trial is invalid.
-- Units:      in the names; columns without a unit are fractions.
-- Sources:    trial_services, trial_series, solo.
-- Parameters: $intermittent (web pages and generated flows).
-- x_i is a client's share: its wire rate in the steady window / its max-min fair allocation. share_change is the share in
-- the second half of the window minus that in the first, with the same allocation. jain, product and epsilon
-- are those of all clients (RFC 5166, 2.3.1); null if a share is. fness and k take this client as a: below 0 it
-- dominates. fness is computed from the IP bytes in the window. It has no notion of a demand (Kunze et al. compare
-- flows without a limit), so it is null if the demand of a client is below capacity / clients. k is computed from the
-- IP bytes of the whole slots of 100 ms in the window, each divided by the client's allocation (Corbel et al., II-B and
-- IV-A). Of three and more clients it is that of the worst pair that the client is in (IV-B). It is null beside a web
-- page or generated flows, which are idle between their transfers, and if no client of the pair sent anything.
-- scripts/metrics/session_weights.py has the weights of k_weights_low and k_weights_high, and explains k_scatter.
with
trial_services as (
    select * from read_parquet($trial_services) where clients > 1 and status = 'completed'
),

allocations as (select * from allocations($trial_services, $solo)),

shares as (
    select
        trial_services.*,
        allocation_mbps,
        wire_rate_mbps / nullif(allocation_mbps, 0) as share,
        (second_half_wire_bytes - first_half_wire_bytes) * 16
            / (window_s * 1e6 * nullif(allocation_mbps, 0)) as share_change,
        demand_mbps
    from trial_services
    inner join allocations using (setting, pair, service)
),

trials as (
    select
        setting,
        pair,
        trial,
        bool_or(demand_mbps < rate_mbps / clients) as any_limited,
        sum(ip_bytes)::bigint as ip_bytes_of_all,
        case when count(share) = count(*) then list(share order by client) end as x
    from shares
    group by setting, pair, trial
),

continuous as (
    select setting, pair, trial, client, allocation_mbps, window_start_s, window_stop_s
    from shares
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
),

worst as (
    select * exclude (rival)
    from both_ways
    qualify row_number() over (partition by setting, pair, trial, client order by abs(k) desc, rival) = 1
)

select
    setting,
    pair,
    trial,
    client,
    service,
    contender,
    valid,
    instance,
    allocation_mbps,
    share,
    nullif(jain(x), 'nan'::double) as jain,
    product_measure(x) as product,
    nullif(smallest_epsilon(x), 'nan'::double) as epsilon,
    case
        when clients = 2 and not any_limited
            then nullif(fness(ip_bytes, ip_bytes_of_all - ip_bytes), 'nan'::double)
    end as fness,
    k,
    k_weights_low,
    k_weights_high,
    k_scatter,
    share_change
from shares
inner join trials using (setting, pair, trial)
left join worst using (setting, pair, trial, client)
order by setting, pair, trial, client
