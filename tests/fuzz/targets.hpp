#pragma once

#include <cstddef>
#include <span>

namespace bev::test {

/// The fuzzers' targets, also run by a test over the corpus. A target returns for any
/// input; it throws std::logic_error if a property of the module is violated.

/// Parses a .zarray, a .zmetadata or a zarr.json: either an Error, or, for a .zarray,
/// metadata that is equal after writing and parsing it again.
void metadata_target(std::span<const std::byte> input);

/// Decodes a file of the corpus (see corpus_file): either an Error, or the same bytes
/// for every way of reading.
void decode_target(std::span<const std::byte> input);

/// Reads an archive: for each member either an Error, or the same bytes whole and in
/// parts.
void zip_target(std::span<const std::byte> input);

/// Reads a shard of four chunks: either an Error, or the same by ranges and whole.
void shard_target(std::span<const std::byte> input);

/// Reads a range, a list, a mask or a box of a small array: either an Error, or the
/// same as a loop over all elements.
void selection_target(std::span<const std::byte> input);

/// Parses a filter, as text and as JSON: either an Error, or a tree that is the same
/// after writing it in both forms, and that selects the rows that a naive evaluation
/// selects.
void filter_target(std::span<const std::byte> input);

/// Parses a reader's plan: either an Error, or a plan that is the same after writing and
/// parsing it, and whose state it accepts.
void plan_target(std::span<const std::byte> input);

/// Parses a reader's state for a fixed plan: either an Error, or a position that its own
/// state has too.
void state_target(std::span<const std::byte> input);

/// Parses .bevscope/statistics.json: either an Error, or statistics that are the same
/// after writing and parsing them.
void statistics_target(std::span<const std::byte> input);

/// Parses a patch and applies it to a small scene: either an Error, or a patch that is the
/// same after writing and parsing it, and a scene whose rows are in order.
void patch_target(std::span<const std::byte> input);

/// Reads a pickle: either an Error, or values within the limits, in which every array of
/// NumPy has the bytes of its shape. Also reads it as a Unischema.
void pickle_target(std::span<const std::byte> input);

}  // namespace bev::test
