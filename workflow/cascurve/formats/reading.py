"""How a reader puts its files together: one table of labels for all of them, then the checks and repairs."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cascurve.formats.assembly import assemble
from cascurve.formats.edges import Links, read_links
from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.raw import Raw


def read_files(
    files: Mapping[str, str | Path],
    read_file: Callable[[str, str | Path, Labels], Raw],
    graph: str | Path | None,
    read_graph: Callable[[str | Path, Labels], Links],
    **rules: Any,
) -> Imported:
    """Read cascade files and, if given, a link file.

    Parameters
    ----------
    files : part -> file.
    read_file : reads one file of a part, its users numbered by the labels.
    read_graph : reads the link file `graph`, likewise.
    rules : keyword arguments of `assembly.assemble`.
    """
    users = Labels()
    raws = [read_file(part, path, users) for part, path in files.items()]
    return assemble(raws, users, None if graph is None else read_graph(graph, users), **rules)


def comma_links(path: str | Path, users: Labels) -> Links:
    """A link file of lines ``u,v``, or of ``u v``."""
    return read_links(path, users, separators=",")
