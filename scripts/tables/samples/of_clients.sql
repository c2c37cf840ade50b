-- What a service gets, beside others and alone.
-- Sources:    trial_services, trial_fairness, solo.
-- Parameters: $beyond (the services judged by what their users see), $alone (the metrics of a service alone).
-- The share is wire rate / max-min fair allocation (Prudentia, 2.2 and 4). jain, product and epsilon are taken over the
-- shares of all clients. The queueing delay of a trial is its mean. fness and k take the service as a: below 0 it
-- dominates.
-- A service of $beyond has none of these beside others: of_users has its metrics. A service that has several clients in a
-- trial gives one value: that of its first client. A self-pair gives two: of its worse-off and of its better-off client.
-- instance_difference is how far these two are apart, one value a trial.
-- Harm (Ware et al.) compares a trial with the medians over the solos. The delay that it compares is the RTT: base RTT
-- and queueing delay. It has no ratio, and is NaN, if the throughput alone is 0, or if a loss rate above 0 alone became 0.
-- If one trial has none, the figure has none: a median over the other trials would leave out the best one.
with
solos as (
    select setting, service, throughput_median_mbps, queueing_delay_median_ms, loss_rate_median
    from read_parquet($solo)
),

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
        end as harm_loss,
        case
            when instance = 'worse_off' and clients = 2
                then max(share) over (partition by setting, pair, trial) - share
        end as instance_difference
    from read_parquet($trial_services)
    left join fairness using (setting, pair, trial, client)
    left join solos using (setting, service)
    where instance <> 'further' and (clients = 1 or not list_contains($beyond::varchar[], service))
)

select setting, pair, trial, service, contender, instance, metric, value
from of_clients
    unpivot include nulls (
        value for metric in (columns(* exclude (setting, pair, trial, service, contender, instance, clients)))
    )
where
    (clients > 1 or list_contains($alone::varchar[], metric))
    and (metric <> 'instance_difference' or (instance = 'worse_off' and clients = 2))
