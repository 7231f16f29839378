"""Stage: what every fit of a study cost, in one table."""

from collections.abc import Iterable

import pyarrow as pa

from cascurve.storage import parse_partition, partition, read_table


def run(files: Iterable[str]) -> pa.Table:
    """Kind "costs": data, model, length, seconds and peak_mb of every fit; `files` stand beside the scores."""
    texts = [("data", pa.string()), ("model", pa.string())]
    schema = pa.schema([*texts, ("length", pa.int32()), ("seconds", pa.float64()), ("peak_mb", pa.float64())])
    tables = [schema.empty_table()]
    for file in files:
        place = parse_partition(file)
        place.pop("lengths")
        table, _ = read_table(file, "cost")
        table = table.append_column("data", pa.array([partition(place)] * len(table), pa.string()))
        tables.append(table.select(schema.names).cast(schema))
    return pa.concat_tables(tables)
