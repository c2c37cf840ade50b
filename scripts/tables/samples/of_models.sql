-- The throughput models of the slides, beside what was measured.
-- Sources:    trial_services.
-- Parameters: $bulk (the services that send over the kernel's TCP without a limit of their own: congestion control and
--             flows), $links (what each setting's bottleneck does with packets).
-- link_fraction is the wire rate of all BBR clients of a trial together, over the capacity. Its model (Ware et al. 2019) is
-- of a drop-tail queue, long BBR flows and long flows of Cubic or Reno, which all have one RTT. Trials with anything else
-- have no row. The row is of the first BBR client. The error is the measured fraction minus that of the model.
-- mathis_ratio and padhye_ratio are the goodput of a Cubic or Reno client with one flow, over that of the model: TCP
-- payload received, and full segments. The models are of Reno; Cubic is here because it is compared with them. They get
-- the trial's own loss rate of the client as p, its base RTT and mean queueing delay as RTT, b = 2 (delayed ACKs) and T_0
-- = RTT + 0.2 s (scripts/tables/formulas.py). Without loss there is no ratio. With ECN the loss rate is not all that
-- TCP reacts to, so such settings have no row. A service with several clients gives one value a trial: their mean.
with
bulk as (
    select unnest($bulk::struct(service varchar, sends varchar, flows integer)[], recursive := true)
),

links as (select * from links_of($links)),

clients as (
    select
        trial_services.*,
        place_in_name(setting, pair, trial, service, client) as number,
        sends,
        flows,
        coalesce(sends, '') = 'bbr' as is_bbr,
        coalesce(sends, '') in ('cubic', 'reno') as is_loss_based,
        rtt_ms / 1e3 as base_rtt_s,
        (rtt_ms + queueing_delay_mean_ms) / 1e3 as loaded_rtt_s
    from read_parquet($trial_services) as trial_services
    left join bulk using (service)
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
        list_sum(list(wire_rate_mbps order by number) filter (is_bbr)) / any_value(rate_mbps) as measured
    from clients
    group by setting, pair, trial
    having
        bool_or(is_bbr)
        and bool_or(is_loss_based)
        and bool_and(is_bbr or is_loss_based)
        and min(rtt_ms) = max(rtt_ms)
),

modelled_fractions as (
    select
        bbr_trials.*,
        nullif(bbr_link_fraction(bbr_flows, queue_packets, rate_mbps, rtt_s), 'nan'::double) as model
    from bbr_trials
    inner join links using (setting)
    where discipline = 'droptail' and random_loss = 0
),

fractions as (
    select
        *,
        unnest([
            {metric: 'link_fraction', value: measured},
            {metric: 'link_fraction_error', value: measured - model}
        ], recursive := true)
    from modelled_fractions
),

modelled_rates as (
    select
        clients.*,
        case when loss_rate > 0 then mathis_mbps(loaded_rtt_s, loss_rate) end as mathis_mbps,
        case when loss_rate > 0 then padhye_mbps(loaded_rtt_s, loss_rate) end as padhye_mbps
    from clients
    inner join links using (setting)
    where is_loss_based and flows = 1 and not ecn
),

rates as (
    select
        setting,
        pair,
        trial,
        service,
        arg_min(contender, number) as contender,
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

select setting, pair, trial, service, contender, 'first' as instance, metric, value, model
from fractions

union all

select setting, pair, trial, service, contender, 'first' as instance, metric, value, model
from rates
