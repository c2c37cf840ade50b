-- changes: what every incumbent got against every contender, compared with the previous cycle.
-- Grain:      one row per setting, incumbent and contender with a valid trial in both cycles; one per self-pair, that
--             of the worse-off instance.
-- Units:      Mbps, as IP throughput; p and superiority are probabilities.
-- Sources:    trial_services of this cycle and of the previous one.
-- Parameters: $beyond (the services judged by what their users see: they are no incumbents here), $controls (the
--             baselines).
-- Prudentia, Fig. 9. p is that of the two-sided rank-sum test, exact also with ties (scripts/metrics/rank_sum.py).
-- The cells are two families. In the family control, all services are baselines. These do not change by themselves:
-- if one of them changed, the testbed did. p_corrected is p after Holm's correction over the pairs of the family. The two
-- rows of a pair are one comparison: on a full link, what one service gets the other lacks. So tested counts pairs
-- (holm_of_groups in scripts/metrics/multiple_tests.py). A cell changed if p_corrected is below 0.05. That a cell did not
-- change does not show that it is as before: the table service_changes tells that. superiority is the size of the effect:
-- the probability that a trial of this cycle got more than a trial of the previous one; 0.5 means no difference. Three
-- columns tell what could have been found. smallest_p is p_corrected of two cycles whose trials lie wholly apart. A change
-- was detectable if that is below 0.05. smallest_shift_mbps is the effect above which this cell alone would have been
-- called a change: with both cycles at the same median, all trials of one are shifted up and down (p times tested below
-- 0.05).
with
clients as (
    select *, 'after' as cycle from read_parquet($trial_services)
    union all by name
    select *, 'before' as cycle from read_parquet($earlier_trial_services)
),

trials as (
    select *
    from clients
    where
        clients > 1 and valid and instance in ('first', 'worse_off')
        and not list_contains($beyond::varchar[], service)
),

cells as (
    select
        setting,
        any_value(pair) as pair,
        service as incumbent,
        contender,
        instance,
        list_has_all($controls::varchar[], services_of(service, contender)) as control,
        list(throughput_mbps order by throughput_mbps) filter (cycle = 'before') as before,
        list(throughput_mbps order by throughput_mbps) filter (cycle = 'after') as after
    from trials
    group by setting, service, contender, instance
    having count(*) filter (cycle = 'before') > 0 and count(*) filter (cycle = 'after') > 0
),

tests as (
    select
        *,
        case when control then 'control' else 'services' end as family,
        rank_sum_p(before, after) as p,
        count(distinct setting || ' ' || pair) over (partition by control) as tested,
        row_number() over (partition by control order by setting, incumbent, contender) as place
    from cells
),

corrections as (
    select
        family,
        holm_of_groups(list(p order by place), list(setting || ' ' || pair order by place)) as p_corrected
    from tests
    group by family
),

corrected as (
    select
        tests.* exclude (p),
        p,
        p_corrected[place] as p_corrected,
        list_median(before) as before_median_mbps,
        list_median(after) as after_median_mbps,
        least(1, tested * smallest_p(len(before)::integer, len(after)::integer)) as smallest_p
    from tests
    inner join corrections using (family)
)

select
    setting,
    pair,
    incumbent,
    contender,
    instance,
    control,
    family,
    tested::integer as tested,
    len(before)::integer as before_n,
    before_median_mbps,
    len(after)::integer as after_n,
    after_median_mbps,
    after_median_mbps - before_median_mbps as difference_mbps,
    after_median_mbps / nullif(before_median_mbps, 0) - 1 as relative_difference,
    superiority(before, after) as superiority,
    p,
    p_corrected,
    p_corrected < 0.05 as changed,
    smallest_p,
    smallest_p < 0.05 as detectable,
    nullif(smallest_shift(before, after, 0.05 / tested), 'nan'::double) as smallest_shift_mbps
from corrected
order by setting, incumbent, contender
