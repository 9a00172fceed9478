"""Counts tracks and their mean speed by class with Polars: python agents.py DATASET."""

import sys

import polars

import bevscope

reader = bevscope.open(sys.argv[1]).reader(
    "agents", fields=["scene", "track_id", "class", "speed"]
)
rows = polars.DataFrame(reader)
tracks = polars.struct("scene", "track_id").n_unique().alias("tracks")
names = polars.col("class").replace_strict(dict(enumerate(reader.names["class"])))
print(rows.group_by(names).agg(tracks, polars.col("speed").mean()).sort("class"))
