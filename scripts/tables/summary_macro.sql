-- summary(x): median, quartiles and 95 % interval of the median of a column, over a group.
-- The interval is that of scripts.metrics.statistics.median_ci; null below 6 values.
create macro summary(x) as {
    median: quantile_cont(x, 0.5),
    q25: quantile_cont(x, 0.25),
    q75: quantile_cont(x, 0.75),
    low: nullif(median_low(list(x order by x) filter (where x is not null)), 'nan'::double),
    high: nullif(median_high(list(x order by x) filter (where x is not null)), 'nan'::double)
};
