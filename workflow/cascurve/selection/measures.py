"""The measures of the model-selection study (Huang and Ling, AAAI 2006), by the paper's names."""

from collections.abc import Mapping
from typing import Any

BLIND = "score_spread"
"""The measure of the control: it sees the predictions and no truth."""

MEASURES: Mapping[str, Mapping[str, Any]] = {
    "ACC": {"use": "accuracy", "threshold": 0.5},
    "FSC": {"use": "f_score", "threshold": 0.5},
    "LFT": {"use": "lift", "share": 0.25},
    "BEP": {"use": "r_precision"},  # as many predicted as positive: there precision equals recall
    "AUC": {"use": "auc"},
    "APR": {"use": "average_precision"},
    "SAUC": {"use": "sauc"},
    "RMS": {"use": "rms"},
    "MXE": {"use": "log_loss"},
    "control": {"use": BLIND},
}
"""The paper's names, and which measure with which parameters each is; the control knows no labels."""

CONTROL = "control"
GOALS = ("ACC", "AUC", "LFT")
