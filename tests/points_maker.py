"""Points tables of known truth, for the tests of curves, figures and the report."""

from collections.abc import Callable, Mapping

import numpy as np
import pyarrow as pa

Curve = Callable[[float], float]


def exp3(y0: float, amplitude: float, rate: float) -> Curve:
    return lambda x: y0 + amplitude * float(np.exp(-rate * x))


MODELS: Mapping[str, Curve] = {"random": lambda _: 1.2, "cdk": exp3(2.0, 60.0, 4.0), "pae": exp3(2.2, 66.0, 4.0)}


def make_points(
    seed: int = 0,
    *,
    models: Mapping[str, Curve] = MODELS,
    groups: tuple[str, ...] = ("er",),
    empirical: tuple[str, ...] = (),
    degrees: tuple[int, ...] = (3, 4, 5, 6, 8, 10),
    sizes: tuple[int, ...] = (100, 200, 500),
    lengths: tuple[int, ...] = (10, 20, 50),
    replicates: int = 2,
    mechanisms: tuple[str, ...] = ("ic",),
    shared_noise: float = 0.05,
    network_noise: float = 0.0,
    noise: float = 0.02,
) -> pa.Table:
    """Points with SMAP = curve(APCE) times lognormal noise.

    `shared_noise` is common to the models of a data set, `network_noise` is one value per (network, model),
    `noise` is independent.
    """
    rng = np.random.default_rng(seed)
    rows = []

    def add(
        group: str,
        network: str,
        place: dict[str, object],
        x: float,
        n_users: int,
        length: int,
        by_model: dict[str, float],
    ) -> None:
        common = rng.normal(0, shared_noise)
        for model, curve in models.items():
            smap = curve(x) * float(np.exp(common + by_model[model] + rng.normal(0, noise)))
            rows.append(
                {"group": group, "network": network, "n": None, "degree": None, "mechanism": None}
                | place
                | {"length": length, "model": model, "status": "ok", "apce": x, "apce_bayes": 1.05 * x, "apce_pairs": x}
                | {"apce_se": 0.01, "pair_support": 10.0, "once_share": 0.3, "n_users": n_users, "n_train": 1000}
                | {"n_test": 500, "map": smap * length / n_users, "map_se": 0.003, "smap": smap}
                | {"chance": 1.2 * length / n_users}
            )

    for group in groups:
        for n in sizes:
            for degree in degrees:
                by_model = {model: float(rng.normal(0, network_noise)) for model in models}
                for length in filter(lambda length, n=n: length <= n / 10, lengths):
                    for mechanism in mechanisms:
                        centre = float(rng.uniform(0.15, 0.95))
                        for replicate in range(replicates):
                            x = centre + float(rng.normal(0, 0.01))
                            place = {"n": n, "degree": float(degree), "mechanism": mechanism, "replicate": replicate}
                            add(group, f"{group}/{n}/{degree}", place, x, n, length, by_model)
    for group in empirical:
        for replicate in range(replicates):
            for length in (10, 20, 30, 40):
                add(
                    group,
                    group,
                    {"replicate": replicate},
                    0.1 + 0.01 * length,
                    2000,
                    length,
                    dict.fromkeys(models, 0.0),
                )
    return pa.Table.from_pylist(rows)


def make_novelty(points: pa.Table, columns: tuple[str, ...] = ("long_tail@5", "long_tail@10", "gini@10")) -> pa.Table:
    """Points with novelty that rises with difficulty and falls with accuracy, and its standard errors."""
    novelty = points
    for place, name in enumerate(columns):
        values = [
            None if row["status"] != "ok" else 0.2 * (place + 1) + 0.3 * row["apce"] - 0.002 * row["smap"]
            for row in points.to_pylist()
        ]
        novelty = novelty.append_column(name, pa.array(values, pa.float64()))
        novelty = novelty.append_column(f"{name}_se", pa.array([0.01] * len(points), pa.float64()))
    return novelty
