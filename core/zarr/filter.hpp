#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/zarr/decode.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// What the `filters` of a .zarray say, null or a list.
///
/// @throws Error  unsupported, by name, for filters that are not read here and types
///                that such a filter is not read with; invalid_metadata
/// Source: numcodecs 0.11, delta.py, fixedscaleoffset.py, shuffle.py, astype.py and
///         packbits.py.
std::vector<Filter> parse_filters(JsonView filters, std::string_view key);

/// Throws invalid_metadata for filters that do not fit a chunk of the array.
void check_filters(const ArrayMeta& meta, std::string_view key);

/// Bytes of a chunk that went through the filters and was not compressed yet.
std::size_t filtered_bytes(const ArrayMeta& meta);

/// Undoes the filters, the last first, as NumPy would: sums in the type of the elements
/// and around its ends, quotients in float64 of integers and in the type of reals. A
/// real that an integer cannot hold becomes the smallest there is.
///
/// Shapes  `stored` is filtered_bytes(), `out` is meta.chunk_bytes().
/// Errors  corrupt_chunk where packbits' count of padding is wrong.
void undo_filters(const ArrayMeta& meta, EncodedChunk chunk,
                  std::span<const std::byte> stored, std::span<std::byte> out);

}  // namespace bev::zarr
