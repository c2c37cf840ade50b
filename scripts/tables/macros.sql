-- Macros of the tables over a cycle's trials. scripts/tables/formulas.py defines the functions and variables.

-- Number of values, median, quartiles and 95 % interval of the median of a column, over a group. Nulls do not count.
-- The interval is that of scripts.metrics.statistics.median_ci; null below 6 values.
create macro summary(x) as {
    n: count(x)::integer,
    median: quantile_cont(x, 0.5),
    q25: quantile_cont(x, 0.25),
    q75: quantile_cont(x, 0.75),
    low: nullif(median_interval(list(x order by x) filter (where x is not null))[1], 'nan'::double),
    high: nullif(median_interval(list(x order by x) filter (where x is not null))[3], 'nan'::double)
};

-- The day (UTC) of a time in ns since the Unix epoch.
create macro day_of(time_ns) as time_ns // 86_400_000_000_000;

-- The same as summary, with the interval by days (scripts.metrics.statistics.interval_by_days) where the values are of
-- five days or more. A null in `day` says that the day does not count: there is no interval by days then.
create macro summary_by_day(x, day) as {
    n: summary(x).n,
    median: summary(x).median,
    q25: summary(x).q25,
    q75: summary(x).q75,
    low: case when on_many_days(x, day) then by_days(x, day)[1] else summary(x).low end,
    high: case when on_many_days(x, day) then by_days(x, day)[2] else summary(x).high end
};
create macro on_many_days(x, day) as
    count(x) >= 6
    and count(distinct day) filter (x is not null) >= 5
    and count(day) filter (x is not null) = count(x);
create macro by_days(x, day) as
    interval_by_days(list(x order by x, day) filter (x is not null), list(day order by x, day) filter (x is not null));

-- The shift from one sample to another, with its exact 90 % interval: two one-sided rank-sum tests at 5 % (Schuirmann
-- 1987). The shift is the median of all differences of two values (Hodges and Lehmann), in their unit. The interval is that
-- of scripts.metrics.rank_sum.shift_interval; null if there are too few values.
create macro shift_of(before, after) as {
    low: nullif(shift_interval(before, after, 0.9)[1], 'nan'::double),
    shift: shift_interval(before, after, 0.9)[2],
    high: nullif(shift_interval(before, after, 0.9)[3], 'nan'::double)
};

-- Whether such an interval lies within ± a margin, and whether it lies wholly beyond.
create macro within_margin(shift, margin) as shift.low >= -margin and shift.high <= margin;
create macro beyond_margin(shift, margin) as shift.low > margin or shift.high < -margin;

create macro root_of_squares(x, y) as sqrt(x * x + y * y);
create macro at_most_one(x) as case when x > 1 then 1 else x end;

-- The same of two samples in strata: the shift that all strata have in common, with its 90 % interval
-- (scripts/metrics/stratified.py).
create macro stratified_shift_of(before, after) as {
    low: nullif(stratified_shift(before, after, 0.9)[1], 'nan'::double),
    shift: stratified_shift(before, after, 0.9)[2],
    high: nullif(stratified_shift(before, after, 0.9)[3], 'nan'::double)
};

-- Two-sided p of a shift beyond ± a margin, within strata: that of the test after the second sample is moved towards the
-- first by the margin; 1 if the shift is smaller.
create macro p_beyond(before, after, shift, margin) as
    case when abs(shift) <= margin then 1 else stratified_p(before, after, sign(shift) * margin) end;

-- Lower bounds among figures of values of which some are censored (figures explains them). A figure up to the largest
-- value below the smallest censored one is exact. The lower bounds begin at the smallest of the others and of that
-- censored value; null if no value is censored.
create macro largest_exact_of(x, smallest_censored) as
    coalesce(max(x) filter (x < smallest_censored), '-inf'::double);
create macro lower_bounds_from(figures, smallest_censored, largest_exact) as
    list_min(list_filter(
        case when smallest_censored is not null then list_append(figures, smallest_censored) end,
        lambda figure: figure > largest_exact
    ));

-- Whether a share of the max-min fair allocation is that of a loser. `verdict` (scripts/metrics/fairness.py) says what the
-- trials of a cell allow to claim; the table pairs has it.
create macro losing(share) as share < getvariable('losing_below');

-- What names a figure, as one value to join by.
create macro figure_of(setting, service, contender, instance, subject, size_class, metric, statistic) as {
    setting: setting,
    service: service,
    contender: contender,
    instance: instance,
    subject: subject,
    size_class: size_class,
    metric: metric,
    statistic: statistic
};

-- Whether the share of a cell still changed within the steady windows: from the interval of share_change, in fractions of the
-- fair share. Null without an interval.
create macro settled(low, high) as case
    when within_margin({low: low, high: high}, getvariable('settled_within')) then 'settled'
    when beyond_margin({low: low, high: high}, getvariable('settled_within')) then 'still moving'
    when low is not null then 'undecided'
end;

-- What the trials of a cell say alone, from a `summary` of its shares: the verdict if the interval took the place of the test
-- over all pairs of the setting. It tells whether other trials would say something else.
create macro cell_verdict(shares) as coalesce(
    verdict(
        shares.median,
        shares.low,
        shares.high,
        case when shares.low <= 1 and shares.high >= 1 then 1 else 0 end,
        shares.median - 1,
        false
    ),
    'undecided'
);

-- The services in a column `contender`, one for each other client (scripts/model/pairs.py); none for a service alone.
create macro contenders_of(contender) as
    case when contender = '' then []::varchar[] else string_split(contender, '~') end;

-- All services of a trial, one for each client.
create macro services_of(service, contender) as list_prepend(service, contenders_of(contender));

-- Whether trials with this contender are a cell of the throughput matrix: they have two clients, and the contender
-- is not one of the services in `beyond`. An incumbent in the tables pairs and stability never is.
create macro is_cell(contender, beyond) as
    len(contenders_of(contender)) = 1 and not list_contains(beyond::varchar[], contender);

-- Whether the incumbent can have a verdict there: the worse of two instances of one service loses by definition.
create macro has_verdict(incumbent, contender, beyond) as incumbent <> contender and is_cell(contender, beyond);

-- The cells of the matrix with a share: the rows of pairs for two services, none of them in $beyond, both able to do alone
-- what they must, with a valid trial. A self-pair is one cell, that of the worse-off instance. The parameter is the path of
-- pairs.
create macro cells_of(pairs_path, beyond) as table
select *
from read_parquet(pairs_path)
where
    share_median is not null and unable = '' and instance <> 'better_off'
    and is_cell(contender, beyond);

-- What every service of every pair is entitled to: the max-min fair allocation of the capacity over the services'
-- demands. Clients of one service have the same. A demand without a limit is infinite. The parameters are the paths of
-- trial_services and solo.
create macro allocations(trial_services_path, solo_path) as table
with
pairs as (
    select
        setting,
        pair,
        min(rate_mbps) as rate_mbps,
        any_value(list_sort(services_of(service, contender))) as services
    from read_parquet(trial_services_path)
    where clients > 1
    group by setting, pair
),

-- One row for each client of a pair, in the order of its name.
clients as (
    select * exclude (services), unnest(services) as service, generate_subscripts(services, 1) as place from pairs
),

demands as (
    select clients.*, coalesce(demand_mbps, 'infinity'::double) as demand_mbps
    from clients
    left join (select setting, service, demand_mbps from read_parquet(solo_path)) as solos using (setting, service)
),

allocated as (
    select
        setting,
        pair,
        max_min_fair_rates(min(rate_mbps), list(demand_mbps order by place)) as allocations_mbps
    from demands
    group by setting, pair
)

-- The first client of a service stands for all of them.
select
    setting,
    pair,
    service,
    any_value(demand_mbps) as demand_mbps,
    any_value(allocations_mbps)[min(place)] as allocation_mbps
from demands
inner join allocated using (setting, pair)
group by setting, pair, service;

-- What the bottleneck of every setting does with packets: the rows of the parameter $links.
create macro links_of(links) as table
    select
        unnest(
            links::struct(
                setting varchar, discipline varchar, queue_packets double, random_loss double, ecn boolean
            )[],
            recursive := true
        );

-- The swept values of every setting of a sweep: the rows of the parameter $sweeps.
create macro sweeps_of(sweeps) as table
    select
        unnest(
            sweeps::struct(setting varchar, sweep varchar, "key" varchar, "value" varchar, place integer)[],
            recursive := true
        );

-- The place of a client of a trial in the order of the pair's name, from 1. It is the number of the client where the
-- setting binds clients to places. Elsewhere the seed draws which service is c1.
create macro place_in_name(setting, pair, trial, service, client) as
    row_number() over (partition by setting, pair, trial order by service, length(client), client);

-- The same of one of two clients, as c1 or c2; a service alone is c1.
create macro client_in_name(self_pair, service, contender, client) as
    case when self_pair or contender = '' then client when service < contender then 'c1' else 'c2' end;

-- Which client of a pair a value is of, where both count: the first or the second instance of a self-pair.
create macro place_of(self_pair, client) as case when self_pair and client = 'c2' then 'second' else 'first' end;

-- The classes of sizes with their limits in bytes: the rows of the parameter $size_classes.
create macro size_classes_of(size_classes) as table
    select
        unnest(
            size_classes::struct(size_class varchar, from_bytes bigint, to_bytes bigint)[], recursive := true
        );

-- How long the generated flows that count took, and their groups, in each size class that they belong to: the statistics
-- over the flows of each trial (sample is its number), and over those of all valid trials together (sample is 0). The
-- parameters are the paths of trial_completions, srpt and trial_services, and the classes with their limits in bytes.
-- The flows that started in the steady window count. A group of flows (a coflow: Zapletal and Kuipers, 5) lasts from the
-- start of its first flow to the end of its last one. Its shortest possible time is that of its bytes on the empty link,
-- or that of its slowest flow if this takes longer. Groups of one flow are left out.
-- The first client of a service counts. A self-pair has the flows of its first client, those of its second one (c1 and c2
-- of trial_services) and those of both together, whose maximum is that of the slower one: who got less of the link while
-- both sent says nothing about flows that end.
-- An order statistic above the largest exact value is a lower bound (figures explains it), and so is the mean of flows of
-- which one is censored.
create macro generated_flows(completions_path, srpt_path, trial_services_path, size_classes) as table
with
classes as (select * from size_classes_of(size_classes)),

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
    from read_parquet(trial_services_path)
),

flows as (
    select trial_completions.*, ideal.slowdown as srpt_slowdown, instance
    from read_parquet(completions_path) as trial_completions
    inner join instances using (setting, pair, trial, client)
    left join read_parquet(srpt_path) as ideal using (setting, pair, trial, client, flow)
),

groups as (
    select
        setting,
        pair,
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
        pair,
        trial,
        service,
        contender,
        instance,
        valid,
        subject,
        size_class,
        unnest([
            {metric: 'slowdown', value: slowdown, censored: censored},
            {metric: 'srpt_slowdown', value: srpt_slowdown, censored: false},
            {metric: 'fct_ms', value: fct_ms, censored: censored},
            {metric: 'data_ms', value: data_ms, censored: censored},
            {metric: 'retransmissions', value: retransmissions::double, censored: censored}
        ], recursive := true)
    from subjects
    inner join classes on size_bytes >= from_bytes and (to_bytes is null or size_bytes < to_bytes)
    where counted
),

samples as (
    select *, trial as sample from measured where value is not null
    union all
    select *, 0 as sample from measured where value is not null and valid
),

in_samples as (
    select
        *,
        min(value) filter (censored) over (
            partition by setting, pair, service, contender, instance, subject, size_class, metric, sample
        ) as smallest_censored
    from samples
),

statistics as (
    select
        setting,
        pair,
        service,
        contender,
        instance,
        subject,
        size_class,
        metric,
        sample,
        count(*)::integer as flows,
        count(*) filter (censored)::integer as censored,
        largest_exact_of(value, smallest_censored) as largest_exact,
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
        setting, pair, service, contender, instance, subject, size_class, metric, sample, smallest_censored
)

select
    * exclude (largest_exact),
    censored > 0 and (statistic = 'mean' or value > largest_exact) as lower_bound
from statistics;
