-- findings: the sentences of Prudentia's Observations 1, 4 and 8 and of the rankings, as numbers of this cycle.
-- Grain:      one row per setting and finding; a finding without data has no row.
-- Units:      in the column unit; shares are fractions of the max-min fair allocation.
-- Sources:    pairs, qoe_pairs, stability, transitivity, samples, leads.
-- Parameters: $beyond (the services judged by what their users see), $batches (each download in batches, with every
--             service that has as many flows of the same congestion control without batches).
-- A finding counts rows of the table `source`: `counted` of `total`. The column `rows` lists their keys
-- (incumbent/contender, service, alpha/beta/gamma, or incumbent/batches/flows), joined by commas. A cell is a row of
-- pairs as in cells_of (macros.sql). A self-pair is never judged. A cell of two different services is judged from six
-- trials on: pairs has its verdict. The worse-off service of a judged pair is the one with the lower median share,
-- whatever that is. The paper calls these services losing, and counts those of 90 % or less; here a service loses only by
-- its verdict.
-- Each extreme is the first of the figures of the table leads. may_be_first has the keys of those that cannot be told
-- apart from it: a page names the first alone only if it is the only one.
--
-- Observation 1: self_pair_mean is the paper's mean share of the worse-off instances of self-pairs. It is below 100 % by
-- its definition, because the worse of two instances gets at most half: by chance alone, too.
-- Observation 4: an incumbent has met a download in batches, and as many flows of the same congestion control without
-- batches. It gets less against the batches if the interval of the difference of both median shares, over their trials, is
-- below 0 (scripts/metrics/joint_intervals.py), and more if it is above. Both medians must have an interval.
-- Observation 8: of each page, the contender beside which the median load takes longest, as a multiple of the median
-- alone. Contenders with six trials or more come first, and only these give page_load_longest. The multiple is a lower
-- bound if the median beside the contender is one. There is none if the median alone is a lower bound. Its interval is
-- that of the ratio of both medians, over their trials; it has no high end if that depends on a lower bound.
with
cells as (
    select
        *,
        incumbent || '/' || contender as key,
        share_low is not null as is_measured,
        verdict is not null as is_judged
    from cells_of($pairs, $beyond)
),

judged as (select * from cells where is_judged),

self_pairs as (select * from cells where instance = 'worse_off' and is_measured),

worse_off as (
    select *
    from judged
    qualify row_number() over (partition by setting, pair order by share_median, incumbent) = 1
),

stability as (
    select stability.*, key
    from read_parquet($stability) as stability
    inner join cells using (setting, incumbent, contender, instance)
),

batches as (
    select unnest($batches::struct(contender varchar, counterpart varchar)[], max_depth := 2)
),

-- The values over the valid trials; `most` has infinity for lower bounds.
trials as (
    select
        setting,
        service as incumbent,
        contender,
        metric,
        list(value order by value, lower_bound) as least,
        list(case when lower_bound then 'inf'::double else value end order by value, lower_bound) as most
    from read_parquet($samples)
    where valid and value is not null and instance = 'first' and metric in ('share', 'web_visually_complete_s')
    group by setting, service, contender, metric
),

-- What an incumbent got against a download in batches, and against as many flows without.
beside_batches as (
    select
        batched.setting,
        batched.key || '/' || counterpart as key,
        batched.is_judged and plain.is_judged as is_judged,
        difference_interval(plain_trials.least, batched_trials.least, 0.95) as difference,
        difference[2] < 0 as less,
        difference[1] > 0 as more
    from cells as batched
    inner join batches using (contender)
    inner join cells as plain
        on batched.setting = plain.setting and batched.incumbent = plain.incumbent and counterpart = plain.contender
    left join trials as batched_trials
        on
            batched_trials.setting = batched.setting
            and batched_trials.incumbent = batched.incumbent
            and batched_trials.contender = batched.contender
            and batched_trials.metric = 'share'
    left join trials as plain_trials
        on
            plain_trials.setting = plain.setting
            and plain_trials.incumbent = plain.incumbent
            and plain_trials.contender = plain.contender
            and plain_trials.metric = 'share'
    where batched.incumbent not in (batches.contender, counterpart)
),

loads as (
    select setting, service as incumbent, contender, median, at_least, low is not null as is_judged
    from read_parquet($qoe_pairs)
    where metric = 'web_visually_complete_s' and median > 0
),

page_loads as (
    select
        setting,
        incumbent || '/' || beside.contender as key
    from loads as beside
    inner join loads as alone using (setting, incumbent)
    where
        alone.contender = '' and coalesce(alone.median < alone.at_least, true)
        and len(contenders_of(beside.contender)) = 1 and beside.contender <> incumbent
    qualify row_number() over (
        partition by setting, incumbent
        order by beside.is_judged and alone.is_judged desc, beside.median / alone.median desc, beside.contender
    ) = 1
),

triples as (select *, alpha || '/' || beta || '/' || gamma as key from read_parquet($transitivity)),

-- Every row that a finding may count, and whether it counts.
candidates as (
    select setting, key, 'pairs' as source, 'cells' as finding, true as is_counted
    from cells

    union all by name

    select setting, key, 'pairs' as source, 'cells_without_verdict' as finding, not is_judged as is_counted
    from cells
    where incumbent <> contender

    union all by name

    select
        setting,
        key,
        'pairs' as source,
        unnest([
            {finding: 'cells_losing', is_counted: verdict = 'losing'},
            {finding: 'cells_winning', is_counted: verdict = 'winning'},
            {finding: 'cells_fair', is_counted: verdict = 'fair'},
            {finding: 'cells_undecided', is_counted: verdict = 'undecided'}
        ], recursive := true)
    from judged

    union all by name

    select
        setting,
        key,
        'pairs' as source,
        unnest([
            {finding: 'worse_off_median', is_counted: true},
            {finding: 'worse_off_mean', is_counted: true},
            {finding: 'worse_off_losing', is_counted: verdict = 'losing'},
            {finding: 'worse_off_at_most_50', is_counted: share_median <= 0.5}
        ], recursive := true)
    from worse_off

    union all by name

    select setting, key, 'pairs' as source, 'self_pair_mean' as finding, true as is_counted
    from self_pairs

    union all by name

    select setting, key, 'pairs' as source, 'batches' as finding, true as is_counted
    from beside_batches

    union all by name

    select
        setting,
        key,
        'pairs' as source,
        unnest([
            {finding: 'batches_less', is_counted: less},
            {finding: 'batches_more', is_counted: more}
        ], recursive := true)
    from beside_batches
    where is_judged

    union all by name

    select setting, key, 'qoe_pairs' as source, 'page_loads' as finding, true as is_counted
    from page_loads

    union all by name

    select setting, key, 'stability' as source, 'cells_unstable' as finding, unstable as is_counted
    from stability
    where unstable is not null

    union all by name

    select setting, key, 'stability' as source, 'cells_bimodal' as finding, bimodal as is_counted
    from stability
    where bimodal is not null

    union all by name

    select
        setting,
        key,
        'transitivity' as source,
        'triples_not_transitive' as finding,
        not transitive as is_counted
    from triples
),

counts as (
    select
        setting,
        finding,
        source,
        count(*) filter (is_counted) as counted,
        count(*) as total,
        array_to_string(list(key order by key) filter (is_counted), ',') as rows
    from candidates
    group by setting, finding, source
),

typical_worse_off as (
    select
        setting,
        quantile_cont(share_median, 0.5) as median,
        list_sum(list(share_median order by share_median, key)) / count(*) as mean
    from worse_off
    group by setting
),

of_self_pairs as (
    select setting, list_sum(list(share_median order by share_median, key)) / count(*) as self_pair_mean
    from self_pairs
    group by setting
),

of_counts as (
    select
        counts.*,
        case
            when finding = 'cells' then 'cells'
            when finding in ('batches', 'page_loads') then 'rows'
            else 'fraction'
        end as unit,
        case finding
            when 'cells' then counted
            when 'batches' then counted
            when 'page_loads' then counted
            when 'worse_off_median' then median
            when 'worse_off_mean' then mean
            when 'self_pair_mean' then self_pair_mean
            else counted / total
        end as value
    from counts
    left join typical_worse_off using (setting)
    left join of_self_pairs using (setting)
),

leads as (
    select *, bool_or(rank_low is not null) over (partition by setting, finding) as has_rank
    from read_parquet($leads)
    where
        finding not in ('alone_most', 'alone_least', 'slowdown_highest', 'slowdown_lowest')
        and (n >= 6 or finding not in ('most_unfair', 'page_load_longest'))
),

-- How many figures each extreme is of, and the keys of those that may be the first.
firsts as (
    select
        setting,
        finding,
        -- A pair has one most unfair side.
        count(distinct case when finding = 'most_unfair' then list_sort([incumbent, contender])::varchar else key end)
            filter (rank_low is not null or not has_rank) as total,
        array_to_string(list(key order by place) filter (may_be_first), ',') as may_be_first
    from leads
    group by setting, finding
),

page_load_intervals as (
    select
        leads.setting,
        leads.finding,
        ratio_interval(alone.most, beside.least, 0.95)[1] as low,
        ratio_interval(alone.least, beside.most, 0.95)[2] as high
    from leads
    inner join trials as beside using (setting, incumbent, contender)
    inner join trials as alone
        on alone.setting = leads.setting and alone.incumbent = leads.incumbent and alone.contender = ''
    where
        leads.finding = 'page_load_longest' and place = 1
        and beside.metric = 'web_visually_complete_s' and alone.metric = beside.metric
),

of_extremes as (
    select
        firsts.*,
        source,
        unit,
        incumbent,
        contender,
        value,
        at_least,
        low,
        case when isfinite(high) then high end as high,
        shrunk,
        shrunk_low,
        shrunk_high,
        1 as counted,
        key as rows
    from leads
    inner join firsts using (setting, finding)
    left join page_load_intervals using (setting, finding)
    where place = 1
),

-- The cells with the fewest and the most trials.
numbers as (
    select
        setting,
        key,
        incumbent,
        contender,
        n,
        unnest([{finding: 'n_smallest', sign: 1}, {finding: 'n_largest', sign: -1}], recursive := true)
    from cells
),

of_numbers as (
    select
        * exclude (key, sign, n),
        'pairs' as source,
        'trials' as unit,
        n as value,
        1 as counted,
        count(*) over (partition by setting, finding) as total,
        key as rows
    from numbers
    qualify row_number() over (partition by setting, finding order by sign * n, key) = 1
),

findings as (
    select * from of_counts
    union all by name
    select * from of_extremes
    union all by name
    select * from of_numbers
)

select
    setting,
    finding,
    value::double as value,
    at_least::double as at_least,
    unit,
    incumbent,
    contender,
    counted::integer as counted,
    total::integer as total,
    source,
    coalesce(rows, '') as rows,
    low::double as low,
    high::double as high,
    coalesce(may_be_first, '') as may_be_first,
    shrunk,
    shrunk_low,
    shrunk_high
from findings
order by setting, finding
