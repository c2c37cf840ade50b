"""Snapshots: a frozen cycle with checksums, whose figures can be rebuilt from its trials.

A snapshot is a folder:

    SHA256SUMS           checksums of all other files; `sha256sum --check SHA256SUMS` verifies them
    snapshot.json        the cycle, the revision and the commit of the code (identity.py)
    datapackage.json     every file with size and checksum, every column with its type (metadata.py)
    croissant.json       the tables, for programs that read Croissant (metadata.py)
    ro-crate-metadata.json
                         how it came to be: trials and analysis as actions (crate.py)
    requirements.lock    the Python packages that made the tables and charts
    plan/                merged configuration, order of the trials, specification of each trial, and the
                         services that were set aside before the cycle
    trials/              the published subset of each trial: captures without payload, queue log, trial.json,
                         qoe.json, …
    compared/            what tables need of other cycles: `changes`, `equivalence` and `recognition`
    tables/, charts/     the results
    left_out.json        what a lean snapshot lacks: captures, logs, other forms, the code (lean_format.py)
    tombstone.json       what was removed since, if anything (absent.py); SHA256SUMS does not list it
    pruned.json          where files of trials are that are not on this disk, if any (absent.py); not listed

SHA256SUMS.sig and tombstone.json.sig are signatures (docs/signing.md). chain.jsonl of the archive has a line
for each signed snapshot and tombstone (chain.py).

A lean snapshot may be one file, <folder>.tar.zst (lean_format.py).

A snapshot is never changed. A correction is a snapshot of its own, the next revision.
"""
