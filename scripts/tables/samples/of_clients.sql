-- What a service gets, beside others and alone.
-- Sources:    trial_services, trial_fairness, solo.
-- Parameters: $beyond (the services judged by what their users see), $alone (the metrics of a service alone).
-- The share is wire rate / max-min fair allocation (Prudentia, 2.2 and 4). share_change is how much more it is in the second
-- half of the steady window than in the first. jain, product and epsilon are taken over the
-- shares of all clients. The queueing delay of a trial is its mean. fness and k take the service as a: below 0 it
-- dominates.
-- A service of $beyond has none of these beside others: of_users has its metrics. A service that has several clients in a
-- trial gives one value: that of its first client. A self-pair gives two: of its worse-off and of its better-off client.
-- instance_difference is how far these two are apart, one value a trial.
-- Harm (Ware et al.) compares a trial with the medians over the solos. The delay that it compares is the RTT: base RTT
-- and queueing delay. It has no ratio, and is NaN, if the throughput alone is 0, or if the loss rate is 0 alone or beside
-- the contender, and not both: any loss beside it, however small, would be a harm of 1 to a service that loses nothing
-- alone. If one trial has none, the figure has none: a median over the other trials would leave out the best one.
-- reference_low and reference_high are the harm if the service alone were at the ends of the interval of its median.
with
solos as (select * from read_parquet($solo)),

fairness as (
    select setting, pair, trial, client, share, share_change, jain, product, epsilon, fness, k, k_scatter
    from read_parquet($trial_fairness)
),

clients as (
    select
        trial_services.*,
        fairness.* exclude (setting, pair, trial, client),
        solos.* exclude (setting, service, loss_rate_median),
        rtt_ms + queueing_delay_mean_ms as loaded_rtt_ms,
        (loss_rate = 0) = (loss_rate_median = 0) as has_loss_ratio,
        loss_rate_median
    from read_parquet($trial_services) as trial_services
    left join fairness using (setting, pair, trial, client)
    left join solos using (setting, service)
    where instance <> 'further' and (clients = 1 or not list_contains($beyond::varchar[], service))
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
        share_change,
        throughput_mbps,
        wire_rate_mbps,
        loss_rate,
        startup_loss_rate,
        queueing_delay_mean_ms as queueing_delay_ms,
        utilization,
        jain,
        product,
        epsilon,
        fness,
        k,
        k_scatter,
        case
            when instance = 'worse_off' and clients = 2
                then max(share) over (partition by setting, pair, trial) - share
        end as instance_difference,
        burst_packets,
        burst_p95_packets,
        server_s_per_gb,
        client_s_per_gb
    from clients
),

harms as (
    select
        setting,
        pair,
        trial,
        service,
        contender,
        instance,
        unnest([
            {
                metric: 'harm_throughput',
                value: case
                    when throughput_median_mbps = 0 and throughput_mbps > 0 then 'nan'::double
                    else harm(throughput_median_mbps, throughput_mbps, true)
                end,
                reference_low: harm(throughput_low_mbps, throughput_mbps, true),
                reference_high: harm(throughput_high_mbps, throughput_mbps, true)
            },
            {
                metric: 'harm_delay',
                value: harm(rtt_ms + queueing_delay_median_ms, loaded_rtt_ms, false),
                reference_low: harm(rtt_ms + queueing_delay_high_ms, loaded_rtt_ms, false),
                reference_high: harm(rtt_ms + queueing_delay_low_ms, loaded_rtt_ms, false)
            },
            {
                metric: 'harm_loss',
                value: case
                    when not has_loss_ratio then 'nan'::double else harm(loss_rate_median, loss_rate, false)
                end,
                reference_low: harm(loss_rate_high, loss_rate, false),
                reference_high: harm(loss_rate_low, loss_rate, false)
            }
        ], recursive := true)
    from clients
    where clients > 1
)

select setting, pair, trial, service, contender, instance, metric, value
from of_clients
    unpivot include nulls (
        value for metric in (columns(* exclude (setting, pair, trial, service, contender, instance, clients)))
    )
where
    (clients > 1 or list_contains($alone::varchar[], metric))
    and (metric <> 'instance_difference' or (instance = 'worse_off' and clients = 2))
    and (clients = 1 or metric not in ('burst_packets', 'burst_p95_packets', 'server_s_per_gb', 'client_s_per_gb'))

union all by name

select
    * replace (
        nullif(reference_low, 'nan'::double) as reference_low,
        nullif(reference_high, 'nan'::double) as reference_high
    )
from harms
