#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/zarr/decode.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Parses the `filters` of a .zarray: null or a list.
///
/// @throws Error  unsupported, by name, for unsupported filters and for types that a
///                filter does not support; invalid_metadata
/// Reference  numcodecs 0.11, delta.py, fixedscaleoffset.py, shuffle.py, astype.py and
///            packbits.py.
std::vector<Filter> parse_filters(JsonView filters, std::string_view key);

/// Throws invalid_metadata for filters that do not fit a chunk of the array.
void check_filters(const ArrayMeta& meta, std::string_view key);

/// Returns the bytes of a chunk after its filters, before compression.
std::size_t filtered_bytes(const ArrayMeta& meta);

/// Undoes the filters in reverse order, with NumPy's arithmetic: delta sums wrap around
/// in the element type; fixedscaleoffset computes integers in float64 and reals in
/// their own type. A real outside an integer's range becomes the smallest integer.
///
/// Shapes  `stored` has filtered_bytes(), `out` meta.chunk_bytes() bytes.
/// Throws  corrupt_chunk if the padding count of packbits is wrong.
void undo_filters(const ArrayMeta& meta, EncodedChunk chunk,
                  std::span<const std::byte> stored, std::span<std::byte> out);

}  // namespace bev::zarr
