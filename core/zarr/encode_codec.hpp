#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// The elements encoded by a codec other than none. Two files define it: one with the
/// codecs, and for WebAssembly one that refuses, so that no compressor is linked.
std::vector<std::byte> encode_with_codec(const ArrayMeta& meta,
                                         std::span<const std::byte> elements);

}  // namespace bev::zarr
