#pragma once

#include <cstddef>
#include <span>

namespace bev::zarr {

/// Undoes bitshuffle: restores the bits of each element.
///
/// Shapes     `from` and `to` have equal length: a multiple of eight elements of `size`
///            bytes.
/// Example    For one-byte elements, the first eighth of `from` holds their lowest
///            bits, eight per byte; the first element's bit is the lowest.
/// Reference  c-blosc's bitshuffle format (bitshuffle-generic.c).
void unshuffle_bits(std::span<const std::byte> from, std::size_t size, std::byte* to);

}  // namespace bev::zarr
