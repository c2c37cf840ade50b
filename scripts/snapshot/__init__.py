"""Snapshots: a frozen cycle with checksums, whose figures can be rebuilt from its trials.

A snapshot is a folder:

    SHA256SUMS           checksums of all other files; `sha256sum --check SHA256SUMS` verifies them
    datapackage.json     description of the content: a Frictionless data package
    requirements.lock    the Python packages that made the tables and charts
    plan/                merged configuration, order of the trials, specification of each trial
    trials/              the published subset of each trial: captures without payload, queue log, trial.json,
                         qoe.json, …
    tables/, charts/     the results
"""
