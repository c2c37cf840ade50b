-- threshold_sensitivity: what half and twice the threshold of every rule of validity would change.
-- Grain:      one row per rule of class testbed with a threshold above 0 that judged a trial, and factor.
-- Units:      threshold in the unit of the rule; shares are fractions.
-- Sources:    validity, trial_fairness.
-- Parameters: $beyond (the services judged by what their users see).
-- Each row changes one threshold; all others stay. The trials are those that were measured: with other thresholds the
-- planner would have measured others. Shares are the published ones, so the demands of the services alone stay too.
-- Verdicts are those of `cell_verdict`.
with
rules as (
    select * from read_parquet($validity) where class = 'testbed'
),

-- By how many rules each trial is excluded.
broken as (
    select setting, pair, trial, count(*) filter (not valid) as rules_broken from rules group by setting, pair, trial
),

judged as (
    select
        setting,
        pair,
        trial,
        rule,
        factor,
        factor * threshold as threshold,
        rules_broken = 0 as valid,
        not coalesce(figure <= factor * threshold, false) as breaks,
        rules_broken - (not rules.valid)::int + breaks::int = 0 as valid_then
    from rules
    inner join broken using (setting, pair, trial)
    cross join (select unnest([0.5, 2]::double[]) as factor)
    where rules.threshold > 0
),

counts as (
    select
        rule,
        factor,
        threshold,
        count(*)::integer as n_judged,
        count(*) filter (breaks)::integer as n_excluded,
        count(*) filter (valid and not valid_then)::integer as n_lost,
        count(*) filter (valid_then and not valid)::integer as n_gained
    from judged
    group by rule, factor, threshold
),

shares as (
    select setting, pair, trial, service as incumbent, contender, instance, valid, share
    from read_parquet($trial_fairness)
    where instance <> 'further' and not list_contains($beyond::varchar[], service)
),

changed as (
    select distinct rule, factor, setting, pair from judged where valid <> valid_then
),

-- Only the cells of pairs of which a trial changes.
cells as (
    select
        rule,
        factor,
        setting,
        incumbent,
        contender,
        instance,
        summary(case when shares.valid then share end) as shares_now,
        summary(case when coalesce(valid_then, shares.valid) then share end) as shares_then
    from changed
    inner join shares using (setting, pair)
    left join judged using (rule, factor, setting, pair, trial)
    group by all
),

compared as (
    select
        *,
        concat_ws('/', setting, incumbent, contender, case when instance <> 'first' then instance end) as cell,
        has_verdict(incumbent, contender, $beyond)
            and cell_verdict(shares_now) <> cell_verdict(shares_then) as differs,
        abs(shares_then.median - shares_now.median) as change
    from cells
),

changes as (
    select
        rule,
        factor,
        count(*) filter (differs)::integer as cells_changed,
        string_agg(cell, ',' order by cell) filter (differs) as cells,
        max(change) as largest_change,
        min(cell) filter (change = largest) as largest_cell
    from (select *, max(change) over (partition by rule, factor) as largest from compared)
    group by rule, factor
)

select
    rule,
    factor,
    threshold,
    n_judged,
    n_excluded,
    n_lost,
    n_gained,
    coalesce(cells_changed, 0) as cells_changed,
    coalesce(cells, '') as cells,
    largest_change,
    largest_cell
from counts
left join changes using (rule, factor)
order by rule, factor
