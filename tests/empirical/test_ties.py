"""Random ties by the job that imports: the study's seed and the data set's name decide, and nothing else."""

from cascurve.stages import import_cascades


def test_the_seed_of_the_study_decides(tmp_path) -> None:
    path = tmp_path / "c.txt"
    path.write_text("".join(f"{i},0 {' '.join(f'{user},1' for user in range(100, 130))}\n" for i in range(9)))
    spec = {"module": "forest", "parameters": {}, "cascades": {"all": str(path)}, "graph": None, "expected": {}}

    def order(seed: int, dataset: str = "mine", rule: str = "random") -> list[int]:
        prepared = import_cascades.run(spec | {"seed": seed, "dataset": dataset, "prepare": {"ties": rule}})
        users: list[int] = prepared.cascades.users.tolist()
        return users

    assert order(1) == order(1)
    assert len({tuple(order(*place)) for place in ((1,), (2,), (1, "other"), (1, "mine", "keep"))}) == 4
