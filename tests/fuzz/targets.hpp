#pragma once

#include <cstddef>
#include <span>

namespace bev::test {

/// What the fuzzers run, and an ordinary test over the corpus. Whatever the bytes, a
/// target returns; it throws std::logic_error if a property of the module does not
/// hold.

/// A .zarray, a .zmetadata or a zarr.json: refused with an Error, or, of the first,
/// read the same from what it is written as.
void metadata_target(std::span<const std::byte> input);

/// A file of the corpus (see corpus_file): refused with an Error, or the same bytes
/// however they are asked for.
void decode_target(std::span<const std::byte> input);

/// An archive: refused with an Error, or each member is, or is the same in parts.
void zip_target(std::span<const std::byte> input);

/// A shard of four chunks: refused with an Error, or the same by ranges and whole.
void shard_target(std::span<const std::byte> input);

/// A small array, and a range, a list, a mask or a box of it: refused with an Error, or
/// what a loop over all of it gives.
void selection_target(std::span<const std::byte> input);

}  // namespace bev::test
