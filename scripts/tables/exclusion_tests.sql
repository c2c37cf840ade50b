-- exclusion_tests: whether the trials that a rule excluded differ in one direction from those that were kept.
-- Grain:   one row per rule that excluded at least one trial of a pair.
-- Units:   in the names.
-- Sources: exclusion_bias, trial_fairness, validity.
-- One test a rule over all pairs of the cycle (`pooled_sign_p` in scripts/metrics/pooled_signs.py), corrected over the rules
-- (Holm 1979). A pair counts by its side that got less: below means that the excluded trials were the worse ones for that
-- side, so that the pair looks fairer without them. That side and the median are those of the trials that were kept or
-- excluded by the rule, all together. They do not depend on which of these were excluded, so the test is exact.
-- Failed trials have no share, and the row of the rule `completed` only counts them.
with
bias as (select * from read_parquet($exclusion_bias)),

broken as (
    select setting, pair, trial, rule
    from read_parquet($validity)
    where not valid and class = 'testbed' and rule <> 'completed'
),

shares as (
    select * rename (service as incumbent) from read_parquet($trial_fairness) where share is not null
),

-- The trials that were kept or excluded by a rule, for each cell of a pair of which it excluded some.
compared as (
    select setting, pair, incumbent, contender, instance, bias.rule, share, broken.trial is not null as excluded
    from shares
    inner join bias using (setting, pair, incumbent, contender, instance)
    left join broken
        on broken.setting = shares.setting and broken.pair = shares.pair and broken.trial = shares.trial
            and broken.rule = bias.rule
    where bias.rule <> 'completed' and (shares.valid or broken.trial is not null)
),

cells as (
    select setting, pair, incumbent, instance, rule, quantile_cont(share, 0.5) as median
    from compared
    group by all
),

-- The side of a pair that got less.
sides as (
    select setting, pair, rule, arg_min({incumbent: incumbent, instance: instance, median: median}, median) as side
    from (select * from cells order by setting, pair, rule, incumbent, instance)
    group by setting, pair, rule
),

pairs as (
    select
        setting,
        pair,
        rule,
        count(*) filter (share < side.median) as trials_below,
        count(*) filter (share > side.median) as trials_above,
        count(*) filter (excluded and share <> side.median) as excluded,
        count(*) filter (excluded and share > side.median) as excluded_above
    from compared
    inner join sides using (setting, pair, rule)
    where compared.incumbent = side.incumbent and compared.instance = side.instance
    group by setting, pair, rule
),

tested as (
    select
        rule,
        count(*)::integer as pairs,
        sum(excluded - excluded_above)::integer as below,
        sum(excluded_above)::integer as above,
        sum(excluded * trials_above / (trials_below + trials_above)) as expected_above,
        pooled_sign_p(
            list(trials_below order by setting, pair),
            list(trials_above order by setting, pair),
            list(excluded order by setting, pair),
            list(excluded_above order by setting, pair)
        ) as p
    from pairs
    where excluded > 0
    group by rule
),

corrected as (
    select unnest(list(rule order by rule)) as rule, unnest(holm(list(p order by rule))) as p_corrected from tested
),

counted as (
    select rule, sum(n_excluded)::integer as n_excluded
    from (select distinct setting, pair, rule, n_excluded from bias)
    group by rule
)

select
    rule,
    n_excluded,
    coalesce(pairs, 0) as pairs,
    coalesce(below, 0) as below,
    coalesce(above, 0) as above,
    p,
    p_corrected,
    case
        when p_corrected >= 0.05 or p_corrected is null then 'undecided'
        when above > expected_above then 'above'
        else 'below'
    end as direction
from counted
left join tested using (rule)
left join corrected using (rule)
order by rule
