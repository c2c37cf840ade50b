-- findings: the sentences of Prudentia's Observation 1, and those of the rankings, as numbers of this cycle.
-- Grain:   one row a setting and finding; a finding that nothing can be said about has none.
-- Units:   in the column unit; shares are fractions of the max-min fair allocation.
-- Sources: pairs, services, stability, transitivity, $beyond (the config's services that are judged by what their
--          users see).
-- The rows of `source` that make a finding are counted, out of total, and named in `rows` by their keys
-- (incumbent/contender, service, or alpha/beta/gamma) joined by commas. A cell is a row of pairs of two
-- services, none of $beyond, with a valid trial; a self-pair once. It loses below 0.9 and wins above 1.1. The losing service of
-- a pair is the one with the lower share, if that is below 1; a self-pair, of which there is one value, has a
-- loser if that one is below 1.
with
cells as (
    select *, incumbent || '/' || contender as key
    from read_parquet($pairs)
    where
        contender not like '%~%' and share_median is not null
        and not list_contains($beyond::varchar[], contender)
),

losers as (
    select *
    from cells
    where share_median < 1
    qualify row_number() over (partition by setting, pair order by share_median, incumbent) = 1
),

services as (select *, service as key from read_parquet($services)),

stability as (
    select *, incumbent || '/' || contender as key
    from read_parquet($stability)
    where contender not like '%~%' and unstable is not null
),

triples as (select *, alpha || '/' || beta || '/' || gamma as key from read_parquet($transitivity)),

-- Every row that may make a finding, and whether it does.
candidates as (
    select
        setting,
        key,
        'pairs' as source,
        unnest([
            {finding: 'cells', makes_it: true},
            {finding: 'cells_losing', makes_it: share_median < 0.9},
            {finding: 'cells_winning', makes_it: share_median > 1.1},
            {finding: 'cells_with_interval', makes_it: share_low is not null}
        ], recursive := true)
    from cells

    union all by name

    select
        setting,
        key,
        'pairs' as source,
        unnest([
            {finding: 'losers_median', makes_it: true},
            {finding: 'losers_mean', makes_it: true},
            {finding: 'losers_at_most_90', makes_it: share_median <= 0.9},
            {finding: 'losers_at_most_50', makes_it: share_median <= 0.5}
        ], recursive := true)
    from losers

    union all by name

    select setting, key, 'stability' as source, 'cells_unstable' as finding, unstable as makes_it
    from stability

    union all by name

    select
        setting,
        key,
        'transitivity' as source,
        'triples_not_transitive' as finding,
        not transitive as makes_it
    from triples
),

counts as (
    select
        setting,
        finding,
        source,
        count(*) filter (makes_it) as counted,
        count(*) as total,
        array_to_string(list(key order by key) filter (makes_it), ',') as rows
    from candidates
    group by setting, finding, source
),

typical_losers as (
    select
        setting,
        quantile_cont(share_median, 0.5) as median,
        list_sum(list(share_median order by share_median, key)) / count(*) as mean
    from losers
    group by setting
),

of_counts as (
    select
        counts.*,
        case finding when 'cells' then 'cells' else 'fraction' end as unit,
        case finding
            when 'cells' then counted
            when 'losers_median' then median
            when 'losers_mean' then mean
            else counted / total
        end as value
    from counts
    left join typical_losers using (setting)
),

-- Every figure of which a finding names the lowest, or the highest: the lowest of it times `sign`.
figures as (
    select
        setting,
        key,
        'pairs' as source,
        incumbent,
        contender,
        unnest([
            {finding: 'share_lowest', unit: 'fraction', value: share_median, sign: 1},
            {finding: 'utilization_lowest', unit: 'fraction', value: utilization_median, sign: 1},
            {finding: 'utilization_highest', unit: 'fraction', value: utilization_median, sign: -1},
            {finding: 'loss_rate_highest', unit: 'fraction', value: loss_rate_median, sign: -1},
            {finding: 'queueing_delay_highest', unit: 'ms', value: queueing_delay_ms_median, sign: -1},
            {finding: 'n_smallest', unit: 'trials', value: n::double, sign: 1},
            {finding: 'n_largest', unit: 'trials', value: n::double, sign: -1}
        ], recursive := true)
    from cells

    union all by name

    select
        setting,
        key,
        'services' as source,
        'fraction' as unit,
        unnest([
            {finding: 'most_contentious', contender: service, value: contentiousness, sign: 1},
            {finding: 'least_contentious', contender: service, value: contentiousness, sign: -1}
        ], recursive := true)
    from services

    union all by name

    select
        setting,
        key,
        'services' as source,
        'fraction' as unit,
        unnest([
            {finding: 'most_sensitive', incumbent: service, value: sensitivity, sign: 1},
            {finding: 'least_sensitive', incumbent: service, value: sensitivity, sign: -1}
        ], recursive := true)
    from services
),

of_extremes as (
    select
        * exclude (key, sign),
        1 as counted,
        count(*) over (partition by setting, finding) as total,
        key as rows
    from figures
    where value is not null
    qualify row_number() over (partition by setting, finding order by sign * value, key) = 1
),

findings as (
    select * from of_counts
    union all by name
    select * from of_extremes
)

select
    setting,
    finding,
    value::double as value,
    unit,
    incumbent,
    contender,
    counted::integer as counted,
    total::integer as total,
    source,
    coalesce(rows, '') as rows
from findings
order by setting, finding
