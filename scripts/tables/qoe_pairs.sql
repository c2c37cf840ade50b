-- qoe_pairs: the quality that users of a service see, alone and against every contender, over the valid trials.
-- Grain:   one row per setting, service, contender (empty: alone), instance and metric, also if no trial is valid
--          (n = 0).
-- Units:   in the name of the metric.
-- Sources: trial_services, qoe_video, qoe_rtc, qoe_web.
-- A trial gives one value. For a page it is the median of the trial's loads: the loads of a trial share its start, so
-- they are not independent, and an interval over loads would be too narrow. Of a service with several clients, the
-- first client counts. A self-pair has a row for its worse-off and one for its better-off instance. video_bitrate_kbps
-- is the mean over a trial's time, rtc_height the height held longest.
--
-- A time that had not ended when the trial stopped waiting for it is censored: its value is a lower bound. All figures
-- are the order statistics of the values, with lower bounds taken as they are. Let c be the smallest censored value. A
-- figure up to the largest value below c is exact: what is smaller than c is known, and every censored time is at least
-- c, so none of them can move in front. A figure above that value is a lower bound: it depends on a value of at least
-- c, and no true time is smaller than its lower bound. A quartile or median may lie between the two, because it is
-- interpolated. at_least is c or the smallest of these. If all limits are equal, this is the Kaplan-Meier estimate;
-- otherwise that one may know more. The interval keeps its confidence: its low end is at most the true order
-- statistic, and an exact high end is the true one. A high end that is a lower bound says that the interval is open.
with
measured as (
    select
        setting,
        pair,
        trial,
        client,
        service,
        contender,
        valid,
        unnest([
            {metric: 'video_bitrate_kbps', value: mean_bitrate_kbps, censored: false},
            {metric: 'video_stalled_s', value: stalled_s, censored: false},
            {metric: 'video_startup_s', value: startup_s, censored: startup_censored}
        ], recursive := true)
    from read_parquet($qoe_video)

    union all by name

    select
        setting,
        pair,
        trial,
        client,
        service,
        contender,
        valid,
        false as censored,
        unnest([
            {metric: 'rtc_height', value: held_height::double},
            {metric: 'rtc_frames_per_s', value: frames_per_s},
            {metric: 'rtc_freezes_per_minute', value: freezes_per_minute},
            {metric: 'rtc_high_delay_fraction', value: high_delay_fraction}
        ], recursive := true)
    from read_parquet($qoe_rtc)

    union all by name

    select
        setting,
        pair,
        trial,
        client,
        service,
        contender,
        valid,
        censored,
        unnest([
            {metric: 'web_visually_complete_s', value: visually_complete_s},
            {metric: 'web_speed_index_s', value: speed_index_s}
        ], recursive := true)
    from read_parquet($qoe_web)
),

instances as (
    select setting, pair, trial, client, instance
    from read_parquet($trial_services)
    where instance <> 'further'
),

in_trials as (
    select
        *,
        min(value) filter (censored) over (partition by setting, pair, trial, client, metric) as smallest_censored
    from measured
    inner join instances using (setting, pair, trial, client)
),

trial_medians as (
    select
        setting,
        trial,
        service,
        contender,
        instance,
        metric,
        valid,
        median(value) as value,
        any_value(smallest_censored) is not null
        and median(value) > largest_exact_of(value, smallest_censored) as censored
    from in_trials
    group by setting, pair, trial, client, service, contender, instance, metric, valid
),

in_cells as (
    select
        *,
        min(value) filter (valid and censored)
            over (partition by setting, service, contender, instance, metric) as smallest_censored
    from trial_medians
),

summaries as (
    select
        setting,
        service,
        contender,
        instance,
        metric,
        count(value) filter (valid)::integer as n,
        count(value) filter (valid and censored)::integer as censored,
        summary(case when valid then value end) as value,
        any_value(smallest_censored) as smallest_censored,
        largest_exact_of(case when valid then value end, smallest_censored) as largest_exact,
        list_sort(list_distinct(list(trial) filter (valid))) as trials
    from in_cells
    group by setting, service, contender, instance, metric
)

select
    setting,
    service,
    contender,
    instance,
    metric,
    n,
    value.median as median,
    value.q25 as q1,
    value.q75 as q3,
    value.low as low,
    value.high as high,
    censored,
    lower_bounds_from([value.q25, value.median, value.q75], smallest_censored, largest_exact) as at_least,
    coalesce(array_to_string(trials, ','), '') as trials
from summaries
order by setting, service, contender, instance desc, metric
