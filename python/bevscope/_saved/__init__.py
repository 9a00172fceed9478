"""Data sets of arrays that users save: schemas, savers, loaders."""
