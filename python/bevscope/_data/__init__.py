"""Data sets: arrays, maps, samples."""
