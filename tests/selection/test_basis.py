import pytest

from cascurve.selection.basis import basis


@pytest.mark.parametrize(
    ("pairs", "cells", "words"),
    [
        (1.0, 1, "1 pair of models in 1 data set"),
        (3.0, 7, "3 pairs of models in each of 7 data sets"),
        (2.75, 4, "2.8 pairs of models in each of 4 data sets, on average"),
        (1.02, 4, "1.0 pairs of models in each of 4 data sets, on average"),
    ],
)
def test_words(pairs, cells, words) -> None:
    assert basis(pairs, cells) == words
