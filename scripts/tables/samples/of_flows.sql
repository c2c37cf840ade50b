-- How long the generated flows of a service took in a trial, by size.
-- Sources:    trial_completions, srpt, trial_services.
-- Parameters: $size_classes (every class of sizes with its limits in bytes).
-- A trial gives one value of each statistic: the flows of a trial share its queue, so they are not independent, and an
-- interval over flows would be too narrow. The macro generated_flows says which flows and groups count.
select
    setting,
    pair,
    sample as trial,
    service,
    contender,
    instance,
    subject,
    size_class,
    metric,
    statistic,
    value,
    lower_bound
from generated_flows($trial_completions, $srpt, $trial_services, $size_classes)
where sample > 0
