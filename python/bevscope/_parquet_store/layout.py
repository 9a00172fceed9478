"""How the rows of row groups are divided into chunks. web/src/parquet/layout.ts divides
them equally: plans and orders depend on it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

#: Decoded bytes of a chunk of the widest column, unless one row has more.
MAX_CHUNK_BYTES = 16 << 20
#: Row groups of a chunk that is a whole file.
MAX_GROUPS = 4


def chunk_rows_of(files: Sequence[Sequence[int]], row_bytes: int) -> int:
    """Returns the rows of a chunk: of the usual lengths of row groups and files the one for
    which chunks need the fewest rows of groups, divided if chunks would be too large.

    Args:
        files: rows of each row group of each file.
        row_bytes: bytes of a row of the widest column.
    """
    lengths = [length for groups in files for length in groups if length > 0]
    if not lengths:
        return 1
    ordered = sorted(lengths)
    median, longest = ordered[(len(ordered) - 1) // 2], ordered[-1]
    whole = _usual(sum(groups) for groups in files)
    candidates = {median, longest, max(median, _usual(lengths))}
    if longest < whole <= MAX_GROUPS * longest:
        candidates.add(whole)
    best = min(candidates, key=lambda rows: (_rows_needed(lengths, rows), rows))
    most = max(1, MAX_CHUNK_BYTES // max(row_bytes, 1))
    parts = -(-best // most)
    return -(-best // parts)


def _usual(lengths: Iterable[int]) -> int:
    """Returns the most frequent length, of several the longest."""
    counts = Counter(lengths)
    return max(counts, key=lambda length: (counts[length], length))


def _rows_needed(lengths: Sequence[int], chunk_rows: int) -> int:
    """Returns the rows of groups that are decoded if every chunk is read alone."""
    needed = begin = 0
    for length in lengths:
        end = begin + length
        if length > 0:
            chunks = (end - 1) // chunk_rows - begin // chunk_rows + 1
            needed += chunks * length
        begin = end
    return needed


class Part(NamedTuple):
    """Rows of a row group in a chunk."""

    group: int
    begin: int  #: in the group
    end: int
    at: int  #: in the chunk


class Layout:
    """The chunks of a table, and the row groups that they consist of."""

    def __init__(self, lengths: Sequence[int], chunk_rows: int) -> None:
        self.chunk_rows = chunk_rows
        #: First row of each group, and the number of all rows.
        self.firsts = [0, *accumulate(lengths)]

    @property
    def rows(self) -> int:
        return self.firsts[-1]

    @property
    def chunks(self) -> int:
        return -(-self.rows // self.chunk_rows)

    def parts(self, chunk: int) -> Iterator[Part]:
        """Yields the rows of each row group that are in a chunk."""
        begin = chunk * self.chunk_rows
        end = min(begin + self.chunk_rows, self.rows)
        group = bisect_right(self.firsts, begin) - 1
        while group < len(self.firsts) - 1 and self.firsts[group] < end:
            first, last = self.firsts[group], self.firsts[group + 1]
            if last > first:
                low, high = max(begin, first), min(end, last)
                yield Part(group, low - first, high - first, low - begin)
            group += 1
