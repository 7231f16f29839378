import pytest

from cascurve.report.settings import settings, stated


@pytest.mark.parametrize(
    ("folder", "entry", "words"),
    [
        ("models", {"use": "popularity"}, "popularity"),
        ("networks", {"use": "er", "directed": True}, "er model = gnm, directed = yes, giant = no"),
        ("mechanisms", {"use": "si"}, "si rate = 1"),
        ("mechanisms", {"use": "si", "rate": 0.5}, "si rate = 0.5"),
    ],
)
def test_a_plug_in_is_told_with_all_parameters(folder, entry, words) -> None:
    assert stated(folder, entry) == words


def test_defaults_stand_beside_what_is_given() -> None:
    words = stated("models", {"use": "cdk", "dimension": 7})
    assert words.startswith("cdk dimension = 7, ")
    assert "updates = 8,000,000" in words


def test_each_network_stands_with_each_mechanism() -> None:
    grid = {
        "topologies": {"er": {"use": "er"}, "ba@few": {"use": "ba"}},
        "mechanisms": {"ic-20": {"use": "ic", "probability": 0.2}, "si": {"use": "si"}},
        "n": [100, 200], "degree": [4.0], "sources": 10, "n_train": 500, "n_test": 50, "min_reach": 0.02,
    }  # fmt: skip
    html = settings([grid], {"mine": {"use": "random"}})
    assert html.count("<tr>") == 1 + 4 + 1 + 1
    assert "ba@few: ba" in html and "ic-20: ic " in html and "probability = 0.2" in html
    assert "100, 200" in html and "mine" in html
    assert settings([], {"mine": {"use": "random"}}).count("<table>") == 1
