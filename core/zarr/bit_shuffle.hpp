#pragma once

#include <cstddef>
#include <span>

namespace bev::zarr {

/// Puts the bits of elements back where they were.
///
/// Shapes   `from` and `to` are as long, of elements of `size` bytes that come in
///          eights.
/// Example  Of elements of one byte, the first eighth of `from` holds their lowest
///          bits, eight a byte, that of the first element lowest.
/// Source: the format of c-blosc's bitshuffle (bitshuffle-generic.c).
void unshuffle_bits(std::span<const std::byte> from, std::size_t size, std::byte* to);

}  // namespace bev::zarr
