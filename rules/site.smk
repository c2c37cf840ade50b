"""Needs the snapshot of the cycle. Adds it to the archive, which holds every snapshot in `snapshots/` of the data.

Snakemake deletes the output of a rule before the rule runs. The declared output is therefore an empty file (a
stamp), and the old site stays until the new one replaces it.
"""


rule site:
    """The archive with this cycle in it."""
    input:
        snapshot=f"{DATA}/{CAMPAIGN}/{CYCLE}/stamps/snapshot",
        code=[
            code_of("scripts.site.__main__"),
            sorted(glob("scripts/tables/*.yaml")),
            [file for part in ("common", "cycle", "root") for file in sorted(glob(f"site/{part}/**/*.*", recursive=True))],
            ["config/site.yaml", *sorted(glob("config/papers/*.yaml"))],
        ],
    output:
        touch(f"{DATA}/{CAMPAIGN}/{CYCLE}/stamps/site"),
    params:
        snapshots=f"{DATA}/snapshots",
    log:
        f"{DATA}/{CAMPAIGN}/{CYCLE}/logs/site.log",
    shell:
        "python -m scripts.site build --snapshots {params.snapshots:q} -o {PUBLIC:q} > {log:q} 2>&1"
