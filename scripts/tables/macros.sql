-- Macros of the tables over a cycle's trials. scripts/tables/formulas.py defines the functions and variables.

-- Median, quartiles and 95 % interval of the median of a column, over a group. The interval is that of
-- scripts.metrics.statistics.median_ci; null below 6 values.
create macro summary(x) as {
    median: quantile_cont(x, 0.5),
    q25: quantile_cont(x, 0.25),
    q75: quantile_cont(x, 0.75),
    low: nullif(median_low(list(x order by x) filter (where x is not null)), 'nan'::double),
    high: nullif(median_high(list(x order by x) filter (where x is not null)), 'nan'::double)
};

-- What a share of the max-min fair allocation means (scripts/metrics/fairness.py).
create macro losing(share) as share < getvariable('losing_below');
create macro winning(share) as share > getvariable('winning_above');

-- The services in a column `contender`, one for each other client (scripts/model/pairs.py); none for a service alone.
create macro contenders_of(contender) as
    case when contender = '' then []::varchar[] else string_split(contender, '~') end;

-- All services of a trial, one for each client.
create macro services_of(service, contender) as list_prepend(service, contenders_of(contender));

-- Whether trials with this contender are a cell of the throughput matrix: they have two clients, and the contender
-- is not one of the services in `beyond`. An incumbent in the tables pairs and stability never is.
create macro is_cell(contender, beyond) as
    len(contenders_of(contender)) = 1 and not list_contains(beyond::varchar[], contender);
