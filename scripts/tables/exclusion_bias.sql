-- exclusion_bias: whether excluding trials moved what is published of a pair.
-- Grain:      one row per setting, incumbent, contender, instance and rule that excluded at least one completed trial.
-- Units:      in the names; shares are fractions.
-- Sources:    trial_fairness, validity.
-- Parameters: $beyond (the services judged by what their users see), $tolerances (the precision of every setting).
-- The medians do not depend on the rule: share_kept_median is over the valid trials, share_all_median over all completed
-- ones. The tolerance is the precision in Mbps that the setting asks for, as a share. Failed trials have no share, and a
-- service of $beyond is not judged by one: it has no rows as incumbent.
with
shares as (
    select * rename (service as incumbent)
    from read_parquet($trial_fairness)
    where instance <> 'further' and not list_contains($beyond::varchar[], service)
),

broken as (
    select setting, pair, trial, rule
    from read_parquet($validity)
    where not valid and class = 'testbed'
),

tolerances as (
    select unnest($tolerances::struct(setting varchar, tolerance_mbps double)[], recursive := true)
),

excluded as (
    select setting, pair, incumbent, contender, instance, rule, count(*)::integer as n_excluded
    from shares
    inner join broken using (setting, pair, trial)
    group by all
),

medians as (
    select
        setting,
        pair,
        incumbent,
        contender,
        instance,
        count(*) filter (valid)::integer as n_kept,
        quantile_cont(share, 0.5) filter (valid) as share_kept_median,
        quantile_cont(share, 0.5) as share_all_median,
        tolerance_mbps / nullif(quantile_cont(allocation_mbps, 0.5), 0) as tolerance
    from shares
    inner join tolerances using (setting)
    group by setting, pair, incumbent, contender, instance, tolerance_mbps
)

select
    setting,
    pair,
    incumbent,
    contender,
    instance,
    rule,
    n_excluded,
    n_kept,
    share_kept_median,
    share_all_median,
    share_kept_median - share_all_median as difference,
    tolerance,
    coalesce(abs(difference) > tolerance, false) as warns
from excluded
inner join medians using (setting, pair, incumbent, contender, instance)
order by setting, pair, incumbent, contender, instance, rule
