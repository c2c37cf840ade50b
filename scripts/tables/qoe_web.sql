-- qoe_web: how fast a page loaded, load by load of one trial.
-- Grain:   one row per trial, client that loaded a page, and load; none if the trial failed.
-- Units:   in the names; times count from the moment at which the browser begins to open the page.
-- Sources: qoe of one trial (scripts/extract), trial_services.
-- Prudentia, 5.2: every load has a new browser, without cache and cookies. visually_complete_s is the paper's page
-- load time. A load that had not ended at its limit is censored: its times are lower bounds. A page that was not
-- loaded at all in a completed trial counts as one load that had not ended after the whole steady window.
with
loads as (
    select client, generate_subscripts(loads, 1)::integer as load, unnest(loads, recursive := true)
    from read_parquet($qoe)
    where loads is not null
),

clients as (
    select *
    from read_parquet($trial_services)
    where
        status = 'completed'
        and (list_contains($pages::varchar[], service) or client in (select client from loads))
)

select
    setting,
    pair,
    trial,
    client,
    service,
    contender,
    valid,
    coalesce(load, 1) as load,
    coalesce(censored, load is null) as censored,
    case when load is null then window_s else visually_complete_s end as visually_complete_s,
    case when load is null then window_s else speed_index_s end as speed_index_s,
    load_event_s,
    coalesce(requests, 0) as requests,
    coalesce(received_bytes, 0) as received_bytes
from clients
left join loads using (client)
order by setting, pair, trial, client, load
