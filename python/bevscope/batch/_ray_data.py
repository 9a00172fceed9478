"""Arrays as sources and sinks of Ray Data."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from ray.data import Datasink, Datasource, ReadTask
from ray.data.block import BlockAccessor, BlockMetadata
from ray.data.expressions import BinaryExpr, ColumnExpr, Expr, LiteralExpr, Operation

from .._convert.parquet import pyarrow
from ._tables import Rows, Tree, Writer, compared

_OPS = {
    Operation.GT: ">",
    Operation.LT: "<",
    Operation.GE: ">=",
    Operation.LE: "<=",
    Operation.EQ: "==",
    Operation.NE: "!=",
}
_MIRRORED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "==": "==", "!=": "!="}


class BevscopeDatasource(Datasource):
    """Rows of an array of a data set; arguments as of `Rows`."""

    def __init__(
        self,
        address: str,
        array: str = "agents",
        fields: list[str] | None = None,
        where: str | Tree | None = None,
    ) -> None:
        super().__init__()
        # Ray's base class reads it without setting it.
        self._projection_map: dict[str, str] | None = None
        self._rows = Rows(address, array, fields, [] if where is None else [where])

    def get_name(self) -> str:
        return "Bevscope"

    def estimate_inmemory_data_size(self) -> int:
        return self._pushed().size()[1]

    def supports_projection_pushdown(self) -> bool:
        return True

    def supports_predicate_pushdown(self) -> bool:
        return not any(isinstance(one, str) for one in self._rows.where)

    def apply_predicate(self, predicate_expr: Expr) -> Any:
        """Takes a filter, if it is understood as a whole; otherwise Ray evaluates it."""
        if tree_of(predicate_expr, self._rows.schema()) is None:
            return self
        return super().apply_predicate(predicate_expr)

    def _pushed(self) -> Rows:
        """Returns the rows with what was pushed down."""
        rows, where = self._rows, list(self._rows.where)
        fields = self._get_data_columns()
        if fields is None:
            fields = rows.fields
        elif not fields:  # rows are counted
            fields = rows.schema().names[:1]
        predicate = self.get_current_predicate()
        if predicate is not None:
            tree = tree_of(predicate, rows.schema())
            assert tree is not None
            where.append(tree)
        return Rows(rows.address, rows.array, fields, where)

    def get_read_tasks(
        self,
        parallelism: int,
        per_task_row_limit: int | None = None,
        data_context: Any = None,
    ) -> list[ReadTask]:
        rows = self._pushed()
        shares, schema = rows.shares(parallelism), rows.schema()
        count, size = rows.size()
        known = None if rows.where else count // shares
        metadata = BlockMetadata(known, size // shares, None, None)
        return [
            ReadTask(
                functools.partial(_read, rows, share, shares),
                metadata,
                schema=schema,
                per_task_row_limit=per_task_row_limit,
            )
            for share in range(shares)
        ]


def _read(rows: Rows, share: int, shares: int) -> Iterator[Any]:
    empty = True
    for table in rows.read(share, shares):
        empty = False
        yield table
    if empty:
        yield rows.schema().empty_table()


def tree_of(expr: Expr, schema: Any) -> Tree | None:
    """Returns an expression of Ray as a filter; None if there is none with its meaning."""
    if not isinstance(expr, BinaryExpr):
        return None
    if expr.op in (Operation.AND, Operation.OR):
        sides = [tree_of(side, schema) for side in (expr.left, expr.right)]
        name = "and" if expr.op == Operation.AND else "or"
        return None if None in sides else {"op": name, "args": sides}
    op, column, literal = _OPS.get(expr.op), expr.left, expr.right
    if op is not None and isinstance(column, LiteralExpr):
        op, column, literal = _MIRRORED[op], literal, column
    if op is None or not (
        isinstance(column, ColumnExpr) and isinstance(literal, LiteralExpr)
    ):
        return None
    index = schema.get_field_index(column.name)
    if index < 0 or pyarrow().types.is_nested(schema.field(index).type):
        return None
    return compared(column.name, op, literal.value, schema.field(index).type)


class BevscopeDatasink(Datasink):
    """Writes a data set of arrays: an array per column, which appears when all tasks have
    ended. Arguments as of `Writer`."""

    def __init__(self, store: str, **options: Any) -> None:
        self._writer = Writer(store, **options)

    def write(self, blocks: Iterable[Any], ctx: Any) -> int:
        tables = [BlockAccessor.for_block(one).to_arrow() for one in blocks]
        filled = [one for one in tables if len(one)]
        if not filled:
            return 0
        return self._writer.write(ctx.task_idx, filled[0].schema, iter(filled))

    def on_write_complete(self, write_result: Any) -> None:
        self._writer.commit()

    def on_write_failed(self, error: Exception) -> None:
        self._writer.abort()
