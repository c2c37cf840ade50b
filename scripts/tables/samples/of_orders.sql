-- The queue, the retransmissions and the fairness of a service alone, and of the first and second client of two.
-- Sources:    trial_services, trial_flows, trial_fairness.
-- Parameters: $links (the limit of every setting's queue in packets).
-- Trials of three and more clients are left out.
-- The mean queue of a trial follows from Little's law: the packets that left the queue in the steady window, times their
-- mean time in the queue, over the window. It is that of all clients together, so both have the same queue_fraction. A
-- packet that CoDel or FQ-CoDel drops leaves the queue too, but its time there does not count.
-- Retransmissions are those of all TCP flows of a client over the whole trial. Kunze et al. (IV-D) count the same. They
-- are null if a flow other than DNS is not TCP: QUIC encrypts what would tell.
-- fness takes the client as a: below 0 it dominates (trial_fairness).
with
clients as (
    select
        *,
        sum(forwarded_packets * coalesce(queueing_delay_mean_ms, 0))
            over (partition by setting, pair, trial) / (window_s * 1e3) as queued_packets
    from read_parquet($trial_services)
    where clients <= 2
),

retransmitted as (
    select
        setting,
        pair,
        trial,
        client,
        case
            when not bool_or(protocol = 'udp' and source_port <> 53) then sum(retransmissions)::double
        end as retransmitted_packets
    from read_parquet($trial_flows)
    group by setting, pair, trial, client
),

measured as (
    select
        setting,
        pair,
        trial,
        clients.service as service,
        clients.contender as contender,
        clients.clients as clients,
        place_of(self_pair, client) as instance,
        unnest([
            {metric: 'queue_fraction', value: queued_packets / queue_packets},
            {metric: 'retransmitted_packets', value: retransmitted_packets},
            {metric: 'fness_in_order', value: fness}
        ], recursive := true)
    from clients
    inner join links_of($links) using (setting)
    left join retransmitted using (setting, pair, trial, client)
    left join read_parquet($trial_fairness) as fairness using (setting, pair, trial, client)
)

select * exclude (clients)
from measured
where clients = 2 or metric <> 'fness_in_order'
