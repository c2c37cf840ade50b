-- figures: every figure of the cycle, over the valid trials. Charts, pages, expectations and summaries read it.
-- Grain:      one row per setting, service, contender (empty: alone), instance, subject, size class, metric and statistic,
--             also if no trial is valid (n = 0). The setting of k_percentile is a sweep.
-- Units:      that of the metric (scripts/figures/catalogue.yaml).
-- Sources:    trial_services, trial_fairness, solo; and the tables that summarise samples of their own: completions, fmp,
--             models, orders, predictions, qoe_pairs.
-- Parameters: $beyond (the services judged by what their users see), $alone (the metrics of a service alone).
-- The CTE `of_clients` has one expression for each metric of the other tables: its value in a trial. The share is wire
-- rate / max-min fair allocation (Prudentia, 2.2 and 4). jain, product and epsilon are taken over the shares of all
-- clients. The queueing delay of a trial is its mean. fness and k take the service as a: below 0 it dominates.
-- A service of $beyond has none of these beside others: its figures are those of qoe_pairs. With three or more clients the
-- contender is the other services, joined by "~". A service that has several clients in a trial gives one value: that of
-- its first client. A self-pair gives two, in two rows: the worse-off and the better-off client of each trial.
-- Harm (Ware et al.) compares a trial with the medians over the solos. The delay that it compares is the RTT: base RTT
-- and queueing delay. It has no ratio, and is NaN, if the throughput alone is 0, or if a loss rate above 0 alone became 0.
-- If one trial has none, the figure has none: a median over the other trials would leave out the best one.
-- n counts the valid trials in which the metric has a value. all_median is over all completed trials, also the invalid ones.
with
trial_services as (select * from read_parquet($trial_services)),

solos as (
    select setting, service, throughput_median_mbps, queueing_delay_median_ms, loss_rate_median
    from read_parquet($solo)
),

allocations as (select * from allocations($trial_services, $solo)),

fairness as (
    select setting, pair, trial, client, share, jain, product, epsilon, fness, k
    from read_parquet($trial_fairness)
),

of_clients as (
    select
        setting,
        pair,
        trial,
        service,
        contender,
        instance,
        clients,
        valid,
        status = 'completed' as completed,
        share,
        throughput_mbps,
        wire_rate_mbps,
        loss_rate,
        queueing_delay_mean_ms as queueing_delay_ms,
        utilization,
        jain,
        product,
        epsilon,
        fness,
        k,
        case
            when throughput_median_mbps = 0 and throughput_mbps > 0 then 'nan'::double
            else harm(throughput_median_mbps, throughput_mbps, true)
        end as harm_throughput,
        harm(rtt_ms + queueing_delay_median_ms, rtt_ms + queueing_delay_mean_ms, false) as harm_delay,
        case
            when loss_rate_median > 0 and loss_rate = 0 then 'nan'::double
            else harm(loss_rate_median, loss_rate, false)
        end as harm_loss
    from trial_services
    left join fairness using (setting, pair, trial, client)
    left join solos using (setting, service)
    where instance <> 'further' and (clients = 1 or not list_contains($beyond::varchar[], service))
),

samples as (
    select *
    from of_clients
        unpivot include nulls (
            value for metric in (
                columns(* exclude (setting, pair, trial, service, contender, instance, clients, valid, completed))
            )
        )
    where clients > 1 or list_contains($alone::varchar[], metric)
),

defined as (
    select
        *,
        case when valid and not bool_or(isnan(value) and valid) over figure then value end as valid_value,
        case when completed and not bool_or(isnan(value) and completed) over figure then value end as any_value
    from samples
    window figure as (partition by setting, service, contender, instance, metric)
),

of_throughput as (
    select
        setting,
        pair,
        service,
        contender,
        instance,
        metric,
        summary(valid_value) as value,
        quantile_cont(any_value, 0.5) as all_median,
        string_agg(trial, ',' order by trial) filter (valid) as trials
    from defined
    group by setting, pair, service, contender, instance, metric
),

-- The pair of every service and contender.
pairs_of as (
    select setting, service, contender, any_value(pair) as pair
    from trial_services
    group by setting, service, contender
),

of_tables as (
    select
        setting,
        pair,
        service,
        contender,
        instance,
        metric,
        value.n as n,
        value.median as median,
        value.q25 as q25,
        value.q75 as q75,
        value.low as low,
        value.high as high,
        all_median,
        trials
    from of_throughput

    union all by name

    select setting, pair, service, contender, instance, metric, n, median, q1 as q25, q3 as q75, low, high, at_least, trials
    from read_parquet($qoe_pairs)
    inner join pairs_of using (setting, service, contender)

    union all by name

    select
        setting,
        pair,
        service,
        contender,
        instance,
        subject,
        size_class,
        metric,
        statistic,
        n,
        median,
        low,
        high,
        at_least,
        trials
    from read_parquet($completions)
    inner join pairs_of using (setting, service, contender)

    union all by name

    select
        sweep as setting,
        pair,
        service,
        contender,
        'first' as instance,
        'k_percentile' as metric,
        n,
        k_percentile as median,
        low,
        high
    from read_parquet($fmp)
    where key = ''

    union all by name

    select setting, pair, service, contender, instance, metric, n, median, q25, q75, low, high, trials
    from read_parquet([$orders, $models, $predictions], union_by_name := true)
)

select
    setting,
    pair,
    service,
    contender,
    instance,
    coalesce(subject, 'flow') as subject,
    coalesce(size_class, 'all') as size_class,
    metric,
    coalesce(statistic, '') as statistic,
    n,
    median,
    q25,
    q75,
    low,
    high,
    at_least,
    all_median,
    coalesce(trials, '') as trials
from of_tables
order by setting, service, contender, instance, subject, size_class, metric, statistic
