"""Stage: real cascades into our form, prepared as the study says, their counts compared with what was expected."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cascurve import plugins, seeding
from cascurve.errors import ConfigError
from cascurve.formats.account import Step
from cascurve.formats.imported import Imported


def run(spec: dict[str, Any]) -> Imported:
    """Read the files and prepare what they hold.

    Parameters
    ----------
    spec : keys seed, dataset, module and parameters (of the reader), cascades, graph, expected, and prepare
        (parameters, or None).
    """
    read = plugins.load("formats", spec["module"]).read
    try:
        imported: Imported = read(spec["cascades"], graph=spec["graph"], **spec["parameters"])
    except ConfigError as error:
        raise error.within(f"empirical.{spec['dataset']}.options") from None
    imported = replace(imported, account=(*imported.account, *compared(imported, spec["expected"])))
    if spec["prepare"] is None:
        return imported
    rng = seeding.generator(spec["seed"], "prepare", dataset=spec["dataset"])
    try:
        # loaded by name: an edit of the filters reruns only imports that use them
        prepared: Imported = plugins.load("empirical", "prepare").prepare(imported, **spec["prepare"], rng=rng)
    except ConfigError as error:
        raise error.within(f"empirical.{spec['dataset']}.prepare") from None
    return prepared


def compared(imported: Imported, expected: Mapping[str, Mapping[str, int]]) -> Iterator[Step]:
    """One row of the account per source of expectations; a warning where a count differs.

    Links are those of the link file, before they are stored both ways or repeated ones are left out; cascades and
    participations those of the files.
    """
    rows = {row.step: row for row in imported.account}
    found = {
        "users": len(imported.labels),
        "links": rows["network read"].links if "network read" in rows else 0,
        "cascades": rows["read"].cascades,
        "participations": rows["read"].participations,
    }
    for who, counts in expected.items():
        wrong = [f"{found[name]:,} {name}, not {said:,}" for name, said in counts.items() if found[name] != said]
        agree = [f"{said:,} {name}" for name, said in counts.items() if found[name] == said]
        note = f"{who}: " + "; ".join([*wrong, *([f"as expected {', '.join(agree)}"] if agree else [])])
        yield Step("counts compared", note=note, warning=bool(wrong))
