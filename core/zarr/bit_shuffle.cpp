#include "core/zarr/bit_shuffle.hpp"

#include <cstdint>

namespace bev::zarr {
namespace {

// Transposes eight bytes as an 8 x 8 bit matrix.
// Reference  H. S. Warren, Hacker's Delight, 7-3.
std::uint64_t transposed(std::uint64_t bits) {
  const auto swap = [&bits](unsigned shift, std::uint64_t mask) {
    const auto moved = (bits ^ bits >> shift) & mask;
    bits ^= moved ^ moved << shift;
  };
  swap(7, 0x00aa00aa00aa00aa);
  swap(14, 0x0000cccc0000cccc);
  swap(28, 0x00000000f0f0f0f0);
  return bits;
}

}  // namespace

void unshuffle_bits(std::span<const std::byte> from, std::size_t size, std::byte* to) {
  const std::size_t eights = from.size() / size / 8;  // bytes per bit plane
  for (std::size_t byte = 0; byte < size; ++byte) {
    const std::byte* planes = from.data() + byte * 8 * eights;
    for (std::size_t eight = 0; eight < eights; ++eight) {
      std::uint64_t bits = 0;
      for (unsigned bit = 0; bit < 8; ++bit) {
        bits |= std::to_integer<std::uint64_t>(planes[bit * eights + eight]) << 8 * bit;
      }
      bits = transposed(bits);
      std::byte* element = to + eight * 8 * size + byte;
      for (unsigned i = 0; i < 8; ++i) {
        element[i * size] = static_cast<std::byte>(bits >> 8 * i & 0xff);
      }
    }
  }
}

}  // namespace bev::zarr
