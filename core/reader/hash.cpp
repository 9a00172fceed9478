#include "core/reader/hash.hpp"

#include <cmath>
#include <cstring>

#include "core/base/bytes.hpp"

namespace bev::reader {
namespace {

using zarr::Number;

// The number's bits: as an integer where it is one of 64 bits, otherwise as a real.
std::uint64_t bits_of(const Number& number) noexcept {
  if (number.kind != Number::Kind::real) return number.bits;
  const double real = number.real;
  if (std::isnan(real)) return 0x7ff8000000000000u;
  if (real == std::floor(real) && real >= -0x1p63 && real < 0x1p64) {
    return real < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(real))
                    : static_cast<std::uint64_t>(real);
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &real, sizeof bits);
  return bits;
}

}  // namespace

std::uint64_t hash_of(const Number& number, std::uint64_t seed) noexcept {
  return mixed(bits_of(number) ^ mixed(seed));
}

std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t seed) noexcept {
  auto hash = mixed(seed ^ bytes.size());
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const auto size = bytes.size() < sizeof word ? bytes.size() : sizeof word;
    for (std::size_t i = 0; i < size; ++i) {
      word |= static_cast<std::uint64_t>(bytes[i]) << 8 * i;
    }
    hash = mixed(hash ^ word);
    bytes = bytes.subspan(size);
  }
  return hash;
}

}  // namespace bev::reader
