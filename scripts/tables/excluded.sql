-- excluded: every trial that counts in no median, and why.
-- Grain:   one row per excluded trial and rule of class testbed that it breaks; a failed trial has only the rule
--          `completed`.
-- Units:   figure and threshold in the unit of the rule.
-- Sources: validity, trial_services.
with
validity as (select * from read_parquet($validity) where not valid and class = 'testbed'),

trials as (
    select setting, pair, trial, any_value(status) as status, any_value(reason) as reason
    from read_parquet($trial_services)
    where client = 'c1'
    group by setting, pair, trial
)

select
    setting,
    pair,
    trial,
    status,
    rule,
    figure,
    threshold,
    case when status = 'failed' then reason end as reason
from validity
inner join trials using (setting, pair, trial)
order by setting, pair, trial, rule
