-- qoe_pairs: the quality that users of a service see, alone and against every contender, over the valid trials.
-- Grain:   one row per setting, service, contender (empty: alone) and metric, also if no trial is valid (n = 0).
-- Units:   in the name of the metric.
-- Sources: trial_services, qoe_video, qoe_rtc, qoe_web.
-- A trial gives one value; a trial of a page gives one value per load. Every load is a data point, also the first,
-- because each has a new browser (Prudentia, 5.2). The interval of a page's median treats its loads as independent. A
-- service that has several clients in a trial gives the values of the representative client. video_bitrate_kbps is
-- the mean over a trial's time, rtc_height the height held longest.
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
            {metric: 'video_bitrate_kbps', value: mean_bitrate_kbps},
            {metric: 'video_stalled_s', value: stalled_s}
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
        unnest([
            {metric: 'web_visually_complete_s', value: visually_complete_s},
            {metric: 'web_speed_index_s', value: speed_index_s}
        ], recursive := true)
    from read_parquet($qoe_web)
),

representatives as (
    select setting, pair, trial, client from read_parquet($trial_services) where representative
),

summaries as (
    select
        setting,
        service,
        contender,
        metric,
        count(value) filter (valid)::integer as n,
        summary(case when valid then value end) as value,
        list_sort(list_distinct(list(trial) filter (valid))) as trials
    from measured
    inner join representatives using (setting, pair, trial, client)
    group by setting, service, contender, metric
)

select
    setting,
    service,
    contender,
    metric,
    n,
    value.median as median,
    value.q25 as q1,
    value.q75 as q3,
    value.low as low,
    value.high as high,
    coalesce(array_to_string(trials, ','), '') as trials
from summaries
order by setting, service, contender, metric
