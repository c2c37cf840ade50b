-- fmp_accuracy: how well the settings of a sweep can be replaced by some of them that are drawn at random.
-- Grain:      one row per sweep, pair and number of settings: 20, 40, … 200, as far as the sweep has so many with a K.
-- Units:      fractions.
-- Sources:    fmp_settings.
-- Corbel et al., VI-B and Fig. 4. A draw takes settings without replacement, and gives 1 - the 90th percentile of |K| over
-- them. There are 1,000 draws. A draw puts all settings in the order of the MD5 of its number and their names, and its
-- first 20, 40, … settings are taken, so the same settings give the same draws in every cycle.
with
settings as (select * from read_parquet($fmp_settings) where k_abs is not null),

drawn as (
    select
        sweep,
        pair,
        setting,
        k_abs,
        draw,
        row_number() over (partition by sweep, pair, draw order by md5(draw || ' ' || setting), setting) as place
    from settings
    cross join range(1, 1001) as draws (draw)
),

of_all as (
    select
        sweep,
        pair,
        any_value(service) as service,
        any_value(contender) as contender,
        count(*)::integer as n,
        1 - quantile_cont(k_abs, 0.9) as exact
    from settings
    group by sweep, pair
),

samples as (
    select sweep, pair, drawn_settings::integer as drawn_settings, draw, 1 - quantile_cont(k_abs, 0.9) as k_percentile
    from drawn
    inner join of_all using (sweep, pair)
    inner join range(20, 201, 20) as sizes (drawn_settings) on place <= drawn_settings and drawn_settings <= n
    group by sweep, pair, drawn_settings, draw
)

select
    sweep,
    pair,
    any_value(service) as service,
    any_value(contender) as contender,
    drawn_settings,
    any_value(n) as n,
    any_value(exact) as exact,
    count(*)::integer as draws,
    min(k_percentile) as lowest,
    quantile_cont(k_percentile, 0.05) as p5,
    quantile_cont(k_percentile, 0.25) as q25,
    quantile_cont(k_percentile, 0.5) as median,
    quantile_cont(k_percentile, 0.75) as q75,
    quantile_cont(k_percentile, 0.95) as p95,
    max(k_percentile) as highest
from samples
inner join of_all using (sweep, pair)
group by sweep, pair, drawn_settings
order by sweep, pair, drawn_settings
