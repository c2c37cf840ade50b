-- solo: what each service does alone, and its demand for the max-min fair allocation.
-- Grain:   one row per setting and service, also if no trial is valid (n = 0).
-- Units:   in the names; a null demand means no limit.
-- Sources: trial_services.
-- A service is limited if its median wire rate is below 95 % of the capacity. A service without a valid solo counts
-- as not limited: nobody knows whether it could fill the link, so its fair allocation is the equal part.
-- _all_median is the median over all completed trials, also the invalid ones.
with
trial_services as (select * from read_parquet($trial_services)),

solos as (
    select * from trial_services where clients = 1
),

valid_solos as (
    select * from solos where valid
),

every_service as (
    select setting, service, min(rate_mbps) as rate_mbps from solos group by setting, service
),

summaries as (
    select
        setting,
        service,
        count(*)::integer as n,
        summary(wire_rate_mbps) as wire_rate,
        quantile_cont(throughput_mbps, 0.5) as throughput_median_mbps,
        quantile_cont(loss_rate, 0.5) as loss_rate_median,
        quantile_cont(queueing_delay_mean_ms, 0.5) as queueing_delay_median_ms,
        quantile_cont(utilization, 0.5) as utilization_median,
        string_agg(trial, ',' order by trial) as trials
    from valid_solos
    group by setting, service
),

completed as (
    select
        setting,
        service,
        count(*)::integer as n_all,
        quantile_cont(wire_rate_mbps, 0.5) as wire_rate_all_median_mbps,
        quantile_cont(throughput_mbps, 0.5) as throughput_all_median_mbps,
        quantile_cont(loss_rate, 0.5) as loss_rate_all_median,
        quantile_cont(queueing_delay_mean_ms, 0.5) as queueing_delay_all_median_ms,
        quantile_cont(utilization, 0.5) as utilization_all_median
    from solos
    where status = 'completed'
    group by setting, service
),

limits as (
    select setting, service, coalesce(wire_rate.median < 0.95 * rate_mbps, false) as limited
    from every_service
    left join summaries using (setting, service)
)

select
    setting,
    service,
    coalesce(n, 0) as n,
    wire_rate.median as wire_rate_median_mbps,
    wire_rate.q25 as wire_rate_q25_mbps,
    wire_rate.q75 as wire_rate_q75_mbps,
    wire_rate.low as wire_rate_low_mbps,
    wire_rate.high as wire_rate_high_mbps,
    throughput_median_mbps,
    loss_rate_median,
    queueing_delay_median_ms,
    utilization_median,
    coalesce(n_all, 0) as n_all,
    wire_rate_all_median_mbps,
    throughput_all_median_mbps,
    loss_rate_all_median,
    queueing_delay_all_median_ms,
    utilization_all_median,
    limited,
    case when limited then wire_rate.median end as demand_mbps,
    coalesce(trials, '') as trials
from limits
left join summaries using (setting, service)
left join completed using (setting, service)
order by setting, service
