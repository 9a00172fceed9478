"""Parquet data sets as stores: docs/parquet.md."""
