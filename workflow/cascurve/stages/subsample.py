"""Stage: data sets of fixed lengths from real cascades."""

from typing import Any

from cascurve import seeding
from cascurve.dataset import DataSets
from cascurve.empirical.subsample import Subsample, subsample
from cascurve.errors import ConfigError
from cascurve.formats import account
from cascurve.formats.imported import Imported
from cascurve.stages.cells import each_length


def run(spec: dict[str, Any], imported: Imported) -> DataSets:
    """One data set per length; a length that too few cascades have fails, with the reason.

    Parameters
    ----------
    spec : keys seed, dataset, replicate, parameters, lengths.

    Returns
    -------
    DataSets
        Whose cells hold ``users`` (the import's user behind each of the N) and ``account`` (what was left out).
    """
    place = {key: spec[key] for key in ("dataset", "replicate")}

    def draw(length: int) -> Subsample:
        rng = seeding.generator(spec["seed"], "subsample", length=length, **place)
        try:
            return subsample(imported, length, **spec["parameters"], rng=rng)
        except ConfigError as error:
            raise error.within(f"empirical.{spec['dataset']}") from None

    drawn, failed = each_length(spec["lengths"], draw)
    cells = {
        length: {"users": sample.users.tolist(), "account": account.to_table(sample.account).to_pylist()}
        for length, sample in drawn.items()
    }
    return DataSets({length: sample.dataset for length, sample in drawn.items()}, failed, cells)
