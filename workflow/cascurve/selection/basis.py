"""What a share of pairs of models rests on, in words: a share of one pair must not read like one of a hundred."""


def basis(pairs: float, cells: int) -> str:
    """Such as "1 pair of models in 1 data set", or "5.7 pairs of models in each of 12 data sets, on average".

    Parameters
    ----------
    pairs : pairs of models per cell, a mean over cells and repeats.
    cells : sets of test cascades that are averaged.
    """
    whole = abs(pairs - round(pairs)) < 1e-9
    count = f"{pairs:.0f}" if whole else f"{pairs:.1f}"
    place = "1 data set" if cells == 1 else f"each of {cells} data sets"
    words = f"{count} pair{'' if count == '1' else 's'} of models in {place}"
    return words if whole else f"{words}, on average"
