"""Stage: one network."""

from typing import Any

from cascurve import plugins, seeding
from cascurve.graph import Graph


def run(spec: dict[str, Any]) -> Graph:
    """The network of the coordinates in `spec` (keys: seed, module, parameters, topology, n, degree, replicate)."""
    place = {key: spec[key] for key in ("topology", "n", "degree", "replicate")}
    generate = plugins.load("networks", spec["module"]).generate
    rng = seeding.generator(spec["seed"], "network", **place)
    graph: Graph = generate(int(spec["n"]), float(spec["degree"]), **spec["parameters"], rng=rng)
    return graph
