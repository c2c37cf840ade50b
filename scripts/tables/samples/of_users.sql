-- The quality that users of a service see.
-- Sources: trial_services, qoe_video, qoe_rtc, qoe_web.
-- A trial gives one value. For a page it is the median of the trial's loads: the loads of a trial share its start, so
-- they are not independent, and an interval over loads would be too narrow. Of a service with several clients, the
-- first client counts. A self-pair has a row for its worse-off and one for its better-off instance. video_bitrate_kbps
-- is the mean over a trial's time, rtc_height the height held longest.
with
measured as (
    select
        setting,
        pair,
        trial,
        client,
        service,
        contender,
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
)

select
    setting,
    pair,
    trial,
    service,
    contender,
    instance,
    metric,
    median(value) as value,
    any_value(smallest_censored) is not null
    and median(value) > largest_exact_of(value, smallest_censored) as lower_bound
from in_trials
group by setting, pair, trial, client, service, contender, instance, metric
