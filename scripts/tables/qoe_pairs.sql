-- qoe_pairs: the quality that users of a service see, alone and against every contender, over the valid trials.
-- Grain:   one row a setting, service, contender (empty: alone) and metric, also where no trial is valid (n = 0).
-- Units:   in the metric's name.
-- Sources: qoe_video, qoe_rtc, qoe_web.
-- A trial gives one value, of a page one a load: Prudentia, 5.2 takes every load as a data point, the first too,
-- for each has a new browser. The interval of a page's median takes its loads as independent. A service that
-- stands in a trial more than once gives its first client's values. video_bitrate_kbps is the mean over a
-- trial's time, rtc_height the height held longest.
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

of_services as (
    select *
    from measured
    qualify rank() over (partition by setting, pair, trial, service order by length(client), client) = 1
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
    from of_services
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
