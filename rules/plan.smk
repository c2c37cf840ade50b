"""Needs the configuration and the catalogue; makes the cycle's merged configuration and its plan."""


rule merged_config:
    """The campaign over the defaults, checked, with its services."""
    input:
        "config/config.yaml",
        "config/campaigns/{campaign}.yaml",
        sorted(glob("config/schemas/*.yaml")),
        sorted(glob("services/catalogue/*.yaml")),
        "scripts/config.py",
        "scripts/schemas.py",
        "testbed/link.py",
    output:
        DATA + "/{campaign}/{cycle}/plan/config.json",
    log:
        DATA + "/{campaign}/{cycle}/logs/merged_config.log",
    shell:
        "python -m scripts.config {wildcards.campaign:q} -o {output:q} 2>&1 | tee {log:q}"


checkpoint plan:
    """Which trials the cycle has, in order; a specification each, written once (undeclared: never deleted)."""
    input:
        config=rules.merged_config.output,
        code="scripts/plan.py",
    output:
        DATA + "/{campaign}/{cycle}/plan/plan.csv",
    params:
        directory=lambda wildcards, output: str(Path(output[0]).parent),
    log:
        DATA + "/{campaign}/{cycle}/logs/plan.log",
    shell:
        "python -m scripts.plan {input.config:q} --cycle {wildcards.cycle:q} -o {params.directory:q} 2>&1 | tee {log:q}"
