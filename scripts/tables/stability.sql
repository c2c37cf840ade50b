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
-- harmful and sometimes not. The largest gap between neighbouring trials does. It counts only if at least 10 % of the
-- trials are on each side of it: of ten trials one. A cell is bimodal if that gap is wider than the setting's precision.
-- Trials of one mode that spread far can leave such a gap too. Below six trials `bimodal` is null, as every verdict.
-- Trials of one day or of one host may be alike. between_days_mbps and between_hosts_mbps are the standard deviations of
-- days and of hosts beyond the scatter of trials within them, by a one-way analysis of variance each
-- (scripts.metrics.statistics.spread_between). between_trials_mbps is that scatter within a day. Days are those of UTC. From
-- five days on the interval is by days, as in figures. trials_close counts the valid trials that began less than an hour
-- after another trial of the cell: with trials of ten minutes, fewer than five trials of other cells lie between them.
with
trial_services as (select * from read_parquet($trial_services)),

tolerances as (
    select unnest($tolerances::struct(setting varchar, tolerance_mbps double)[], recursive := true)
),

begun as (
    select
        setting,
        pair,
        trial,
        min(trial_start_ns) as start_ns,
        start_ns - lag(start_ns) over (partition by setting, pair order by start_ns, trial) < 3_600_000_000_000 as close
    from trial_services
    group by setting, pair, trial
),

incumbents as (
    select trial_services.*, service as incumbent, day_of(start_ns) as day, coalesce(close, false) as close
    from trial_services
    inner join begun using (setting, pair, trial)
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
        summary_by_day(throughput_mbps, day) as throughput_mbps,
        min(throughput_mbps) as lowest_mbps,
        max(throughput_mbps) as highest_mbps,
        case
            when count(*) >= 6 then max(gap_mbps) filter (least(below, above) >= 0.1 * (below + above))
        end as largest_gap_mbps,
        case when count(day) = count(*) then count(distinct day)::integer end as days,
        case when count(host) = count(*) then count(distinct host)::integer end as hosts,
        case when days > 0 then count(*) filter (close)::integer end as trials_close,
        list(throughput_mbps order by trial) as in_order_mbps,
        list(day::varchar order by trial) as days_in_order,
        list(host order by trial) as hosts_in_order
    from steps
    group by setting, incumbent, contender, instance
),

spreads as (
    select
        *,
        case when days > 0 then spread_between(in_order_mbps, days_in_order) end as of_days,
        case when hosts > 0 then spread_between(in_order_mbps, hosts_in_order) end as of_hosts
    from summaries
),

intervals as (
    select
        *,
        greatest(throughput_mbps.high - throughput_mbps.median, throughput_mbps.median - throughput_mbps.low)
            as half_width_mbps
    from spreads
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
    gap_in_precision > 1 as bimodal,
    days,
    hosts,
    trials_close,
    nullif(of_days[2], 'nan'::double) as between_trials_mbps,
    nullif(of_days[1], 'nan'::double) as between_days_mbps,
    nullif(of_hosts[1], 'nan'::double) as between_hosts_mbps
from intervals
left join tolerances using (setting)
order by setting, incumbent, contender, instance
