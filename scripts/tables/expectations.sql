-- expectations: what the campaign expected, and what came out. The table registration tells when it was stated.
-- Grain:      one row per expectation and check; none if the campaign expects nothing.
-- Units:      those of the metric.
-- Sources:    figures, samples.
-- Parameters: $expectations (every check: its figure, the numbers or the other figure that it is compared with, and why no
--             trial could fulfil it), $relative (the metrics whose figures are compared by their intervals), $moving (the
--             metrics that need a settled cell).
-- A verdict is about a whole 95 % interval. A check came out if all of the interval fulfils it, did not if none of it does,
-- and is undecided otherwise. The interval is that of the figure. If the check compares two figures, it is that of their
-- difference over their trials (scripts/metrics/joint_intervals.py).
-- The trials do not tell all about a figure of $relative, nor about one without trials, such as K over a sweep. Two such
-- figures are compared by the ends of their intervals, which is conservative: below means that the high end of one is
-- below the low end of the other.
-- A check is not comparable, and speaks neither for nor against its expectation, for one of these causes:
-- - Its figure has no value by its definition, such as that of a model that does not hold there. Then the other checks of
--   its expectation decide.
-- - No trial with these services could fulfil it (scripts/tables/stand_ins.py), and it did not come out.
-- - A figure has no interval.
-- - A metric of $moving is of a cell that still moves, or it did not come out and nothing shows that the cell is settled.
--   The share of the figure's service tells (`settled` in macros.sql), of a self-pair those of both instances. Without a
--   share this is not asked.
-- From at_least on, values are lower bounds: an interval that ends there has no upper limit.
with
checks as (
    select
        unnest(
            $expectations::struct(
                expectation varchar,
                place integer,
                check_number integer,
                figure struct(
                    setting varchar,
                    service varchar,
                    contender varchar,
                    instance varchar,
                    subject varchar,
                    size_class varchar,
                    metric varchar,
                    statistic varchar
                ),
                relation varchar,
                low double,
                high double,
                other struct(
                    setting varchar,
                    service varchar,
                    contender varchar,
                    instance varchar,
                    subject varchar,
                    size_class varchar,
                    metric varchar,
                    statistic varchar
                ),
                other_words varchar,
                times double,
                cannot_show varchar
            )[],
            max_depth := 2
        )
),

figures as (
    select
        figure_of(setting, service, contender, instance, subject, size_class, metric, statistic) as figure,
        n,
        median,
        low,
        high,
        at_least,
        case when high >= at_least then 'inf'::double else high end as limit_above
    from read_parquet($figures)
),

-- The values over the valid trials; `most` has infinity for lower bounds. An undefined figure has no interval.
trials as (
    select
        figure_of(setting, service, contender, instance, subject, size_class, metric, statistic) as figure,
        list(value order by value, lower_bound) as least,
        list(case when lower_bound then 'inf'::double else value end order by value, lower_bound) as most
    from read_parquet($samples)
    where valid and value is not null and not list_contains($relative::varchar[], metric)
    group by figure
),

undefined as (
    select
        figure_of(setting, service, contender, instance, subject, size_class, metric, statistic) as figure,
        coalesce(min(reason), 'a trial has no such ratio') as outside
    from read_parquet($samples)
    where valid and undefined
    group by figure
),

cells as (
    select
        setting,
        service,
        contender,
        case
            when bool_or(settled(low, high) = 'still moving') filter (metric = 'share_change') then 'still moving'
            when bool_and(coalesce(settled(low, high) = 'settled', false)) filter (metric = 'share_change') then 'settled'
            else 'undecided'
        end as settled
    from read_parquet($figures)
    where metric in ('share', 'share_change') and n > 0
    group by setting, service, contender
),

compared as (
    select
        checks.*,
        coalesce(own_undefined.outside, other_undefined.outside) as outside,
        case when list_contains($moving::varchar[], checks.figure.metric) then own_cell.settled end as own_settled,
        case when list_contains($moving::varchar[], checks.other.metric) then other_cell.settled end as other_settled,
        coalesce(own.n, 0) as n,
        own.median as median,
        own.low as own_low,
        own.high as own_high,
        own.at_least as at_least,
        own.limit_above as limit_above,
        case when checks.other is not null then coalesce(other.n, 0) end as other_n,
        coalesce(checks.low, other.low) as expected_low,
        coalesce(checks.high, other.limit_above) as expected_high,
        times * expected_low as least,
        times * expected_high as most,
        own_low is not null and expected_low is not null as is_judged,
        is_judged and own_trials.figure is not null and other_trials.figure is not null as has_trials,
        case
            when has_trials then {
                low: difference_interval(list_transform(other_trials.most, lambda x: times * x), own_trials.least, 0.95)[1],
                high: difference_interval(list_transform(other_trials.least, lambda x: times * x), own_trials.most, 0.95)[2]
            }
        end as difference,
        case
            when has_trials and list_min(own_trials.least) > 0 and list_min(other_trials.least) > 0 then {
                low: ratio_interval(other_trials.most, own_trials.least, 0.95)[1],
                high: ratio_interval(other_trials.least, own_trials.most, 0.95)[2]
            }
        end as ratio
    from checks
    left join figures as own on own.figure = checks.figure
    left join figures as other on other.figure = checks.other
    left join trials as own_trials on own_trials.figure = checks.figure
    left join trials as other_trials on other_trials.figure = checks.other
    left join undefined as own_undefined on own_undefined.figure = checks.figure
    left join undefined as other_undefined on other_undefined.figure = checks.other
    left join cells as own_cell on
        own_cell.setting = checks.figure.setting
        and own_cell.service = checks.figure.service
        and own_cell.contender = checks.figure.contender
    left join cells as other_cell on
        other_cell.setting = checks.other.setting
        and other_cell.service = checks.other.service
        and other_cell.contender = checks.other.contender
),

outcomes as (
    select
        *,
        case relation
            when 'between' then own_low >= least and limit_above <= most
            when 'below' then coalesce(difference.high < 0, limit_above < least)
            when 'above' then coalesce(difference.low > 0, own_low > most)
        end as fulfilled,
        case relation
            when 'between' then limit_above < least or own_low > most
            when 'below' then coalesce(difference.low >= 0, own_low >= most)
            when 'above' then coalesce(difference.high <= 0, limit_above <= least)
        end as contradicted,
        case
            when outside is not null then 'outside the domain of the model'
            when cannot_show is not null and not coalesce(fulfilled, false) then 'the stand-in cannot show it'
            when not is_judged then 'fewer trials than it needs'
            when 'still moving' in (own_settled, other_settled) then 'not settled'
            when contradicted and 'undecided' in (own_settled, other_settled) then 'not settled'
        end as cause
    from compared
),

judged as (
    select
        *,
        case
            when cause is not null then 'not comparable'
            when fulfilled then 'came out'
            when contradicted then 'did not'
            else 'undecided'
        end as verdict,
        case cause
            when 'outside the domain of the model' then outside
            when 'the stand-in cannot show it' then cannot_show
            when 'not settled' then
                case
                    when 'still moving' in (own_settled, other_settled) then 'still moving'
                    else 'nothing shows that it no longer moves'
                end
        end as reason
    from outcomes
)

select
    expectation,
    place,
    check_number,
    figure.setting as setting,
    figure.service as service,
    figure.contender as contender,
    figure.instance as instance,
    figure.subject as subject,
    figure.size_class as size_class,
    figure.metric as metric,
    figure.statistic as statistic,
    n,
    median,
    own_low as low,
    own_high as high,
    at_least,
    relation,
    expected_low,
    case when isfinite(expected_high) then expected_high end as expected_high,
    times,
    other_words as other,
    other_n,
    verdict,
    case
        when bool_or(verdict = 'did not') over of_expectation then 'did not'
        when bool_or(verdict = 'undecided') over of_expectation then 'undecided'
        when bool_or(cause <> 'outside the domain of the model') over of_expectation then 'not comparable'
        when bool_or(verdict = 'came out') over of_expectation then 'came out'
        else 'not comparable'
    end as expectation_verdict,
    case when isfinite(difference.low) then difference.low end as difference_low,
    case when isfinite(difference.high) then difference.high end as difference_high,
    ratio.low as ratio_low,
    case when isfinite(ratio.high) then ratio.high end as ratio_high,
    reason,
    cause
from judged
window of_expectation as (partition by expectation)
order by place, check_number
