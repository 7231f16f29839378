"""Values that TAIA's original code gave (taia-stream-eval, run under Python 2.7)."""

import json
import math

import pytest

from cascurve.metrics import auc, average_precision, corrected_auc, ndcg, r_precision


def test_equals_the_original_code(shared_data, one_list) -> None:
    path = shared_data / "taia" / "gold_metrics.json"
    if not path.is_file():
        pytest.skip(f"no TAIA values at {path}")
    compared = 0
    for case in json.loads(path.read_text())["metric_cases"]["cases"]:
        places = [place for place, hit in enumerate(case["ranking"], start=1) if hit]
        if case["R"] == 0 or not case["ranking"] or len(places) > case["R"]:
            continue  # the original has no value there, or R contradicts the ranking
        ranks = one_list(places, len(case["ranking"]), case["R"] - len(places))
        ours = {
            "MAP": average_precision.score(ranks)[0],
            "Prec@R": r_precision.score(ranks)[0],
            "nDCG@R": ndcg.score(ranks, k="R", ideal="list")[0],
            "nDCG": ndcg.score(ranks, ideal="list")[0],
            "correctedAUC": corrected_auc.score(ranks)[0],
            "extendedAUC": 2 * auc.score(ranks)[0] - 1,
        }
        for name, value in ours.items():
            gold = float(case["out"][name])
            if not math.isnan(value) and not math.isnan(gold):
                assert value == pytest.approx(gold, abs=1e-12), (case["name"], name)
                compared += 1
    assert compared > 50
