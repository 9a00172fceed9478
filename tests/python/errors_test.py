"""Errors of the core in Python."""

import sys

import pytest

from bevscope import InvalidArgument, Unsupported, _core
from bevscope._convert import parquet


def test_a_message_may_quote_bytes_that_are_not_utf8():
    share = _core.MetricShare(0, 1)
    share.add_truths(b"timestamp,track_id,avail_0,coord_x00,coord_y00\n1,1,1,0,0\n")
    modes = ",".join(f"coord_{axis}{mode}0" for mode in range(3) for axis in "xy")
    head = f"timestamp,track_id,conf_0,conf_1,conf_2,{modes}\n".encode()
    with pytest.raises(InvalidArgument, match=r'not an integer \(found "\\xff"\)'):
        share.add_predictions(head + b"\xff,1,1,0,0,0,0,0,0,0,0\n")
        share.finish()


def test_a_broken_pyarrow_is_not_called_absent(tmp_path, monkeypatch):
    (tmp_path / "pyarrow.py").write_text("raise ImportError('built for another NumPy')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pyarrow", raising=False)
    with pytest.raises(Unsupported, match="import failed: built for another NumPy"):
        parquet.pyarrow()
