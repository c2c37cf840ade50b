-- trial_fairness: how fairly the clients of a trial shared the link.
-- Grain:      one row per completed trial with several clients, and client; also if the trial is invalid.
-- Units:      in the names; columns without a unit are fractions.
-- Sources:    trial_services, trial_fmp, solo.
-- x_i is a client's share: its wire rate in the steady window / its max-min fair allocation. share_change is the share in
-- the second half of the window minus that in the first, with the same allocation. jain, product and epsilon
-- are those of all clients (RFC 5166, 2.3.1); null if a share is. fness takes this client as a: below 0 it
-- dominates. fness is computed from the IP bytes in the window. It has no notion of a demand (Kunze et al. compare
-- flows without a limit), so it is null if the demand of a client is below capacity / clients. trial_fmp explains k.
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
left join read_parquet($trial_fmp) using (setting, pair, trial, client)
order by setting, pair, trial, client
