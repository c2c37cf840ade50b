-- upstream_loss: packets of each service that were lost before they reached the bottleneck.
-- Grain:   one row per trial and client; none if the trial failed.
-- Units:   in the names; counts of packets over the whole trial.
-- Sources: clients and queue of one trial (scripts/extract).
-- The method is that for the protocol of most of the packets that reached the bottleneck. TCP is judged by its sequence
-- numbers. QUIC and other UDP encrypt theirs: only the device of a service on the testbed tells what was lost.
-- tcp: a packet lost upstream leaves a gap in the TCP sequence space, as seen on arrival at the bottleneck, that is still
-- open half an RTT later. The log also holds the packets that the bottleneck dropped, so its own drops leave no gap.
-- A retransmission comes at least a whole RTT later; a packet that was only overtaken comes sooner. The RTT is the
-- one without queueing, with the delay line's part; if the clients' RTTs differ, the shortest counts.
-- The log does not hold the length of the TCP header. Payload is taken as ip_bytes - 40, which is at most 40 bytes
-- too much (RFC 9293, 3.1: 20 to 60 bytes of header). A lost packet of up to 40 bytes of payload can therefore be
-- missed, and so can the last packet of a flow, and a gap that opens within the last half RTT.
-- Packets that the setting itself loses before the bottleneck have records in the log: they leave no gap, and they
-- are not arrivals.
with
clients as (select * from read_parquet($clients) where status = 'completed'),

patience as (
    select min(rtt_ms) * 5e5 as half_rtt_ns from clients
),

arrivals as not materialized (
    select client, flow, arrival_ns, tcp_seq, ip_bytes, verdict
    from read_parquet($queue)
    where tcp_seq is not null
),

counted as (
    select
        client,
        count(*) filter (verdict <> 'lost_before') as tcp_packets,
        max(arrival_ns) as end_ns
    from arrivals
    group by client
),

others as (
    select client, count(*) as other_packets
    from read_parquet($queue)
    where tcp_seq is null and verdict <> 'lost_before'
    group by client
),

-- All rows are sorted once, then each gets the values of the previous row: over () keeps the order of its input. A
-- window by flow gives the same result in twice the time.
followed as (
    select
        *,
        lag(flow) over () is not distinct from flow as follows,
        lag(arrival_ns) over () as last_ns,
        lag(tcp_seq) over () as last_seq,
        lag(ip_bytes) over () as last_ip_bytes
    from (select * from arrivals order by flow, arrival_ns, tcp_seq) as sorted_arrivals
),

-- A run is a sequence of packets without a gap; only its first packet matters below. A run also ends at a pause of
-- half an RTT, so that packets in time and packets too late are in different runs, and where sequence numbers wrap
-- around (at 2^32), so that a run never has more bytes than the numbers can count.
runs as (
    select
        client,
        flow,
        arrival_ns,
        tcp_seq,
        ip_bytes,
        case when follows then last_seq end as last_seq,
        case when follows then last_ip_bytes end as last_ip_bytes,
        case when follows then (tcp_seq - last_seq + 6442450944) % 4294967296 - 2147483648 end as step
    from followed
    where
        not follows
        or last_seq is null
        or tcp_seq < last_seq
        or tcp_seq > last_seq + last_ip_bytes - 40
        or arrival_ns - last_ns >= (select half_rtt_ns from patience)
),

-- A step of 64 MiB is larger than any window: another connection uses the same ports.
connections as (
    select
        *,
        sum(case when last_seq is null or abs(step) > 67108864 then 1 else 0 end) over (
            partition by flow order by arrival_ns, tcp_seq rows unbounded preceding
        ) as connection,
        lag(tcp_seq) over (partition by flow order by arrival_ns, tcp_seq) as run_seq
    from runs
),

-- The place of each run in the bytes of its connection, relative to the previous run.
advances as (
    select
        *,
        row_number() over in_order = 1 as opens,
        case when row_number() over in_order = 1 then 0 else last_seq - run_seq + step end as advance
    from connections
    window in_order as (partition by flow, connection order by arrival_ns, tcp_seq)
),

places as (
    select *, sum(advance) over (
            partition by flow, connection order by arrival_ns, tcp_seq rows unbounded preceding
        ) as place
    from advances
),

reaches as (
    select
        *,
        max(case when not opens then place - step + last_ip_bytes - 40 end) over (
            partition by flow, connection order by arrival_ns, tcp_seq rows unbounded preceding
        ) as reached,
        lead(place - step + last_ip_bytes - 40) over (
            partition by flow, connection order by arrival_ns, tcp_seq
        ) as run_end,
        max(greatest(ip_bytes, last_ip_bytes)) over (partition by flow, connection) - 40 as segment_bytes
    from places
),

gaps as (
    select
        client,
        flow,
        connection,
        arrival_ns,
        reached as gap_begin,
        place as gap_end,
        segment_bytes,
        -- The length of the packet before the gap may be up to 40 bytes too large; a late packet may begin there.
        reached - 40 as earliest
    from reaches
    where place > reached
),

late as (
    select flow, connection, arrival_ns as late_ns, place, coalesce(run_end, place + ip_bytes - 40) as run_end
    from reaches
    where place < reached
),

-- The gaps of a connection do not overlap, so each late run belongs to the last gap that begins before it.
filled as (
    select
        gaps.flow,
        gaps.connection,
        gap_begin,
        sum(least(run_end, gap_end) - greatest(place, gap_begin)) as filled_bytes
    from late
    asof inner join gaps
        on late.flow = gaps.flow and late.connection = gaps.connection and late.place >= gaps.earliest
    cross join patience
    where place < gap_end and late_ns - arrival_ns between 0 and half_rtt_ns
    group by all
),

lost as (
    select
        client,
        sum(ceil(greatest(gap_end - gap_begin - coalesce(filled_bytes, 0), 0) / segment_bytes))::bigint
            as lost_packets
    from gaps
    left join filled using (flow, connection, gap_begin)
    inner join counted using (client)
    cross join patience
    where arrival_ns + half_rtt_ns <= end_ns
    group by client
),

methods as (
    select
        clients.*,
        coalesce(tcp_packets, 0) as tcp_packets,
        coalesce(lost_packets, 0) as tcp_lost_packets,
        case
            when tcp_packets > coalesce(other_packets, 0) then 'tcp'
            when self_hosted and service_sent_packets is not null then 'device'
            else 'unknown'
        end as method
    from clients
    left join counted using (client)
    left join others using (client)
    left join lost using (client)
)

select
    setting,
    pair,
    trial,
    client,
    service,
    method,
    tcp_packets,
    case when method = 'device' then service_sent_packets end as sent_packets,
    case method when 'tcp' then tcp_lost_packets when 'device' then service_device_dropped_packets end
        as lost_packets
from methods
order by setting, pair, trial, client
