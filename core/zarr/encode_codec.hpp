#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// Encodes the elements by a codec other than none. Defined in two files:
/// encode_codec.cpp with the codecs, and encode_refused.cpp for WebAssembly, which
/// throws, so that no compressor is linked.
std::vector<std::byte> encode_with_codec(const ArrayMeta& meta,
                                         std::span<const std::byte> elements);

}  // namespace bev::zarr
