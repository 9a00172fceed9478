"""Filters and shuffled batches with bevscope's reader."""

import numpy as np

import bevscope

WHERE = "extent[0] > 4.5 and velocity[0] > 2"


class Ours:
    """Opens the data set for each question, so that no chunk is in memory before."""

    def __init__(self, path):
        self.path = str(path)

    def reader(self, **options):
        return bevscope.open(self.path).reader("agents", **options)

    def count(self):
        return self.reader(where=WHERE, fields=["row"]).count()

    def rows(self):
        reader = self.reader(where=WHERE, fields=["row"])
        return np.concatenate([batch["row"] for batch in reader])

    def batches(self, count, size):
        """Yields shuffled batches of three fields; the centroid has two elements."""
        fields = ["row", "centroid", "yaw"]
        reader = self.reader(fields=fields, order="blocks", seed=1, batch=size)
        for _, batch in zip(range(count), reader):
            yield batch
