-- The throughput models of the slides, beside what was measured.
-- Sources:    trial_services.
-- Parameters: $tcp_senders (the services that send over the kernel's TCP: congestion control, flows, and whether they
--             pause), $links (what each setting's bottleneck does with packets).
-- A model that does not hold for a trial has no value there, and `outside` says why.
-- link_fraction is the wire rate of all BBR clients of a trial together, over the capacity. Its model (Ware et al. 2019) is
-- of a drop-tail queue, BBR flows and flows of Cubic or Reno, which all have one RTT. Trials with anything else have no
-- row. The row is of the first BBR client. The error is the measured fraction minus that of the model. The model holds
-- for flows that send all the time, over several cycles of ProbeRTT, which BBR enters every 10 s, and where its formula
-- leaves the loss-based flows at least nothing (scripts/metrics/models.py).
-- mathis_ratio and padhye_ratio are the goodput of a Reno client with one flow, over that of the model: TCP payload
-- received, and full segments. The models get the loss events per packet as p, from all valid trials of the setting and
-- pair together, because a trial has few events or none. They get the trial's base RTT and mean queueing delay as RTT,
-- and the testbed's constants (scripts/tables/formulas.py). Cubic has rows, for its loss events, and no ratio: it reacts
-- to them otherwise. With ECN loss events are not all that TCP reacts to, so such settings have no row. A service with
-- several clients gives one value a trial: their mean.
with
tcp_senders as (
    select
        unnest(
            $tcp_senders::struct(service varchar, sends varchar, flows integer, pauses boolean)[], recursive := true
        )
),

links as (select * from links_of($links)),

clients as (
    select
        trial_services.*,
        place_in_name(setting, pair, trial, service, client) as number,
        sends,
        flows,
        pauses,
        coalesce(sends, '') = 'bbr' as is_bbr,
        coalesce(sends, '') in ('cubic', 'reno') as is_loss_based,
        rtt_ms / 1e3 as base_rtt_s,
        (rtt_ms + queueing_delay_mean_ms) / 1e3 as loaded_rtt_s
    from read_parquet($trial_services) as trial_services
    left join tcp_senders using (service)
),

bbr_trials as (
    select
        setting,
        pair,
        trial,
        arg_min(service, number) filter (is_bbr) as service,
        arg_min(contender, number) filter (is_bbr) as contender,
        sum(flows) filter (is_bbr)::integer as bbr_flows,
        any_value(rate_mbps) as rate_mbps,
        any_value(base_rtt_s) as rtt_s,
        list_sum(list(wire_rate_mbps order by number) filter (is_bbr)) / any_value(rate_mbps) as measured,
        bool_or(pauses) as pauses,
        any_value(window_s) as window_s
    from clients
    group by setting, pair, trial
    having
        bool_or(is_bbr)
        and bool_or(is_loss_based)
        and bool_and(is_bbr or is_loss_based)
        and min(rtt_ms) = max(rtt_ms)
),

formula_fractions as (
    select *, bbr_link_fraction(bbr_flows, queue_packets, rate_mbps, rtt_s) as formula
    from bbr_trials
    inner join links using (setting)
    where discipline = 'droptail' and random_loss = 0
),

modelled_fractions as (
    select
        *,
        case
            when pauses then 'a service pauses or limits itself'
            when coalesce(isnan(formula), true) then 'the formula gives no fraction'
            when window_s < 5 * 10 then 'fewer than five ProbeRTT cycles'
        end as outside,
        case when outside is null then formula end as model
    from formula_fractions
),

fractions as (
    select
        *,
        unnest([
            {metric: 'link_fraction', value: measured},
            {metric: 'link_fraction_error', value: case when outside is null then measured - model else 'nan' end}
        ], recursive := true)
    from modelled_fractions
),

loss_based as (
    select clients.*
    from clients
    inner join links using (setting)
    where is_loss_based and flows = 1 and not ecn
),

cells as (
    select setting, pair, service, sum(loss_events) / nullif(sum(arrived_packets), 0) as p
    from loss_based
    where valid
    group by setting, pair, service
),

modelled_rates as (
    select
        *,
        case
            when sends <> 'reno' then 'not Reno'
            when pauses then 'a service pauses or limits itself'
            when coalesce(p, 0) = 0 then 'no loss event'
        end as outside,
        case when outside is null then mathis_mbps(loaded_rtt_s, p) end as mathis_mbps,
        case when outside is null then padhye_mbps(loaded_rtt_s, p) end as padhye_mbps
    from loss_based
    left join cells using (setting, pair, service)
),

rates as (
    select
        setting,
        pair,
        trial,
        service,
        arg_min(contender, number) as contender,
        any_value(outside) as outside,
        unnest([
            {
                metric: 'mathis_ratio',
                value: list_avg(list(goodput_mbps / mathis_mbps order by number)),
                model: list_avg(list(mathis_mbps order by number))
            },
            {
                metric: 'padhye_ratio',
                value: list_avg(list(goodput_mbps / padhye_mbps order by number)),
                model: list_avg(list(padhye_mbps order by number))
            }
        ], recursive := true)
    from modelled_rates
    group by setting, pair, trial, service
)

select setting, pair, trial, service, contender, 'first' as instance, metric, value, model, outside as reason
from fractions

union all

select
    setting,
    pair,
    trial,
    service,
    contender,
    'first' as instance,
    metric,
    case when outside is null then value else 'nan' end as value,
    model,
    outside as reason
from rates
