-- completions: how long the generated flows of a service took, by size, over the valid trials.
-- Grain:   one row per setting, service, contender (empty: alone), instance, subject, size class, metric and statistic
--          that any trial has, also if no trial is valid (n = 0).
-- Units:   in the name of the metric; slowdowns are ratios.
-- Sources: trial_completions, srpt, trial_services.
-- The flows that started in the steady window count. A group of flows (a coflow: Zapletal and Kuipers, 5) lasts from the
-- start of its first flow to the end of its last one. Its shortest possible time is that of its bytes on the empty link,
-- or that of its slowest flow if this takes longer. Groups of one flow are left out.
-- A trial gives one value of each statistic: the flows of a trial share its queue, so they are not independent, and an
-- interval over flows would be too narrow. median, low and high are over these values. pooled is the statistic over the
-- flows of all valid trials together.
-- The first client of a service counts. A self-pair has the flows of its first client, those of its second one (c1 and c2
-- of trial_services) and those of both together, whose maximum is that of the slower one: who got less of the link while
-- both sent says nothing about flows that end.
-- The value of a censored flow is a lower bound. What this means for a figure is explained in qoe_pairs: an order
-- statistic up to the largest value below the smallest censored one is exact, one above it is a lower bound, and at_least
-- is where the lower bounds begin. A mean with a censored flow is a lower bound.
with
size_classes as (
    select
        unnest([
            {size_class: 'all', from_bytes: 0, to_bytes: null},
            {size_class: 'below 1 kB', from_bytes: 0, to_bytes: 1_000},
            {size_class: '1 to 3 kB', from_bytes: 1_000, to_bytes: 3_000},
            {size_class: '3 to 10 kB', from_bytes: 3_000, to_bytes: 10_000},
            {size_class: '10 to 30 kB', from_bytes: 10_000, to_bytes: 30_000},
            {size_class: '30 to 100 kB', from_bytes: 30_000, to_bytes: 100_000},
            {size_class: '100 to 300 kB', from_bytes: 100_000, to_bytes: 300_000},
            {size_class: '300 kB to 1 MB', from_bytes: 300_000, to_bytes: 1_000_000},
            {size_class: '1 to 3 MB', from_bytes: 1_000_000, to_bytes: 3_000_000},
            {size_class: '3 to 10 MB', from_bytes: 3_000_000, to_bytes: 10_000_000},
            {size_class: '10 to 30 MB', from_bytes: 10_000_000, to_bytes: 30_000_000},
            {size_class: '30 MB and more', from_bytes: 30_000_000, to_bytes: null}
        ]::struct(size_class varchar, from_bytes bigint, to_bytes bigint)[], recursive := true)
),

-- A client that does not count has no row.
instances as (
    select
        setting,
        pair,
        trial,
        client,
        unnest(case
            when self_pair and client = 'c1' then ['first', 'both']
            when self_pair and client = 'c2' then ['second', 'both']
            when instance = 'first' then ['first']
        end) as instance
    from read_parquet($trial_services)
),

flows as (
    select trial_completions.*, ideal.slowdown as srpt_slowdown, instance
    from read_parquet($trial_completions) as trial_completions
    inner join instances using (setting, pair, trial, client)
    left join read_parquet($srpt) as ideal using (setting, pair, trial, client, flow)
),

groups as (
    select
        setting,
        trial,
        service,
        contender,
        instance,
        valid,
        sum(size_bytes)::bigint as size_bytes,
        bool_or(censored) as censored,
        arg_min(counted, started_ns) as counted,
        (max(started_ns + (fct_ms * 1e6)::bigint) - min(started_ns)) / 1e6 as fct_ms,
        greatest(
            optimal_fct(sum(size_bytes), any_value(rate_mbps) * 1e6, any_value(rtt_ms) / 1e3) * 1e3, max(optimal_ms)
        ) as optimal_ms,
        case when count(retransmissions) = count(*) then sum(retransmissions)::bigint end as retransmissions
    from flows
    group by setting, pair, trial, client, service, contender, instance, valid, flow_group
    having count(*) > 1
),

subjects as (
    select 'flow' as subject, * from flows

    union all by name

    select 'group' as subject, *, fct_ms / optimal_ms as slowdown from groups
),

measured as (
    select
        setting,
        trial,
        service,
        contender,
        instance,
        valid,
        subject,
        size_class,
        from_bytes,
        to_bytes,
        unnest([
            {metric: 'slowdown', value: slowdown, censored: censored},
            {metric: 'srpt_slowdown', value: srpt_slowdown, censored: false},
            {metric: 'fct_ms', value: fct_ms, censored: censored},
            {metric: 'data_ms', value: data_ms, censored: censored},
            {metric: 'retransmissions', value: retransmissions::double, censored: censored}
        ], recursive := true)
    from subjects
    inner join size_classes on size_bytes >= from_bytes and (to_bytes is null or size_bytes < to_bytes)
    where counted
),

-- Each trial is a sample, and the valid ones together are sample 0.
samples as (
    select *, trial as sample from measured where value is not null
    union all
    select *, 0 as sample from measured where value is not null and valid
),

in_samples as (
    select
        *,
        min(value) filter (censored) over (
            partition by setting, service, contender, instance, subject, size_class, metric, sample
        ) as smallest_censored
    from samples
),

sample_statistics as (
    select
        setting,
        service,
        contender,
        instance,
        subject,
        size_class,
        from_bytes,
        to_bytes,
        metric,
        sample,
        bool_and(valid) as valid,
        count(*)::integer as flows,
        count(*) filter (censored)::integer as censored_flows,
        coalesce(max(value) filter (value < smallest_censored), '-inf'::double) as largest_exact,
        unnest([
            {statistic: 'mean', value: list_avg(list(value order by value))},
            {statistic: 'q1', value: quantile_cont(value, 0.25)},
            {statistic: 'median', value: quantile_cont(value, 0.5)},
            {statistic: 'q3', value: quantile_cont(value, 0.75)},
            {statistic: 'p95', value: quantile_cont(value, 0.95)},
            {statistic: 'p99', value: quantile_cont(value, 0.99)},
            {statistic: 'maximum', value: max(value)}
        ], recursive := true)
    from in_samples
    group by
        setting, service, contender, instance, subject, size_class, from_bytes, to_bytes, metric, sample
),

bounded as (
    select *, censored_flows > 0 and (statistic = 'mean' or value > largest_exact) as at_least
    from sample_statistics
),

in_cells as (
    select
        *,
        min(value) filter (valid and at_least) over (
            partition by setting, service, contender, instance, subject, size_class, metric, statistic
        ) as smallest_bound
    from bounded
    where sample > 0
),

summaries as (
    select
        setting,
        service,
        contender,
        instance,
        subject,
        size_class,
        from_bytes,
        to_bytes,
        metric,
        statistic,
        summary(case when valid then value end) as value,
        any_value(smallest_bound) as smallest_bound,
        coalesce(max(value) filter (valid and value < smallest_bound), '-inf'::double) as largest_exact,
        string_agg(sample, ',' order by sample) filter (valid) as trials
    from in_cells
    group by
        setting, service, contender, instance, subject, size_class, from_bytes, to_bytes, metric, statistic
)

select
    setting,
    service,
    contender,
    instance,
    subject,
    size_class,
    summaries.from_bytes as from_bytes,
    summaries.to_bytes as to_bytes,
    metric,
    statistic,
    summaries.value.n as n,
    coalesce(flows, 0) as flows,
    coalesce(censored_flows, 0) as censored,
    pooled.value as pooled,
    coalesce(pooled.at_least, false) as pooled_at_least,
    summaries.value.median as median,
    summaries.value.low as low,
    summaries.value.high as high,
    list_min([
        figure
        for figure in [smallest_bound, summaries.value.median, summaries.value.high]
        if figure > summaries.largest_exact and smallest_bound is not null
    ]) as at_least,
    coalesce(trials, '') as trials
from summaries
left join (select * from bounded where sample = 0) as pooled
    using (setting, service, contender, instance, subject, size_class, metric, statistic)
order by
    setting,
    service,
    contender,
    list_position(['first', 'second', 'both'], instance),
    subject,
    from_bytes,
    to_bytes nulls first,
    metric,
    statistic
