-- solo: what each service does alone, and its demand for the max-min fair allocation.
-- Grain:      one row per setting and service, also if no trial is valid (n = 0).
-- Units:      in the names; a null demand means no limit.
-- Sources:    trial_services.
-- Parameters: $caps (the limit of every service according to the catalogue, as wire rate; null without one).
-- Below 95 % of the capacity a rate counts as a limit. A service's demand is its cap in the catalogue (Prudentia,
-- Table 1). A service without a cap is limited if its solos say so beyond doubt: the high end of the interval of the
-- median wire rate, or the highest value if there is no interval, is below 95 %. Its demand is then the median. A
-- service without a cap and without a valid solo counts as not limited: nobody knows whether it could fill the link,
-- so its fair allocation is the equal part.
-- A service is able if it did what it must in at least half of its valid solos.
-- _all_median is the median over all completed trials, also the invalid ones.
with
trial_services as (select * from read_parquet($trial_services)),

caps as (
    select unnest($caps::struct(service varchar, cap_mbps double)[], recursive := true)
),

solos as (
    select * from trial_services where clients = 1
),

valid_solos as (
    select * from solos where valid
),

every_service as (
    select setting, service, 0.95 * min(rate_mbps) as nearly_full_mbps from solos group by setting, service
),

summaries as (
    select
        setting,
        service,
        count(*)::integer as n,
        summary_by_day(wire_rate_mbps, day_of(trial_start_ns)) as wire_rate,
        max(wire_rate_mbps) as wire_rate_highest_mbps,
        2 * count(*) filter (able) >= count(*) as able,
        summary_by_day(throughput_mbps, day_of(trial_start_ns)) as throughput,
        summary_by_day(loss_rate, day_of(trial_start_ns)) as loss_rate,
        summary_by_day(queueing_delay_mean_ms, day_of(trial_start_ns)) as queueing_delay,
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
    select
        setting,
        service,
        case
            when cap_mbps < nearly_full_mbps then 'catalogue'
            when cap_mbps >= nearly_full_mbps then 'capacity'
            when n is null then 'unknown'
            when coalesce(wire_rate.high, wire_rate_highest_mbps) < nearly_full_mbps then 'solos'
            else 'capacity'
        end as demand_from,
        case demand_from when 'catalogue' then cap_mbps when 'solos' then wire_rate.median end as demand_mbps
    from every_service
    left join summaries using (setting, service)
    left join caps using (service)
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
    throughput.median as throughput_median_mbps,
    loss_rate.median as loss_rate_median,
    queueing_delay.median as queueing_delay_median_ms,
    utilization_median,
    coalesce(n_all, 0) as n_all,
    wire_rate_all_median_mbps,
    throughput_all_median_mbps,
    loss_rate_all_median,
    queueing_delay_all_median_ms,
    utilization_all_median,
    able,
    demand_mbps is not null as limited,
    demand_mbps,
    demand_from,
    coalesce(trials, '') as trials,
    throughput.low as throughput_low_mbps,
    throughput.high as throughput_high_mbps,
    loss_rate.low as loss_rate_low,
    loss_rate.high as loss_rate_high,
    queueing_delay.low as queueing_delay_low_ms,
    queueing_delay.high as queueing_delay_high_ms
from limits
left join summaries using (setting, service)
left join completed using (setting, service)
order by setting, service
