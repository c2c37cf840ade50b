-- pairs: what an incumbent got against a contender, over the valid trials.
-- Grain:      one row per setting, incumbent and contender, also if no trial is valid (n = 0); two per self-pair.
-- Units:      in the names; columns without a unit are fractions.
-- Sources:    trial_services, trial_fairness, solo.
-- Parameters: $beyond (the services judged by what their users see).
-- A service of $beyond has no rows as incumbent: its results are in qoe_pairs. Other services have rows against it
-- (Prudentia, Observation 7), but these are not cells of the throughput matrix.
-- With three or more clients the contender is the other services, joined by "~". A service that has several clients
-- in a trial gives one value: that of its first client. A self-pair gives two, in two rows: the worse-off and the
-- better-off client of each trial. The share is wire rate / max-min fair allocation (Prudentia, 2.2 and 4). jain,
-- product and epsilon are taken over the shares of all clients. The queueing delay of a trial is its mean.
-- fness and k take the incumbent as a: below 0 it dominates.
-- Harm (Ware et al.) compares a trial with the medians over the solos. The delay that it compares is the RTT: base RTT
-- and queueing delay. Harm has no ratio if the throughput alone is 0, or if a loss rate above 0 alone became 0. If
-- one trial has none, the cell has none: a median over the other trials would leave out the best one.
-- The n of a metric counts the valid trials in which it has a value. _all_median is the median over all completed
-- trials, also the invalid ones.
with
trial_services as (select * from read_parquet($trial_services)),

solos as (
    select setting, service, able, throughput_median_mbps, queueing_delay_median_ms, loss_rate_median
    from read_parquet($solo)
),

allocations as (select * from allocations($trial_services, $solo)),

fairness as (
    select setting, pair, trial, client, share, jain, product, epsilon, fness, k
    from read_parquet($trial_fairness)
),

incumbents as (
    select
        trial_services.*,
        service as incumbent,
        throughput_median_mbps as throughput_alone_mbps,
        loss_rate_median as loss_rate_alone,
        allocation_mbps,
        share,
        queueing_delay_mean_ms as queueing_delay_ms,
        jain,
        product,
        epsilon,
        fness,
        k,
        harm(throughput_median_mbps, throughput_mbps, true) as harm_throughput,
        harm(rtt_ms + queueing_delay_median_ms, rtt_ms + queueing_delay_mean_ms, false) as harm_delay,
        harm(loss_rate_median, loss_rate, false) as harm_loss
    from trial_services
    inner join allocations using (setting, pair, client)
    left join fairness using (setting, pair, trial, client)
    left join solos using (setting, service)
    where instance <> 'further' and not list_contains($beyond::varchar[], service)
),

summaries as (
    select
        setting,
        pair,
        incumbent,
        contender,
        instance,
        bool_or(self_pair) as self_pair,
        count(*) filter (valid)::integer as n,
        count(*) filter (not valid)::integer as excluded,
        count(*) filter (status = 'completed')::integer as n_all,
        min(allocation_mbps) as allocation_mbps,
        string_agg(trial, ',' order by trial) filter (valid) as trials
    from incumbents
    group by setting, pair, incumbent, contender, instance
),

broken as (
    select setting, list(service) as services from solos where not able group by setting
),

samples as (
    select 'valid' as sample, * from incumbents where valid
    union all
    select 'completed' as sample, * from incumbents where status = 'completed'
),

defined as (
    select
        * replace (
            case
                when not bool_or(throughput_alone_mbps = 0 and throughput_mbps > 0) over cell then harm_throughput
            end as harm_throughput,
            case when not bool_or(loss_rate_alone > 0 and loss_rate = 0) over cell then harm_loss end as harm_loss
        )
    from samples
    window cell as (partition by sample, setting, incumbent, contender, instance)
),

measured as (
    select
        setting,
        incumbent,
        contender,
        instance,
        summary(share) as share,
        summary(throughput_mbps) as throughput_mbps,
        summary(wire_rate_mbps) as wire_rate_mbps,
        summary(loss_rate) as loss_rate,
        summary(queueing_delay_ms) as queueing_delay_ms,
        summary(utilization) as utilization,
        summary(jain) as jain,
        summary(product) as product,
        summary(epsilon) as epsilon,
        summary(fness) as fness,
        summary(k) as k,
        summary(harm_throughput) as harm_throughput,
        summary(harm_delay) as harm_delay,
        summary(harm_loss) as harm_loss
    from defined
    where sample = 'valid'
    group by setting, incumbent, contender, instance
),

completed as (
    select
        setting,
        incumbent,
        contender,
        instance,
        quantile_cont(share, 0.5) as share_all_median,
        quantile_cont(throughput_mbps, 0.5) as throughput_mbps_all_median,
        quantile_cont(wire_rate_mbps, 0.5) as wire_rate_mbps_all_median,
        quantile_cont(loss_rate, 0.5) as loss_rate_all_median,
        quantile_cont(queueing_delay_ms, 0.5) as queueing_delay_ms_all_median,
        quantile_cont(utilization, 0.5) as utilization_all_median,
        quantile_cont(jain, 0.5) as jain_all_median,
        quantile_cont(product, 0.5) as product_all_median,
        quantile_cont(epsilon, 0.5) as epsilon_all_median,
        quantile_cont(fness, 0.5) as fness_all_median,
        quantile_cont(k, 0.5) as k_all_median,
        quantile_cont(harm_throughput, 0.5) as harm_throughput_all_median,
        quantile_cont(harm_delay, 0.5) as harm_delay_all_median,
        quantile_cont(harm_loss, 0.5) as harm_loss_all_median
    from defined
    where sample = 'completed'
    group by setting, incumbent, contender, instance
)

select
    setting,
    pair,
    incumbent,
    contender,
    instance,
    self_pair,
    coalesce(
        array_to_string(list_sort(list_intersect(services_of(incumbent, contender), broken.services)), ','), ''
    ) as unable,
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
    coalesce(share.n, 0) as share_n,
    throughput_mbps.median as throughput_mbps_median,
    throughput_mbps.q25 as throughput_mbps_q25,
    throughput_mbps.q75 as throughput_mbps_q75,
    throughput_mbps.low as throughput_mbps_low,
    throughput_mbps.high as throughput_mbps_high,
    throughput_mbps_all_median,
    coalesce(throughput_mbps.n, 0) as throughput_mbps_n,
    wire_rate_mbps.median as wire_rate_mbps_median,
    wire_rate_mbps.q25 as wire_rate_mbps_q25,
    wire_rate_mbps.q75 as wire_rate_mbps_q75,
    wire_rate_mbps.low as wire_rate_mbps_low,
    wire_rate_mbps.high as wire_rate_mbps_high,
    wire_rate_mbps_all_median,
    coalesce(wire_rate_mbps.n, 0) as wire_rate_mbps_n,
    loss_rate.median as loss_rate_median,
    loss_rate.q25 as loss_rate_q25,
    loss_rate.q75 as loss_rate_q75,
    loss_rate.low as loss_rate_low,
    loss_rate.high as loss_rate_high,
    loss_rate_all_median,
    coalesce(loss_rate.n, 0) as loss_rate_n,
    queueing_delay_ms.median as queueing_delay_ms_median,
    queueing_delay_ms.q25 as queueing_delay_ms_q25,
    queueing_delay_ms.q75 as queueing_delay_ms_q75,
    queueing_delay_ms.low as queueing_delay_ms_low,
    queueing_delay_ms.high as queueing_delay_ms_high,
    queueing_delay_ms_all_median,
    coalesce(queueing_delay_ms.n, 0) as queueing_delay_ms_n,
    utilization.median as utilization_median,
    utilization.q25 as utilization_q25,
    utilization.q75 as utilization_q75,
    utilization.low as utilization_low,
    utilization.high as utilization_high,
    utilization_all_median,
    coalesce(utilization.n, 0) as utilization_n,
    jain.median as jain_median,
    jain.q25 as jain_q25,
    jain.q75 as jain_q75,
    jain.low as jain_low,
    jain.high as jain_high,
    jain_all_median,
    coalesce(jain.n, 0) as jain_n,
    product.median as product_median,
    product.q25 as product_q25,
    product.q75 as product_q75,
    product.low as product_low,
    product.high as product_high,
    product_all_median,
    coalesce(product.n, 0) as product_n,
    epsilon.median as epsilon_median,
    epsilon.q25 as epsilon_q25,
    epsilon.q75 as epsilon_q75,
    epsilon.low as epsilon_low,
    epsilon.high as epsilon_high,
    epsilon_all_median,
    coalesce(epsilon.n, 0) as epsilon_n,
    fness.median as fness_median,
    fness.q25 as fness_q25,
    fness.q75 as fness_q75,
    fness.low as fness_low,
    fness.high as fness_high,
    fness_all_median,
    coalesce(fness.n, 0) as fness_n,
    k.median as k_median,
    k.q25 as k_q25,
    k.q75 as k_q75,
    k.low as k_low,
    k.high as k_high,
    k_all_median,
    coalesce(k.n, 0) as k_n,
    harm_throughput.median as harm_throughput_median,
    harm_throughput.q25 as harm_throughput_q25,
    harm_throughput.q75 as harm_throughput_q75,
    harm_throughput.low as harm_throughput_low,
    harm_throughput.high as harm_throughput_high,
    harm_throughput_all_median,
    coalesce(harm_throughput.n, 0) as harm_throughput_n,
    harm_delay.median as harm_delay_median,
    harm_delay.q25 as harm_delay_q25,
    harm_delay.q75 as harm_delay_q75,
    harm_delay.low as harm_delay_low,
    harm_delay.high as harm_delay_high,
    harm_delay_all_median,
    coalesce(harm_delay.n, 0) as harm_delay_n,
    harm_loss.median as harm_loss_median,
    harm_loss.q25 as harm_loss_q25,
    harm_loss.q75 as harm_loss_q75,
    harm_loss.low as harm_loss_low,
    harm_loss.high as harm_loss_high,
    harm_loss_all_median,
    coalesce(harm_loss.n, 0) as harm_loss_n,
    coalesce(trials, '') as trials
from summaries
left join broken using (setting)
left join measured using (setting, incumbent, contender, instance)
left join completed using (setting, incumbent, contender, instance)
order by setting, incumbent, contender, instance
