-- findings: the sentences of Prudentia's Observation 1, and those of the rankings, as numbers of this cycle.
-- Grain:   one row a setting and finding; a finding that nothing can be said about has none.
-- Units:   in the column unit; shares are fractions of the max-min fair allocation.
-- Sources: pairs, services, stability, transitivity.
-- The rows of `source` that make a finding are counted, out of total, and named in `rows` by their keys
-- (incumbent/contender, service, or alpha/beta/gamma) joined by commas. A cell is a row of pairs of two
-- services with a valid trial, a self-pair once. It loses below 0.9 and wins above 1.1. The losing service of
-- a pair is the one with the lower share, if that is below 1; a self-pair, of which there is one value, has a
-- loser if that one is below 1.
with
cells as (
    select *, incumbent || '/' || contender as key
    from read_parquet($pairs)
    where contender not like '%~%' and share_median is not null
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

of_cells as (
    select
        setting,
        'cells' as finding,
        'cells' as unit,
        count(*) as value,
        count(*) as counted,
        count(*) as total,
        list(key order by key) as counted_rows
    from cells
    group by setting

    union all by name

    select
        setting,
        'cells_losing' as finding,
        'fraction' as unit,
        count(*) filter (share_median < 0.9) / count(*) as value,
        count(*) filter (share_median < 0.9) as counted,
        count(*) as total,
        list(key order by key) filter (share_median < 0.9) as counted_rows
    from cells
    group by setting

    union all by name

    select
        setting,
        'cells_winning' as finding,
        'fraction' as unit,
        count(*) filter (share_median > 1.1) / count(*) as value,
        count(*) filter (share_median > 1.1) as counted,
        count(*) as total,
        list(key order by key) filter (share_median > 1.1) as counted_rows
    from cells
    group by setting

    union all by name

    select
        setting,
        'cells_with_interval' as finding,
        'fraction' as unit,
        count(*) filter (share_low is not null) / count(*) as value,
        count(*) filter (share_low is not null) as counted,
        count(*) as total,
        list(key order by key) filter (share_low is not null) as counted_rows
    from cells
    group by setting
),

of_losers as (
    select
        setting,
        'losers_median' as finding,
        'fraction' as unit,
        quantile_cont(share_median, 0.5) as value,
        count(*) as counted,
        count(*) as total,
        list(key order by key) as counted_rows
    from losers
    group by setting

    union all by name

    select
        setting,
        'losers_mean' as finding,
        'fraction' as unit,
        list_sum(list(share_median order by share_median, key)) / count(*) as value,
        count(*) as counted,
        count(*) as total,
        list(key order by key) as counted_rows
    from losers
    group by setting

    union all by name

    select
        setting,
        'losers_at_most_90' as finding,
        'fraction' as unit,
        count(*) filter (share_median <= 0.9) / count(*) as value,
        count(*) filter (share_median <= 0.9) as counted,
        count(*) as total,
        list(key order by key) filter (share_median <= 0.9) as counted_rows
    from losers
    group by setting

    union all by name

    select
        setting,
        'losers_at_most_50' as finding,
        'fraction' as unit,
        count(*) filter (share_median <= 0.5) / count(*) as value,
        count(*) filter (share_median <= 0.5) as counted,
        count(*) as total,
        list(key order by key) filter (share_median <= 0.5) as counted_rows
    from losers
    group by setting
),

of_extremes as (
    select
        setting,
        'share_lowest' as finding,
        'fraction' as unit,
        share_median as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        incumbent as incumbent,
        contender as contender
    from cells
    where share_median is not null
    qualify row_number() over (partition by setting order by share_median, key) = 1

    union all by name

    select
        setting,
        'utilization_lowest' as finding,
        'fraction' as unit,
        utilization_median as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        incumbent as incumbent,
        contender as contender
    from cells
    where utilization_median is not null
    qualify row_number() over (partition by setting order by utilization_median, key) = 1

    union all by name

    select
        setting,
        'utilization_highest' as finding,
        'fraction' as unit,
        utilization_median as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        incumbent as incumbent,
        contender as contender
    from cells
    where utilization_median is not null
    qualify row_number() over (partition by setting order by utilization_median desc, key) = 1

    union all by name

    select
        setting,
        'loss_rate_highest' as finding,
        'fraction' as unit,
        loss_rate_median as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        incumbent as incumbent,
        contender as contender
    from cells
    where loss_rate_median is not null
    qualify row_number() over (partition by setting order by loss_rate_median desc, key) = 1

    union all by name

    select
        setting,
        'queueing_delay_highest' as finding,
        'ms' as unit,
        queueing_delay_ms_median as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        incumbent as incumbent,
        contender as contender
    from cells
    where queueing_delay_ms_median is not null
    qualify row_number() over (partition by setting order by queueing_delay_ms_median desc, key) = 1

    union all by name

    select
        setting,
        'n_smallest' as finding,
        'trials' as unit,
        n as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        incumbent as incumbent,
        contender as contender
    from cells
    where n is not null
    qualify row_number() over (partition by setting order by n, key) = 1

    union all by name

    select
        setting,
        'n_largest' as finding,
        'trials' as unit,
        n as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        incumbent as incumbent,
        contender as contender
    from cells
    where n is not null
    qualify row_number() over (partition by setting order by n desc, key) = 1
),

of_services as (
    select
        setting,
        'most_contentious' as finding,
        'fraction' as unit,
        contentiousness as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        null::varchar as incumbent,
        service as contender
    from services
    where contentiousness is not null
    qualify row_number() over (partition by setting order by contentiousness, key) = 1

    union all by name

    select
        setting,
        'least_contentious' as finding,
        'fraction' as unit,
        contentiousness as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        null::varchar as incumbent,
        service as contender
    from services
    where contentiousness is not null
    qualify row_number() over (partition by setting order by contentiousness desc, key) = 1

    union all by name

    select
        setting,
        'most_sensitive' as finding,
        'fraction' as unit,
        sensitivity as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        service as incumbent,
        null::varchar as contender
    from services
    where sensitivity is not null
    qualify row_number() over (partition by setting order by sensitivity, key) = 1

    union all by name

    select
        setting,
        'least_sensitive' as finding,
        'fraction' as unit,
        sensitivity as value,
        1 as counted,
        count(*) over (partition by setting) as total,
        [key] as counted_rows,
        service as incumbent,
        null::varchar as contender
    from services
    where sensitivity is not null
    qualify row_number() over (partition by setting order by sensitivity desc, key) = 1
),

of_stability as (
    select
        setting,
        'cells_unstable' as finding,
        'fraction' as unit,
        count(*) filter (unstable) / count(*) as value,
        count(*) filter (unstable) as counted,
        count(*) as total,
        list(key order by key) filter (unstable) as counted_rows
    from stability
    group by setting
),

of_triples as (
    select
        setting,
        'triples_not_transitive' as finding,
        'fraction' as unit,
        count(*) filter (not transitive) / count(*) as value,
        count(*) filter (not transitive) as counted,
        count(*) as total,
        list(key order by key) filter (not transitive) as counted_rows
    from triples
    group by setting
),

findings as (
    select *, 'pairs' as source from of_cells
    union all by name
    select *, 'pairs' as source from of_losers
    union all by name
    select *, 'pairs' as source from of_extremes
    union all by name
    select *, 'services' as source from of_services
    union all by name
    select *, 'stability' as source from of_stability
    union all by name
    select *, 'transitivity' as source from of_triples
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
    coalesce(array_to_string(counted_rows, ','), '') as rows
from findings
order by setting, finding
