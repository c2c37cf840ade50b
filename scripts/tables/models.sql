-- models: the throughput models of the slides, beside what was measured.
-- Grain:   one row per setting, pair or service alone, service and metric, also if no trial is valid (n = 0).
-- Units:   link_fraction and its error are fractions of the link; mathis_ratio and padhye_ratio are ratios, and their
--          model is in Mbps.
-- Sources: samples, figures (scripts/tables/samples/of_models.sql explains the metrics and the models).
with
models as (
    select
        setting,
        pair,
        service,
        metric,
        quantile_cont(model, 0.5) filter (valid) as model_median,
        string_agg(trial, ',' order by trial) filter (valid) as valid_trials
    from read_parquet($samples)
    where metric in ('link_fraction', 'link_fraction_error', 'mathis_ratio', 'padhye_ratio')
    group by setting, pair, service, metric
)

select
    setting,
    pair,
    service,
    contender,
    instance,
    metric,
    n,
    median,
    q25,
    q75,
    low,
    high,
    model_median,
    coalesce(valid_trials, '') as trials
from models
inner join read_parquet($figures) using (setting, pair, service, metric)
order by setting, pair, service, metric
