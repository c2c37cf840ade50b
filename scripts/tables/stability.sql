-- stability: how far the trials of one cell lie apart.
-- Grain:   one row a setting, incumbent and contender, over the valid trials; none without one.
-- Units:   Mbps, as IP throughput of the incumbent.
-- Sources: trial_services, $tolerances (the config's precision_mbps) of $settings, $beyond (the config's services
--          that are judged by what their users see: no trial with one counts here).
-- Prudentia, 3.4 and Observation 15: a cell is unstable if the 95 % interval of its median reaches further
-- from it than the protocol asks of its setting (the paper: 0.5 Mbps at 8 Mbps, 1.5 Mbps at 50 Mbps). Below
-- six trials there is no interval: unstable is null then. A self-pair gives one value a trial, its first
-- client's.
with
trial_services as (select * from read_parquet($trial_services)),

tolerances as (
    select unnest($settings) as setting, unnest($tolerances)::double as tolerance_mbps
),

incumbents as (
    select *
    from trial_services
    where
        clients > 1 and valid
        and not list_has_any($beyond::varchar[], string_split(service || '~' || contender, '~'))
    qualify row_number() over (partition by setting, pair, trial, service order by length(client), client) = 1
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
