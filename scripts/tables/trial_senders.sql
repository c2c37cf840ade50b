-- trial_senders: the TCP state of every service in one trial, second by second, as its sender's kernel tells it.
-- Grain:   one row per trial, client and whole second from the start of the trial in which the client's service had a
--          sampled connection; none if the trial failed, for QUIC, and for services outside the testbed.
-- Units:   in the names; times count from the start of the trial; gains are factors.
-- Sources: clients and senders of one trial (scripts/extract).
-- A connection counts if it sent more than 100 kB in the trial. If it was sampled twice in a second, the later sample
-- counts. Windows and estimates of the bandwidth are sums over a service's connections. RTTs and gains are medians.
-- The slow-start threshold is null while one of the connections has none. What BBR tells is null where no connection is
-- one of BBR, before its first estimate, and in older trials, which did not sample it.
with
clients as (select * from read_parquet($clients) where status = 'completed'),

samples as (
    select
        setting,
        pair,
        trial,
        senders.*,
        service,
        time_ns - trial_start_ns as since_start_ns,
        since_start_ns // 1_000_000_000 as at_s,
        max(bytes_sent) over (
            partition by client, source, source_port, destination, destination_port
        ) as sent_bytes
    from read_parquet($senders) as senders
    inner join clients using (client)
    where time_ns >= trial_start_ns and time_ns < trial_stop_ns
),

latest as (
    select *
    from samples
    where sent_bytes > 100_000
    qualify
        row_number() over (
            partition by client, source, source_port, destination, destination_port, at_s order by time_ns desc
        ) = 1
)

select
    setting,
    pair,
    trial,
    client,
    service,
    at_s::integer as at_s,
    round(max(since_start_ns) / 1e9, 3) as time_s,
    count(*) as connections,
    sum(cwnd_packets)::bigint as cwnd_packets,
    case when count(ssthresh_packets) = count(*) then sum(ssthresh_packets) end::bigint as ssthresh_packets,
    median(srtt_us) / 1e3 as srtt_ms,
    sum(bbr_bandwidth_bytes_per_s) * 8 / 1e6 as bbr_bandwidth_mbps,
    median(bbr_min_rtt_us) / 1e3 as bbr_min_rtt_ms,
    median(bbr_pacing_gain) as bbr_pacing_gain,
    median(bbr_cwnd_gain) as bbr_cwnd_gain
from latest
group by setting, pair, trial, client, service, at_s
order by setting, pair, trial, client, at_s
