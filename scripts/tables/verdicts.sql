-- verdicts: whether the two services of a pair got different shares: one test a pair, one family a setting.
-- Grain:      one row per setting and pair of two different services that is a cell of the matrix.
-- Units:      shares and their differences are fractions of the max-min fair allocation.
-- Sources:    trial_fairness, solo.
-- Parameters: $beyond (the services judged by what their users see; their pairs are no cells), $families (how many pairs
--             the campaign compares in every setting).
-- A valid trial gives one value: the share of the first service of the pair minus that of the second one. p is that of
-- the exact two-sided signed-rank test of these differences (scripts/metrics/signed_rank.py). The two cells of a pair are
-- mirror images, so they are one test, and p_adjusted is that of Benjamini and Hochberg (1995) over all pairs of the
-- setting. A pair without a test yet counts as p = 1, and so does a pair with a service that is unable alone.
-- An exact rank test has a floor: the smallest p of n trials is 2^(1 - n). The smallest of m p values is a discovery only
-- from 5 % / m down, so one discovery needs n >= log2(40 m) trials: 7, 10 and 12 for 3, 15 and 66 pairs (reachable).
-- Pairs that differ together need fewer. scatter is what the trials of one pair differ by chance: half of them have a
-- difference that is further than this from the median one.
-- pairs has the verdicts that follow.
with
clients as (
    select setting, pair, trial, service, contender, valid, share
    from read_parquet($trial_fairness)
    where
        service <> contender and is_cell(contender, $beyond) and not list_contains($beyond::varchar[], service)
),

unable as (
    select setting, list(service) as services from read_parquet($solo) where not able group by setting
),

trials as (
    select
        setting,
        pair,
        one.service,
        one.contender,
        case when valid then one.share - other.share end as difference
    from clients as one
    inner join clients as other using (setting, pair, trial, valid)
    where one.service < other.service
),

differences as (
    select
        setting,
        pair,
        any_value(service) as service,
        any_value(contender) as contender,
        summary(difference) as difference,
        list(difference order by difference) filter (where difference is not null) as sample
    from trials
    group by setting, pair
),

tested as (
    select
        *,
        case
            when difference.n > 0 and not coalesce(list_has_any(services, [service, contender]), false)
                then signed_rank_p(sample)
        end as p
    from differences
    left join unable using (setting)
),

planned as (
    select unnest($families::struct(setting varchar, planned integer)[], recursive := true)
),

families as (
    select setting, greatest(count(*), coalesce(any_value(planned), 0))::integer as pairs
    from tested
    left join planned using (setting)
    group by setting
),

adjusted as (
    select setting, unnest(in_order) as pair, unnest(benjamini_hochberg(p_in_order, pairs)) as p_adjusted
    from (
        select setting, list(pair order by pair) as in_order, list(p order by pair) as p_in_order
        from tested
        where p is not null
        group by setting
    )
    inner join families using (setting)
)

select
    setting,
    pair,
    service,
    contender,
    difference.n as n,
    difference.median as difference_median,
    difference.low as difference_low,
    difference.high as difference_high,
    list_median(list_transform(sample, lambda one: abs(one - difference.median))) as scatter,
    p,
    pairs,
    p_adjusted,
    case when difference.n > 0 then smallest_signed_rank_p(difference.n) end as smallest_p,
    coalesce(smallest_p <= getvariable('level') / pairs, false) as reachable
from tested
inner join families using (setting)
left join adjusted using (setting, pair)
order by setting, pair
