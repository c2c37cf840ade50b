-- How long the generated flows of a service took in a trial, by size.
-- Sources:    trial_completions, srpt, trial_services.
-- Parameters: $size_classes (every class of sizes with its limits in bytes).
-- A trial gives one value of each statistic: the flows of a trial share its queue, so they are not independent, and an
-- interval over flows would be too narrow. The macro generated_flows says which flows and groups count. The value of a
-- censored flow is a lower bound.
with
flows as (
    select
        *,
        min(value) filter (censored) over (
            partition by setting, pair, trial, service, contender, instance, subject, size_class, metric
        ) as smallest_censored
    from generated_flows($trial_completions, $srpt, $trial_services, $size_classes)
)

select
    setting,
    pair,
    trial,
    service,
    contender,
    instance,
    subject,
    size_class,
    metric,
    unnest(
        flow_statistics(value, largest_exact_of(value, smallest_censored), bool_or(censored)), recursive := true
    )
from flows
group by setting, pair, trial, service, contender, instance, subject, size_class, metric, smallest_censored
