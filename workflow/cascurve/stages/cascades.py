"""Stage: the cascades of one network × mechanism × replicate, for a chunk of lengths."""

from typing import Any

from cascurve import seeding
from cascurve.dataset import DataSets
from cascurve.graph import Graph
from cascurve.mechanisms.sampling import Sampled, sample
from cascurve.stages.cells import each_length


def run(spec: dict[str, Any], graph: Graph) -> DataSets:
    """One data set per length; a length that is reached too rarely fails, with the reason.

    Parameters
    ----------
    spec : keys seed, topology, n, degree, mechanism, replicate, module, parameters, lengths, sources, n_train,
        n_test, min_reach.
    """
    place = {key: spec[key] for key in ("topology", "n", "degree", "mechanism", "replicate")}
    sampling = {key: spec[key] for key in ("sources", "n_train", "n_test", "min_reach", "parameters")}

    def draw(length: int) -> Sampled:
        return sample(
            graph,
            spec["module"],
            length,
            **sampling,
            rng=seeding.generator(spec["seed"], "cascades", length=length, **place),
            environment_rng=seeding.generator(spec["seed"], "environment", **place),
        )

    drawn, failed = each_length(spec["lengths"], draw)
    by_length = {length: sampled.dataset for length, sampled in drawn.items()}
    return DataSets(by_length, failed, {length: sampled.facts() for length, sampled in drawn.items()})
