-- stability: how far the trials of one cell differ.
-- Grain:      one row per setting, incumbent and contender with a valid trial.
-- Units:      Mbps, as IP throughput of the incumbent.
-- Sources:    trial_services.
-- Parameters: $tolerances (precision_mbps of every setting), $beyond (the services judged by what their users see:
--             trials with one of them do not count).
-- Prudentia, 3.4 and Observation 15: a cell is unstable if the 95 % interval of its median reaches further from the
-- median than its setting allows (the paper: 0.5 Mbps at 8 Mbps, 1.5 Mbps at 50 Mbps). Below six trials there is no
-- interval, and `unstable` is null. A self-pair gives one value per trial: that of the representative client.
with
trial_services as (select * from read_parquet($trial_services)),

tolerances as (
    select unnest($tolerances::struct(setting varchar, tolerance_mbps double)[], recursive := true)
),

incumbents as (
    select *
    from trial_services
    where
        clients > 1 and valid and representative
        and not list_has_any($beyond::varchar[], services_of(service, contender))
),

summaries as (
    select
        setting,
        any_value(pair) as pair,
        service as incumbent,
        contender,
        count(*)::integer as n,
        summary(throughput_mbps) as throughput_mbps,
        min(throughput_mbps) as lowest_mbps,
        max(throughput_mbps) as highest_mbps
    from incumbents
    group by setting, service, contender
),

intervals as (
    select
        *,
        greatest(throughput_mbps.high - throughput_mbps.median, throughput_mbps.median - throughput_mbps.low)
            as half_width_mbps
    from summaries
)

select
    setting,
    pair,
    incumbent,
    contender,
    n,
    lowest_mbps,
    throughput_mbps.q25 as q25_mbps,
    throughput_mbps.median as median_mbps,
    throughput_mbps.q75 as q75_mbps,
    highest_mbps,
    throughput_mbps.q75 - throughput_mbps.q25 as iqr_mbps,
    throughput_mbps.low as low_mbps,
    throughput_mbps.high as high_mbps,
    half_width_mbps,
    tolerance_mbps,
    half_width_mbps > tolerance_mbps as unstable
from intervals
left join tolerances using (setting)
order by setting, incumbent, contender
