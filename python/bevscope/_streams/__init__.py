"""Streams of batches: mixtures and transforms of readers."""
