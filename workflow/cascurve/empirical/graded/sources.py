"""Grading by choice: only cascades of sources that are alike in difficulty stay; nothing in a cascade changes."""

from dataclasses import replace

import numpy as np

from cascurve.empirical.grading import Measure, Sample

STRENGTHS = (0.0, 1.0)


def grade(sample: Sample, strength: float, *, measure: Measure, key: np.uint64, share: float = 0.3) -> Sample:
    """Keep the cascades of neighbouring sources, from the easiest (0) to the hardest (1).

    Sources with two training cascades or more stand in line by the difficulty of these, and equal ones in random order;
    those of the rest are left out. Kept are as many neighbours as have `share` of the training cascades.
    """
    sources, counts = np.unique(sample.train.users[:, 0], return_counts=True)
    sources, counts = sources[counts > 1], counts[counts > 1]
    hard = np.array([_difficulty(sample, source, measure) for source in sources])
    line = np.lexsort((np.random.default_rng(int(key)).random(len(sources)), hard))
    ends = np.cumsum(counts[line])
    wanted = share * len(sample.train.users)
    begin = strength * max(float(ends[-1] if len(ends) else 0) - wanted, 0.0)
    kept = sources[line[(ends > begin) & (ends - counts[line] < begin + wanted)]]
    train, test = (part.take(np.isin(part.users[:, 0], kept)) for part in (sample.train, sample.test))
    return replace(sample, train=train, test=test)


def _difficulty(sample: Sample, source: int, measure: Measure) -> float:
    own = sample.train.take(sample.train.users[:, 0] == source)
    return measure(own.cascades(sample.n_users))
