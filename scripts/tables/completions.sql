-- completions: how long the generated flows of a service took, by size, over the valid trials.
-- Grain:      one row per setting, service, contender (empty: alone), instance, subject, size class, metric and statistic
--             that any trial has, also if no trial is valid (n = 0).
-- Units:      in the name of the metric; slowdowns are ratios.
-- Sources:    figures, trial_completions, srpt, trial_services.
-- Parameters: $size_classes (every class of sizes with its limits in bytes).
-- The macro generated_flows says which flows and groups count. median, low and high are over the values of the trials
-- (scripts/tables/samples/of_flows.sql). pooled is the statistic over the flows of all valid trials together.
with
pooled as (
    select * exclude (pair)
    from generated_flows($trial_completions, $srpt, $trial_services, $size_classes)
    where sample = 0
)

select
    setting,
    service,
    contender,
    instance,
    subject,
    size_class,
    from_bytes,
    to_bytes,
    metric,
    statistic,
    n,
    coalesce(flows, 0) as flows,
    coalesce(censored, 0) as censored,
    value as pooled,
    coalesce(lower_bound, false) as pooled_at_least,
    median,
    low,
    high,
    at_least,
    trials
from read_parquet($figures)
inner join size_classes_of($size_classes) using (size_class)
left join pooled using (setting, service, contender, instance, subject, size_class, metric, statistic)
where statistic <> ''
order by
    setting,
    service,
    contender,
    list_position(['first', 'second', 'both'], instance),
    subject,
    from_bytes,
    to_bytes nulls first,
    metric,
    statistic
