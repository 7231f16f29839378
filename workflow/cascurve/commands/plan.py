"""Say what a run would do before it is paid for: cells, jobs, CPU hours, disk, and why each job would run."""

import argparse
import contextlib
import io
import json
import logging
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cascurve.commands._limits import at_least
from cascurve.errors import DataError
from cascurve.provenance import ROOT
from cascurve.study import yaml_file
from cascurve.study.config import Study, load
from cascurve.study.costs import MARK, Forecast
from cascurve.study.plan import Job, Plan
from cascurve.study.specs import Specs

SHOWN_REASONS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("--configfile", type=Path, default=Path("config.yaml"), help="the study (default: config.yaml)")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="cores that the run would have")
    parser.add_argument("--directory", type=Path, default=Path(), help="where results/ stands (default: here)")
    parser.add_argument("--snakefile", type=Path, default=ROOT.parent / "Snakefile", help=argparse.SUPPRESS)
    parser.add_argument("--cells", action="store_true", help="list every cell that would run, with its reason")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--measured", action="store_true", help="print what finished jobs cost, one JSON line each, and stop"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the plan; returns 0."""
    at_least(arguments, cores=1)
    if not arguments.directory.is_dir():
        raise DataError("there is no such folder", file=arguments.directory, remedy="name one with --directory")
    logs = sorted((arguments.directory / "results").glob("*/logs/**/*.log"))
    if arguments.measured:
        for log in logs:
            print(*(line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith(MARK)), sep="\n")
        return 0
    study = load(yaml_file.read(arguments.configfile), arguments.directory)
    for line in study.found_out:
        print(line, file=sys.stderr)
    plan = Plan(study, dry_run(arguments, study), Forecast.load(logs))
    print(json.dumps(_as_json(plan), indent=2) if arguments.json else _as_text(plan, arguments))
    return 0


def dry_run(arguments: argparse.Namespace, study: Study) -> list[Job]:
    """The jobs that Snakemake would run."""
    from snakemake.cli import args_to_api, parse_args
    from snakemake.logging import logger

    specs = Specs(study, ROOT / "scripts")
    jobs: list[Job] = []

    def collect(record: logging.LogRecord) -> bool:
        facts = record.__dict__
        if facts.get("event") == "job_info" and facts["rule_name"] != "all":
            rule, wildcards = facts["rule_name"], dict(facts["wildcards"])
            module = specs.module(rule, wildcards)
            jobs.append(Job(rule, module, wildcards, len(facts["input"]), facts["reason"]))
        return record.levelno >= logging.ERROR

    options = ["--snakefile", str(arguments.snakefile), "--directory", str(arguments.directory), "--dry-run"]
    options += ["--configfile", str(arguments.configfile.resolve()), "--cores", str(arguments.cores)]
    here = Path.cwd()
    logger.addFilter(collect)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            parser, parsed = parse_args(options)
        if not args_to_api(parsed, parser):
            raise DataError("Snakemake could not plan the study; its message stands above")
    finally:
        logger.removeFilter(collect)
        os.chdir(here)
    return jobs


def _as_text(plan: Plan, arguments: argparse.Namespace) -> str:
    cells, pending = plan.cells(), plan.pending()
    lines = [f"study {plan.study.name}: {len(cells)} cells, {len(pending)} of them would run; {len(plan.jobs)} jobs"]
    if not plan.jobs:
        return f"{lines[0]}\nNothing to be done."
    kinds = sorted(plan.by_kind(), key=lambda row: -row["cpu_hours"])
    width = max(len(row["kind"]) for row in kinds)
    lines += ["", f"{'job':{width}}  {'jobs':>6}  {'CPU h':>8}  {'disk MB':>8}  {'longest, min':>12}  {'peak MB':>7}"]
    lines += [
        f"{row['kind']:{width}}  {row['jobs']:6d}  {row['cpu_hours']:8.3f}  {row['disk_mb']:8.1f}"
        f"  {row['longest_minutes']:12.1f}  {row['peak_mb']:7.0f}"
        + (f"  ({row['unmeasured']} never measured, not counted)" if row["unmeasured"] else "")
        for row in kinds
    ]
    hours, startup, disk = (sum(row[key] for row in kinds) for key in ("cpu_hours", "startup_hours", "disk_mb"))
    wall = max(60 * hours / arguments.cores, *(row["longest_minutes"] for row in kinds))
    lines += [f"{'total':{width}}  {len(plan.jobs):6d}  {hours:8.3f}  {disk:8.1f}", ""]
    if hours:
        lines.append(
            f"On {arguments.cores} cores: at least {wall:.1f} minutes; {startup / hours:.0%} of the processor time"
            " is start and imports of processes. Kernels that must be compiled come on top."
        )
    else:
        lines.append("No job of these kinds was ever measured: what they cost is unknown.")
    reasons = plan.reasons()
    lines += ["", "why"] + [f"{count:6d}  {label}: {why}" for count, label, why in reasons[:SHOWN_REASONS]]
    if len(reasons) > SHOWN_REASONS:
        lines.append(f"        … and {len(reasons) - SHOWN_REASONS} more groups (--json shows all)")
    if arguments.cells:
        lines += ["", "cells"] + [f"{data} L={length} {model}: {why}" for (data, length, model), why in pending.items()]
    return "\n".join(lines)


def _as_json(plan: Plan) -> dict[str, Any]:
    pending = plan.pending()
    return {
        "study": plan.study.name,
        "cells": len(plan.cells()),
        "kinds": plan.by_kind(),
        "reasons": [{"jobs": count, "job": label, "why": why} for count, label, why in plan.reasons()],
        "pending": [
            {"data": data, "length": length, "model": model, "why": why}
            for (data, length, model), why in pending.items()
        ],
        "jobs": [{**asdict(job.work), "why": job.why()} for job in plan.jobs],
    }
