-- pairs: what an incumbent got against a contender, over the valid trials.
-- Grain:   one row a setting, incumbent and contender, also where no trial is valid (n = 0); a self-pair once.
-- Units:   in the names; share, loss_rate, utilization and jain are fractions.
-- Sources: trial_services, solo.
-- The contender of three or more clients is the others joined by "~". A service that stands in a trial more than
-- once gives one value, its first client's. Share is wire rate / max-min fair allocation (Prudentia, 2.2 and 4);
-- jain is taken over all clients' shares; the delay is of the trials' means.
with
trial_services as (select * from read_parquet($trial_services)),

solo as (select * from read_parquet($solo)),

competing as (
    select * from trial_services where clients > 1
),

demands as (
    select competing.*, coalesce(demand_mbps, 'infinity'::double) as demand_mbps
    from competing
    left join solo using (setting, service)
),

-- Clients in a fixed order, so that each finds its own place in the allocation of all.
trials as (
    select
        setting,
        pair,
        trial,
        list(client order by client) as clients_in_order,
        max_min_fair_rates(min(rate_mbps), list(demand_mbps order by client)) as allocations
    from demands
    group by setting, pair, trial
),

allocated as (
    select
        competing.*,
        allocations[list_position(clients_in_order, client)] as allocation_mbps
    from competing
    inner join trials using (setting, pair, trial)
),

shares as (
    select *, wire_rate_mbps / nullif(allocation_mbps, 0) as share from allocated
),

fairness as (
    select setting, pair, trial, jain(list(share order by client)) as jain
    from shares
    where valid
    group by setting, pair, trial
    having count(share) = count(*) and max(share) > 0
),

incumbents as (
    select shares.*, service as incumbent, queueing_delay_mean_ms as queueing_delay_ms, jain
    from shares
    left join fairness using (setting, pair, trial)
    qualify row_number() over (partition by setting, pair, trial, service order by client) = 1
),

summaries as (
    select
        setting,
        pair,
        incumbent,
        contender,
        bool_or(self_pair) as self_pair,
        count(*) filter (valid)::integer as n,
        count(*) filter (not valid)::integer as excluded,
        min(allocation_mbps) as allocation_mbps,
        string_agg(trial, ',' order by trial) filter (valid) as trials
    from incumbents
    group by setting, pair, incumbent, contender
),

measured as (
    select
        setting,
        incumbent,
        contender,
        summary(share) as share,
        summary(throughput_mbps) as throughput_mbps,
        summary(wire_rate_mbps) as wire_rate_mbps,
        summary(loss_rate) as loss_rate,
        summary(queueing_delay_ms) as queueing_delay_ms,
        summary(utilization) as utilization,
        summary(jain) as jain
    from incumbents
    where valid
    group by setting, incumbent, contender
)

select
    setting,
    pair,
    incumbent,
    contender,
    self_pair,
    n,
    excluded,
    allocation_mbps,
    share.median as share_median,
    share.q25 as share_q25,
    share.q75 as share_q75,
    share.low as share_low,
    share.high as share_high,
    throughput_mbps.median as throughput_mbps_median,
    throughput_mbps.q25 as throughput_mbps_q25,
    throughput_mbps.q75 as throughput_mbps_q75,
    throughput_mbps.low as throughput_mbps_low,
    throughput_mbps.high as throughput_mbps_high,
    wire_rate_mbps.median as wire_rate_mbps_median,
    wire_rate_mbps.q25 as wire_rate_mbps_q25,
    wire_rate_mbps.q75 as wire_rate_mbps_q75,
    wire_rate_mbps.low as wire_rate_mbps_low,
    wire_rate_mbps.high as wire_rate_mbps_high,
    loss_rate.median as loss_rate_median,
    loss_rate.q25 as loss_rate_q25,
    loss_rate.q75 as loss_rate_q75,
    loss_rate.low as loss_rate_low,
    loss_rate.high as loss_rate_high,
    queueing_delay_ms.median as queueing_delay_ms_median,
    queueing_delay_ms.q25 as queueing_delay_ms_q25,
    queueing_delay_ms.q75 as queueing_delay_ms_q75,
    queueing_delay_ms.low as queueing_delay_ms_low,
    queueing_delay_ms.high as queueing_delay_ms_high,
    utilization.median as utilization_median,
    utilization.q25 as utilization_q25,
    utilization.q75 as utilization_q75,
    utilization.low as utilization_low,
    utilization.high as utilization_high,
    jain.median as jain_median,
    jain.q25 as jain_q25,
    jain.q75 as jain_q75,
    jain.low as jain_low,
    jain.high as jain_high,
    coalesce(trials, '') as trials
from summaries
left join measured using (setting, incumbent, contender)
order by setting, incumbent, contender
