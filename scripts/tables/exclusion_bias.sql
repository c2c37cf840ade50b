-- exclusion_bias: whether excluding trials moved what is published of a pair.
-- Grain:      one row per setting, incumbent, contender, instance and rule that excluded at least one trial.
-- Units:      in the names; shares are fractions.
-- Sources:    trial_fairness, validity.
-- Parameters: $beyond (the services judged by what their users see), $tolerances (the precision of every setting).
-- The medians do not depend on the rule: share_kept_median is over the valid trials, share_all_median over all completed
-- ones. There is a warning if the two give other verdicts (`cell_verdict`), or if they are further apart than half of the
-- interval of the kept median. Below six kept trials there is no interval, and the 10 % between a fair share and a losing
-- one take its place. Failed trials have no share: rows of the rule `completed` only count them. A service of $beyond is
-- not judged by a share: it has no rows as incumbent.
with
shares as (
    select * rename (service as incumbent)
    from read_parquet($trial_fairness)
    where instance <> 'further' and not list_contains($beyond::varchar[], service)
),

tolerances as (
    select unnest($tolerances::struct(setting varchar, tolerance_mbps double)[], recursive := true)
),

cells as (
    select
        setting,
        pair,
        incumbent,
        contender,
        instance,
        summary(case when valid then share end) as kept,
        summary(share) as every,
        count(*) filter (valid)::integer as n_kept,
        tolerance_mbps / nullif(quantile_cont(allocation_mbps, 0.5), 0) as tolerance
    from shares
    inner join tolerances using (setting)
    group by setting, pair, incumbent, contender, instance, tolerance_mbps
),

excluded as (
    select setting, pair, rule, count(*)::integer as n_excluded
    from read_parquet($validity)
    where not valid and class = 'testbed'
    group by setting, pair, rule
),

judged as (
    select
        * exclude (kept, every),
        kept.median as share_kept_median,
        every.median as share_all_median,
        share_kept_median - share_all_median as difference,
        has_verdict(incumbent, contender, $beyond) as judged,
        case when judged then cell_verdict(kept) else 'undecided' end as verdict_kept,
        case when judged then cell_verdict(every) else 'undecided' end as verdict_all,
        coalesce((kept.high - kept.low) / 2, 1 - getvariable('losing_below')) as warns_beyond
    from cells
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
    difference,
    tolerance,
    rule <> 'completed' and (verdict_kept <> verdict_all or coalesce(abs(difference) > warns_beyond, false)) as warns,
    verdict_kept,
    verdict_all,
    warns_beyond
from excluded
inner join judged using (setting, pair)
order by setting, pair, incumbent, contender, instance, rule
