"""A frozen, checksummed cycle, and the proof that its figures follow from its trials.

A snapshot is a folder:

    SHA256SUMS           of every other file; `sha256sum --check SHA256SUMS` verifies it
    datapackage.json     what is in it: a Frictionless data package
    requirements.lock    the Python packages its tables and charts were made with
    plan/                merged configuration, order of running, specification of every trial
    trials/              every trial as published: captures without payload, queue log, trial.json, qoe.json
    tables/, charts/     what was made of them
"""
