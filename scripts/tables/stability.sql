-- stability: how far the trials of one cell differ.
-- Grain:      one row per setting, incumbent and contender with a valid trial; two per self-pair: the worse-off and
--             the better-off instance of each trial.
-- Units:      Mbps, as IP throughput of the incumbent.
-- Sources:    trial_services.
-- Parameters: $tolerances (precision_mbps of every setting), $beyond (the services judged by what their users see:
--             trials with one of them do not count).
-- Prudentia, 3.4 and Observation 15: a cell is unstable if the 95 % interval of its median reaches further from the
-- median than its setting allows (the paper: 0.5 Mbps at 8 Mbps, 1.5 Mbps at 50 Mbps). Below six trials there is no
-- interval, and `unstable` is null. The interval of a median cannot show a second mode: outcomes that are sometimes
-- harmful and sometimes not. The largest gap between neighbouring trials does. It counts only if at least two trials
-- and 10 % of them are on each side of it, so that a single outlier is no mode. A cell is bimodal if that gap is wider
-- than the setting's precision; trials of one mode that spread far can leave such a gap too. Below four trials there is
-- none, and `bimodal` is null. Of ten trials, a mode that only one of them reached is seen in range_mbps alone.
with
trial_services as (select * from read_parquet($trial_services)),

tolerances as (
    select unnest($tolerances::struct(setting varchar, tolerance_mbps double)[], recursive := true)
),

incumbents as (
    select *, service as incumbent
    from trial_services
    where
        clients > 1 and valid and instance <> 'further'
        and not list_has_any($beyond::varchar[], services_of(service, contender))
),

-- Every trial with the distance to the next higher one, and how many trials are on each side of that gap.
steps as (
    select
        *,
        lead(throughput_mbps) over cell - throughput_mbps as gap_mbps,
        row_number() over cell as below,
        count(*) over (partition by setting, incumbent, contender, instance) - row_number() over cell as above
    from incumbents
    window cell as (partition by setting, incumbent, contender, instance order by throughput_mbps)
),

summaries as (
    select
        setting,
        any_value(pair) as pair,
        incumbent,
        contender,
        instance,
        count(*)::integer as n,
        summary(throughput_mbps) as throughput_mbps,
        min(throughput_mbps) as lowest_mbps,
        max(throughput_mbps) as highest_mbps,
        max(gap_mbps) filter (least(below, above) >= greatest(2, 0.1 * (below + above))) as largest_gap_mbps
    from steps
    group by setting, incumbent, contender, instance
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
    instance,
    n,
    lowest_mbps,
    throughput_mbps.q25 as q25_mbps,
    throughput_mbps.median as median_mbps,
    throughput_mbps.q75 as q75_mbps,
    highest_mbps,
    highest_mbps - lowest_mbps as range_mbps,
    throughput_mbps.q75 - throughput_mbps.q25 as iqr_mbps,
    throughput_mbps.low as low_mbps,
    throughput_mbps.high as high_mbps,
    half_width_mbps,
    tolerance_mbps,
    half_width_mbps > tolerance_mbps as unstable,
    largest_gap_mbps,
    largest_gap_mbps / tolerance_mbps as gap_in_precision,
    gap_in_precision > 1 as bimodal
from intervals
left join tolerances using (setting)
order by setting, incumbent, contender, instance
