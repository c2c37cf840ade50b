-- leads: every figure that could be the extreme of its setting, its rank, and whether it may be the first.
-- Grain:      one row per setting, finding and key.
-- Units:      in the column unit; shares are fractions of the max-min fair allocation.
-- Sources:    samples, figures, pairs, services.
-- Parameters: $beyond (the services judged by what their users see).
-- A figure is a median over trials, a median of such medians (contentiousness and sensitivity), or a ratio of two (page
-- loads). Only figures of six trials or more have an interval of their rank. The trials of each pair are resampled:
-- scripts/metrics/leads.py has the intervals and what is left of a figure without the chance that put it first.
-- A cell is a row of pairs as in cells_of (macros.sql); utilization is that of a pair, so it has one row. The lowest share
-- is among pairs of two different services: the worse of two instances is below 100 % by its definition.
with
-- Which figure each finding is an extreme of, and whether the highest is the first.
extremes as (
    select
        unnest(
            [
                {finding: 'most_unfair', metric: 'share', highest: false, unit: 'fraction'},
                {finding: 'utilization_lowest', metric: 'utilization', highest: false, unit: 'fraction'},
                {finding: 'utilization_highest', metric: 'utilization', highest: true, unit: 'fraction'},
                {finding: 'loss_rate_highest', metric: 'loss_rate', highest: true, unit: 'fraction'},
                {finding: 'queueing_delay_highest', metric: 'queueing_delay_ms', highest: true, unit: 'ms'},
                {finding: 'most_contentious', metric: 'contentiousness', highest: false, unit: 'fraction'},
                {finding: 'least_contentious', metric: 'contentiousness', highest: true, unit: 'fraction'},
                {finding: 'most_sensitive', metric: 'sensitivity', highest: false, unit: 'fraction'},
                {finding: 'least_sensitive', metric: 'sensitivity', highest: true, unit: 'fraction'},
                {finding: 'page_load_longest', metric: 'page_load', highest: true, unit: 'ratio'},
                {finding: 'alone_most', metric: 'wire_rate_mbps', highest: true, unit: 'Mbps'},
                {finding: 'alone_least', metric: 'wire_rate_mbps', highest: false, unit: 'Mbps'},
                {finding: 'slowdown_highest', metric: 'slowdown', highest: true, unit: 'ratio'},
                {finding: 'slowdown_lowest', metric: 'slowdown', highest: false, unit: 'ratio'}
            ],
            recursive := true
        )
),

cells as (
    select setting, incumbent as service, contender, instance
    from cells_of($pairs, $beyond)
),

ranked as (
    select setting, list(service) as services
    from read_parquet($services)
    where common_opponents > 0
    group by setting
),

values_of_trials as (
    select
        setting,
        service,
        contender,
        instance,
        subject,
        size_class,
        metric,
        statistic,
        list(value order by trial) as sample
    from read_parquet($samples)
    where valid and value is not null
    group by setting, service, contender, instance, subject, size_class, metric, statistic
),

medians as (
    select
        setting,
        pair,
        service,
        contender,
        instance,
        metric,
        sample,
        median,
        case when median >= at_least then median end as at_least
    from read_parquet($figures) as figures
    inner join values_of_trials
        using (setting, service, contender, instance, subject, size_class, metric, statistic)
    where
        median is not null and subject = 'flow' and size_class = 'all'
        and statistic = case when metric = 'slowdown' then 'maximum' else '' end
),

-- A part of a figure: the trials of a pair, and those of a service alone if the figure is a multiple of them.
of_cells as (
    select
        setting,
        metric,
        service || '/' || contender as key,
        'pairs' as source,
        service as incumbent,
        contender,
        at_least,
        [{pair: pair, trials: sample, solo: '', alone: []::double[]}] as parts
    from medians
    inner join cells using (setting, service, contender, instance)
    where
        case metric
            when 'share' then service <> contender
            when 'utilization' then service <= contender
            else metric in ('loss_rate', 'queueing_delay_ms')
        end
),

shares_of_ranked as (
    select
        setting,
        unnest([
            {metric: 'contentiousness', key: contender, incumbent: null, contender: contender},
            {metric: 'sensitivity', key: service, incumbent: service, contender: null}
        ], recursive := true),
        {pair: pair, trials: sample, solo: '', alone: []::double[]} as part
    from medians
    inner join cells using (setting, service, contender, instance)
    inner join ranked using (setting)
    where
        metric = 'share' and service <> contender
        and list_contains(services, service) and list_contains(services, contender)
),

of_services as (
    select
        setting,
        metric,
        key,
        'services' as source,
        any_value(incumbent) as incumbent,
        any_value(contender) as contender,
        list(part order by part.pair) as parts
    from shares_of_ranked
    group by setting, metric, key
),

of_page_loads as (
    select
        setting,
        'page_load' as metric,
        service || '/' || beside.contender as key,
        'qoe_pairs' as source,
        service as incumbent,
        beside.contender,
        beside.at_least / alone.median as at_least,
        [{pair: beside.pair, trials: beside.sample, solo: service, alone: alone.sample}] as parts
    from medians as beside
    inner join medians as alone using (setting, service, metric)
    where
        metric = 'web_visually_complete_s' and alone.contender = '' and alone.median > 0 and alone.at_least is null
        and len(contenders_of(beside.contender)) = 1 and beside.contender <> service and beside.instance = 'first'
),

of_solos as (
    select
        setting,
        metric,
        service as key,
        'solo' as source,
        service as incumbent,
        [{pair: pair, trials: sample, solo: '', alone: []::double[]}] as parts
    from medians
    where metric = 'wire_rate_mbps' and contender = ''
),

-- Flows beside others; of a self-pair, those of both clients together.
of_flows as (
    select
        setting,
        metric,
        service || '/' || contender as key,
        'completions' as source,
        service as incumbent,
        contender,
        at_least,
        [{pair: pair, trials: sample, solo: '', alone: []::double[]}] as parts
    from medians
    where metric = 'slowdown' and contender <> '' and instance = if(service = contender, 'both', 'first')
),

candidates as (
    select
        *,
        list_median(list_transform(
            parts, lambda part: list_median(part.trials) / coalesce(list_median(part.alone), 1)
        )) as value,
        list_min(list_transform(
            parts, lambda part: least(len(part.trials), coalesce(nullif(len(part.alone), 0), len(part.trials)))
        ))::integer as n
    from (
        from of_cells
        union all by name from of_services
        union all by name from of_page_loads
        union all by name from of_solos
        union all by name from of_flows
    )
    where metric in (select metric from extremes)
),

-- Rank 1 is the lowest value.
ranked_figures as (
    select
        setting,
        metric,
        count(*) as figures,
        list(key order by key) as keys,
        leads_of(list(value order by key), list(parts order by key)) as leads
    from candidates
    where n >= 6
    group by setting, metric
),

certain as (
    select
        setting,
        metric,
        figures,
        unnest(keys) as key,
        unnest(leads, recursive := true)
    from ranked_figures
),

-- Rank 1 is the first of each extreme. A lower bound may always be the highest: nobody knows how much more it is.
leads as (
    select
        * replace (
            case
                when not highest then rank_low
                when at_least is not null and rank_high is not null then 1
                else figures + 1 - rank_high
            end::integer as rank_low,
            if(highest, figures + 1 - rank_low, rank_high)::integer as rank_high
        )
    from candidates
    inner join extremes using (metric)
    left join certain using (setting, metric, key)
)

select
    setting,
    finding,
    key,
    (row_number() over (
        partition by setting, finding
        order by rank_low is null, case when highest then -value else value end, key
    ))::integer as place,
    rank_low,
    rank_high,
    coalesce(rank_low = 1, false) as may_be_first,
    value,
    at_least,
    case when at_least is null then nullif(shrunk, 'nan'::double) end as shrunk,
    case when at_least is null then nullif(shrunk_low, 'nan'::double) end as shrunk_low,
    case when at_least is null then nullif(shrunk_high, 'nan'::double) end as shrunk_high,
    unit,
    n,
    incumbent,
    contender,
    source
from leads
order by setting, finding, key
