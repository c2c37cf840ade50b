-- qoe_batches: how long every batch of a batched download took in one trial.
-- Grain:   one row per trial, client that downloaded in batches, and complete batch; none if the trial failed.
-- Units:   in the names.
-- Sources: clients and qoe of one trial (scripts/extract), trial_services.
-- A batch is complete when the last of its chunks is (Prudentia, Observation 4). The next batch begins after the pause
-- of the service (`pause_s`), which is 0 by default.
with
clients as (select * from read_parquet($clients) where status = 'completed'),

batches as (
    select
        client,
        (since_ns - trial_start_ns) / 1e9 as opened_s,
        generate_subscripts(batches, 1)::integer as batch,
        unnest(batches) as chunks
    from read_parquet($qoe)
    inner join clients using (client)
    where batches is not null
)

select
    setting,
    pair,
    trial,
    client,
    service,
    contender,
    valid,
    batch,
    opened_s + chunks.start_s as start_s,
    list_max(chunks.chunk_ends_s) - chunks.start_s as completion_s
from read_parquet($trial_services)
inner join batches using (client)
order by setting, pair, trial, client, batch
