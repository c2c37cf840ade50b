-- orders: the queue, the retransmissions and the fairness of two clients, and which of them started first.
-- Grain:      one row per setting, pair or solo, client and metric, also if no trial is valid (n = 0). Clients are in the
--             order of the pair's name.
-- Units:      queue_fraction and fness_in_order: fraction; retransmitted_packets: packets.
-- Sources:    trial_services, figures (scripts/tables/samples/of_orders.sql explains the metrics).
-- Parameters: $starts (when clients start, in settings that say so), $pages (the web pages, which start after their
--             contender).
with
starts as (
    select unnest($starts::struct(setting varchar, client varchar, start_s double)[], recursive := true)
),

clients as (
    select distinct
        setting,
        pair,
        client_in_name(self_pair, service, contender, client) as client,
        service,
        contender,
        place_of(self_pair, client) as instance,
        clients
    from read_parquet($trial_services)
    where clients <= 2
),

placed as (
    select clients.*, coalesce(start_s, 0) + list_contains($pages::varchar[], service)::integer as place
    from clients
    left join starts using (setting, client)
),

in_order as (
    select
        *,
        min(place) over (partition by setting, pair) as first_place,
        max(place) over (partition by setting, pair) as last_place
    from placed
)

select
    setting,
    pair,
    client,
    service,
    contender,
    instance,
    case
        when clients = 1 then 'alone'
        when first_place = last_place then 'together'
        when place = first_place then 'first'
        else 'second'
    end as started,
    metric,
    n,
    median,
    q25,
    q75,
    low,
    high,
    trials
from in_order
inner join read_parquet($figures) using (setting, pair, service, contender, instance)
where metric in ('queue_fraction', 'retransmitted_packets', 'fness_in_order')
order by setting, pair, client, metric
