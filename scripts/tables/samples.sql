-- samples: the value of every metric in every trial. figures summarises them.
-- Grain:      one row per trial, service, instance, subject, size class, metric and statistic; null if the metric has no
--             value in the trial.
-- Units:      that of the metric (scripts/figures/catalogue.yaml).
-- Sources:    trial_services, and those of the parts in scripts/tables/samples/.
-- Parameters: those of the parts.
-- Each file of scripts/tables/samples/ has the expressions of metrics that are made from the same tables. Together they
-- are `parts`: setting, pair, trial, service, contender, instance, metric and value, and what only some metrics have.
-- NaN says that the metric has no value by its definition, so that its figure has none (undefined).
-- With three or more clients the contender is the other services, joined by "~".
select
    setting,
    pair,
    trial,
    service,
    contender,
    instance,
    coalesce(subject, 'flow') as subject,
    coalesce(size_class, 'all') as size_class,
    metric,
    coalesce(statistic, '') as statistic,
    case when not isnan(value) then value end as value,
    coalesce(lower_bound, false) as lower_bound,
    coalesce(isnan(value), false) as undefined,
    model,
    valid,
    completed,
    reference_low,
    reference_high,
    reason
from parts
inner join (
    select
        setting,
        pair,
        trial,
        bool_and(valid) as valid,
        coalesce(bool_or(status = 'completed'), false) as completed
    from read_parquet($trial_services)
    group by setting, pair, trial
) as trials using (setting, pair, trial)
order by setting, pair, trial, service, instance, subject, size_class, metric, statistic
