-- qoe_web: how fast a page loaded, load by load of one trial.
-- Grain:   one row per trial, client that loaded a page, and load; none if the trial failed.
-- Units:   in the names; times count from the moment at which the browser begins to open the page.
-- Sources: qoe of one trial (scripts/extract), trial_services.
-- Prudentia, 5.2: every load has a new browser, without cache and cookies. visually_complete_s is the paper's page
-- load time.
with
loads as (
    select client, generate_subscripts(loads, 1)::integer as load, unnest(loads, recursive := true)
    from read_parquet($qoe)
    where loads is not null
)

select
    setting,
    pair,
    trial,
    client,
    service,
    contender,
    valid,
    load,
    visually_complete_s,
    speed_index_s,
    load_event_s,
    requests,
    received_bytes
from read_parquet($trial_services)
inner join loads using (client)
where status = 'completed'
order by setting, pair, trial, client, load
