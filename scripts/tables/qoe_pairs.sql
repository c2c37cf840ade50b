-- qoe_pairs: the quality that users of a service see, alone and against every contender, over the valid trials.
-- Grain:   one row per setting, service, contender (empty: alone), instance and metric, also if no trial is valid
--          (n = 0).
-- Units:   in the name of the metric.
-- Sources: figures (scripts/tables/samples/of_users.sql explains the metrics).
select
    setting,
    service,
    contender,
    instance,
    metric,
    n,
    median,
    q25 as q1,
    q75 as q3,
    low,
    high,
    lower_bounds as censored,
    at_least,
    trials
from read_parquet($figures)
where starts_with(metric, 'video_') or starts_with(metric, 'rtc_') or starts_with(metric, 'web_')
order by setting, service, contender, instance desc, metric
