-- pairs: what an incumbent got against a contender, over the valid trials.
-- Grain:      one row per setting, incumbent and contender, also if no trial is valid (n = 0); one per self-pair.
-- Units:      in the names; columns without a unit are fractions.
-- Sources:    trial_services, solo.
-- Parameters: $beyond (the services judged by what their users see).
-- A service of $beyond has no rows as incumbent: its results are in qoe_pairs. Other services have rows against it
-- (Prudentia, Observation 7), but these are not cells of the throughput matrix.
-- With three or more clients the contender is the other services, joined by "~". A service that has several clients
-- in a trial gives one value: that of the representative client. The share is wire rate / max-min fair allocation
-- (Prudentia, 2.2 and 4). jain is taken over the shares of all clients. The queueing delay of a trial is its mean.
-- fness and k take the incumbent as a: below 0 it dominates. Harm (Ware et al.) compares a trial with the medians
-- over the solos; it is null without a solo, and if a delay or loss rate above 0 alone became 0. _all_median is the
-- median over all completed trials, also the invalid ones.
with
trial_services as (select * from read_parquet($trial_services)),

solo as (select * exclude (n, trials) from read_parquet($solo)),

competing as (
    select * from trial_services where clients > 1
),

demands as (
    select competing.*, coalesce(demand_mbps, 'infinity'::double) as demand_mbps
    from competing
    left join (select setting, service, demand_mbps from solo) as solos using (setting, service)
),

-- The clients of a trial in a fixed order, which is also the order of their allocations.
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
    group by setting, pair, trial
    having count(share) = count(*) and max(share) > 0
),

incumbents as (
    select
        shares.*,
        service as incumbent,
        queueing_delay_mean_ms as queueing_delay_ms,
        jain,
        nullif(harm(throughput_median_mbps, throughput_mbps, true), 'nan'::double) as harm_throughput,
        nullif(harm(queueing_delay_median_ms, queueing_delay_mean_ms, false), 'nan'::double) as harm_delay,
        nullif(harm(loss_rate_median, loss_rate, false), 'nan'::double) as harm_loss
    from shares
    left join fairness using (setting, pair, trial)
    left join solo using (setting, service)
    where representative and not list_contains($beyond::varchar[], service)
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
        count(*) filter (status = 'completed')::integer as n_all,
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
        summary(jain) as jain,
        summary(fness) as fness,
        summary(k) as k,
        summary(harm_throughput) as harm_throughput,
        summary(harm_delay) as harm_delay,
        summary(harm_loss) as harm_loss
    from incumbents
    where valid
    group by setting, incumbent, contender
),

completed as (
    select
        setting,
        incumbent,
        contender,
        quantile_cont(share, 0.5) as share_all_median,
        quantile_cont(throughput_mbps, 0.5) as throughput_mbps_all_median,
        quantile_cont(wire_rate_mbps, 0.5) as wire_rate_mbps_all_median,
        quantile_cont(loss_rate, 0.5) as loss_rate_all_median,
        quantile_cont(queueing_delay_ms, 0.5) as queueing_delay_ms_all_median,
        quantile_cont(utilization, 0.5) as utilization_all_median,
        quantile_cont(jain, 0.5) as jain_all_median,
        quantile_cont(fness, 0.5) as fness_all_median,
        quantile_cont(k, 0.5) as k_all_median,
        quantile_cont(harm_throughput, 0.5) as harm_throughput_all_median,
        quantile_cont(harm_delay, 0.5) as harm_delay_all_median,
        quantile_cont(harm_loss, 0.5) as harm_loss_all_median
    from incumbents
    where status = 'completed'
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
    n_all,
    allocation_mbps,
    share.median as share_median,
    share.q25 as share_q25,
    share.q75 as share_q75,
    share.low as share_low,
    share.high as share_high,
    share_all_median,
    throughput_mbps.median as throughput_mbps_median,
    throughput_mbps.q25 as throughput_mbps_q25,
    throughput_mbps.q75 as throughput_mbps_q75,
    throughput_mbps.low as throughput_mbps_low,
    throughput_mbps.high as throughput_mbps_high,
    throughput_mbps_all_median,
    wire_rate_mbps.median as wire_rate_mbps_median,
    wire_rate_mbps.q25 as wire_rate_mbps_q25,
    wire_rate_mbps.q75 as wire_rate_mbps_q75,
    wire_rate_mbps.low as wire_rate_mbps_low,
    wire_rate_mbps.high as wire_rate_mbps_high,
    wire_rate_mbps_all_median,
    loss_rate.median as loss_rate_median,
    loss_rate.q25 as loss_rate_q25,
    loss_rate.q75 as loss_rate_q75,
    loss_rate.low as loss_rate_low,
    loss_rate.high as loss_rate_high,
    loss_rate_all_median,
    queueing_delay_ms.median as queueing_delay_ms_median,
    queueing_delay_ms.q25 as queueing_delay_ms_q25,
    queueing_delay_ms.q75 as queueing_delay_ms_q75,
    queueing_delay_ms.low as queueing_delay_ms_low,
    queueing_delay_ms.high as queueing_delay_ms_high,
    queueing_delay_ms_all_median,
    utilization.median as utilization_median,
    utilization.q25 as utilization_q25,
    utilization.q75 as utilization_q75,
    utilization.low as utilization_low,
    utilization.high as utilization_high,
    utilization_all_median,
    jain.median as jain_median,
    jain.q25 as jain_q25,
    jain.q75 as jain_q75,
    jain.low as jain_low,
    jain.high as jain_high,
    jain_all_median,
    fness.median as fness_median,
    fness.q25 as fness_q25,
    fness.q75 as fness_q75,
    fness.low as fness_low,
    fness.high as fness_high,
    fness_all_median,
    k.median as k_median,
    k.q25 as k_q25,
    k.q75 as k_q75,
    k.low as k_low,
    k.high as k_high,
    k_all_median,
    harm_throughput.median as harm_throughput_median,
    harm_throughput.q25 as harm_throughput_q25,
    harm_throughput.q75 as harm_throughput_q75,
    harm_throughput.low as harm_throughput_low,
    harm_throughput.high as harm_throughput_high,
    harm_throughput_all_median,
    harm_delay.median as harm_delay_median,
    harm_delay.q25 as harm_delay_q25,
    harm_delay.q75 as harm_delay_q75,
    harm_delay.low as harm_delay_low,
    harm_delay.high as harm_delay_high,
    harm_delay_all_median,
    harm_loss.median as harm_loss_median,
    harm_loss.q25 as harm_loss_q25,
    harm_loss.q75 as harm_loss_q75,
    harm_loss.low as harm_loss_low,
    harm_loss.high as harm_loss_high,
    harm_loss_all_median,
    coalesce(trials, '') as trials
from summaries
left join measured using (setting, incumbent, contender)
left join completed using (setting, incumbent, contender)
order by setting, incumbent, contender
