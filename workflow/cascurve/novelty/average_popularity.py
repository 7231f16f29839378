"""Average recommendation popularity (ARP): how often the recommended users were observed."""

from cascurve.novelty.averages import Average, Value, mean_over_links
from cascurve.novelty.task import Task

NAME = "Average popularity"


def score(task: Task, k: int | None, *, average: Average = "links") -> Value:
    """Mean popularity of the users in the first k ranks, as a count; lower = more novel.

    Popularity is the number of in-links; on predictions, that of training cascades which reached the user. Unknown
    users have 0; nothing recommended: 0. Yin et al., VLDB 2012.
    """
    counts, _ = task.observed
    return mean_over_links(counts[task.lists.candidates], task.lists, k, average)
