-- models: the throughput models of the slides, beside what was measured.
-- Grain:   one row per setting, pair or service alone, service and metric, also if no trial is valid (n = 0).
-- Units:   link_fraction and its error are fractions of the link; mathis_ratio and padhye_ratio are ratios, and their
--          model is in Mbps; events and packets over the steady windows of all valid trials together.
-- Sources: samples, figures, trial_services (scripts/tables/samples/of_models.sql explains the metrics and the models).
with
models as (
    select
        setting,
        pair,
        service,
        metric,
        metric in ('mathis_ratio', 'padhye_ratio') as is_ratio,
        quantile_cont(model, 0.5) filter (valid) as model_median,
        string_agg(trial, ',' order by trial) filter (valid) as valid_trials,
        min(reason) filter (valid) as reason
    from read_parquet($samples)
    where metric in ('link_fraction', 'link_fraction_error', 'mathis_ratio', 'padhye_ratio')
    group by setting, pair, service, metric
),

trials as (
    select
        setting,
        pair,
        service,
        trial,
        sum(loss_events)::bigint as events,
        sum(arrived_packets)::bigint as packets
    from read_parquet($trial_services)
    where valid
    group by setting, pair, service, trial
    having sum(arrived_packets) > 0 and sum(loss_events) is not null
),

cells as (
    select
        setting,
        pair,
        service,
        true as is_ratio,
        sum(events)::bigint as events,
        sum(packets)::bigint as packets,
        loss_event_rate_interval(list(events order by trial), list(packets order by trial)) as rate_interval
    from trials
    group by setting, pair, service
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
    coalesce(valid_trials, '') as trials,
    reason,
    events,
    packets,
    events / packets as event_rate,
    rate_interval[1] as event_rate_low,
    rate_interval[2] as event_rate_high
from models
inner join read_parquet($figures) using (setting, pair, service, metric)
left join cells using (setting, pair, service, is_ratio)
order by setting, pair, service, metric
