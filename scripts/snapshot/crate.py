"""ro-crate-metadata.json: how a snapshot came to be, as an RO-Crate 1.1 with the profile Process Run Crate.

Every trial is an action: when it ran, of which specification, with which testbed, on which kernel, with which
versions of programs, and which folder it left. One more action made tables and charts from these folders.
Programs that read RO-Crate can follow a figure back to the trials. Sizes and checksums are in
datapackage.json.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from scripts.base.records import Json
from scripts.snapshot import about
from scripts.snapshot.about import About, SnapshotFile
from scripts.snapshot.code_archive import SOURCE_ARCHIVE
from scripts.snapshot.environment import RunTestbed, TrialRun

CRATE = "ro-crate-metadata.json"

PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
MIT = "https://spdx.org/licenses/MIT"
PUBLISHER, ANALYSIS = "#publisher", "#analysis"
SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"

FOLDERS = {
    "plan/": "The configuration, its registration, the order of the trials, and the specification of each.",
    "trials/": "The published files of each trial: captures without payload, queue log, trial.json.",
    "compared/": "The tables of other cycles that this one is compared with.",
    "tables/": "The results as Parquet and CSV. datapackage.json and croissant.json describe their columns.",
    "charts/": "The charts of the cycle and of chosen trials.",
}


LEAN_FOLDERS = {
    "trials/": "The record of each trial, trial.json. left_out.json names the captures and logs.",
    "tables/": "The results as Parquet. datapackage.json and croissant.json describe their columns.",
}
"""What differs in a lean snapshot."""


def crate(snapshot: About, files: Sequence[SnapshotFile], runs: Sequence[TrialRun]) -> dict[str, Json]:
    """The RO-Crate of a snapshot with these files and trials."""
    folders = [name for name in FOLDERS if any(file.path.parts[0] == name[:-1] for file in files)]
    loose = [file for file in files if len(file.path.parts) == 1 and file.path.name != CRATE]
    testbeds = {
        testbed: f"#testbed/{number}"
        for number, testbed in enumerate(dict.fromkeys(run.testbed for run in runs))
    }
    code = SOURCE_ARCHIVE if any(file.path == Path(SOURCE_ARCHIVE) for file in files) else "#code"
    graph: list[Json] = [
        {
            "@id": CRATE,
            "@type": "CreativeWork",
            "conformsTo": _to("https://w3id.org/ro/crate/1.1"),
            "about": _to("./"),
        },
        _root(snapshot, [*folders, *(file.path.name for file in loose)], runs, code),
        *(_file(file) for file in loose if file.path.name != code),
        *(_folder(name, runs, snapshot.lean) for name in folders),
        *_code(snapshot, code, loose),
        *_analysis(folders, code),
        *(_testbed(name, testbed) for testbed, name in testbeds.items()),
        *_programs(testbeds),
        *(entity for run in runs for entity in _trial(run, testbeds[run.testbed])),
        *_surroundings(),
    ]
    return {"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}


def _to(*names: str) -> Json:
    """A reference to an entity, or to several."""
    references: list[Json] = [{"@id": name} for name in names]
    return references[0] if len(references) == 1 else references


def _root(snapshot: About, parts: Sequence[str], runs: Sequence[TrialRun], code: str) -> Json:
    """The snapshot itself."""
    return {
        "@id": "./",
        "@type": "Dataset",
        "identifier": snapshot.name,
        "name": snapshot.title,
        "description": snapshot.description,
        "version": snapshot.version,
        **({"datePublished": snapshot.date} if snapshot.date else {}),
        **({"temporalCoverage": f"{snapshot.start}/{snapshot.stop}"} if snapshot.start else {}),
        "license": _to(about.LICENCE_ADDRESS),
        "publisher": _to(PUBLISHER),
        "author": _to(PUBLISHER),
        "conformsTo": _to(PROFILE),
        "citation": _to(about.PAPER),
        "keywords": ", ".join(("fairness", "congestion control", *snapshot.services)),
        "hasPart": [_to(name) for name in parts],
        "mainEntity": _to(code),
        "mentions": [_to(ANALYSIS), *(_to(run.identifier) for run in runs)],
    }


def _file(file: SnapshotFile) -> Json:
    """A file beside the folders."""
    return {
        "@id": file.path.as_posix(),
        "@type": "File",
        "name": file.path.name,
        "encodingFormat": file.media_type,
        "contentSize": str(file.bytes),
    }


def _folder(name: str, runs: Sequence[TrialRun], lean: bool) -> Json:
    """A folder of the snapshot; trials/ has the folder of each trial, and plan/ the specifications."""
    parts = {"trials/": [run.folder for run in runs], "plan/": [run.specification for run in runs]}.get(name)
    words = LEAN_FOLDERS.get(name, FOLDERS[name]) if lean else FOLDERS[name]
    described: dict[str, Json] = {"@id": name, "@type": "Dataset", "name": name, "description": words}
    return {**described, "hasPart": [_to(part) for part in parts]} if parts else described


def _code(snapshot: About, code: str, loose: Sequence[SnapshotFile]) -> list[Json]:
    """The workflow: the archive of the code if the snapshot has it, else the commit alone."""
    archived = [file for file in loose if file.path.name == code]
    kinds: list[Json] = [*(["File"] if archived else []), "SoftwareSourceCode", "ComputationalWorkflow"]
    return [
        {
            "@id": code,
            "@type": kinds,
            "name": "The code of the observatory; its Snakefile leads from trials to tables and charts",
            **({"version": snapshot.commit} if snapshot.commit else {}),
            **({"encodingFormat": archived[0].media_type} if archived else {}),
            **({"contentSize": str(archived[0].bytes)} if archived else {}),
            "license": _to(MIT),
            "programmingLanguage": _to(SNAKEMAKE),
        },
        {
            "@id": SNAKEMAKE,
            "@type": "ComputerLanguage",
            "name": "Snakemake",
            "url": _to("https://snakemake.readthedocs.io"),
        },
        {"@id": "https://snakemake.readthedocs.io", "@type": "WebPage", "name": "Snakemake"},
    ]


def _analysis(folders: Sequence[str], code: str) -> list[Json]:
    """The action that made tables and charts. It has no time: its result does not depend on it."""
    return [
        {
            "@id": ANALYSIS,
            "@type": "CreateAction",
            "name": "Extract the captures, build the tables, draw the charts",
            "instrument": _to(code),
            "object": [_to(name) for name in folders if name in ("plan/", "trials/", "compared/")],
            "result": [_to(name) for name in folders if name in ("tables/", "charts/")],
            "agent": _to(PUBLISHER),
        }
    ]


def _testbed(name: str, testbed: RunTestbed) -> Json:
    """A bottleneck, with the kernel and the programs that it ran beside."""
    return {
        "@id": name,
        "@type": "SoftwareApplication",
        "name": testbed.title,
        "softwareVersion": testbed.version or "not known",
        **({"operatingSystem": f"Linux {testbed.kernel}"} if testbed.kernel else {}),
        "softwareRequirements": [_to(program) for program in testbed.program_entities()],
    }


def _programs(testbeds: Iterable[RunTestbed]) -> list[Json]:
    """Every version of every program."""
    programs = {name: version for testbed in testbeds for name, version in testbed.program_entities().items()}
    return [
        {"@id": identifier, "@type": "SoftwareApplication", "name": name, "softwareVersion": version}
        for identifier, (name, version) in sorted(programs.items())
    ]


def _trial(run: TrialRun, testbed: str) -> list[Json]:
    """The action of a trial, with its specification and its folder."""
    times: Mapping[str, Json] = {
        name: time for name, time in (("startTime", run.start), ("endTime", run.stop)) if time
    }
    status = "CompletedActionStatus" if run.completed else "FailedActionStatus"
    return [
        {
            "@id": run.identifier,
            "@type": "CreateAction",
            "name": run.title,
            "instrument": _to(testbed),
            "object": _to(run.specification),
            "result": _to(run.folder),
            **times,
            "actionStatus": f"http://schema.org/{status}",
            **({"error": run.reason} if run.reason else {}),
            "agent": _to(PUBLISHER),
        },
        {"@id": run.folder, "@type": "Dataset", "name": run.title},
        {
            "@id": run.specification,
            "@type": "File",
            "name": f"specification of {run.title}",
            "encodingFormat": "application/json",
        },
    ]


def _surroundings() -> list[Json]:
    """What is no part of the snapshot: publisher, licences, the paper, the profile."""
    works = (
        (
            about.LICENCE_ADDRESS,
            about.LICENCE_TITLE,
            "Use the data as you like, and name where they come from.",
        ),
        (MIT, "MIT License", "The licence of the code."),
    )
    return [
        {"@id": PUBLISHER, "@type": "Organization", "name": about.PUBLISHER},
        *(
            {"@id": one, "@type": "CreativeWork", "name": name, "description": text}
            for one, name, text in works
        ),
        {"@id": about.PAPER, "@type": "ScholarlyArticle", "name": about.PAPER_TITLE},
        {"@id": PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"},
    ]
