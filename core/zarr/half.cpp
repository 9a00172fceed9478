#include "core/zarr/half.hpp"

#include <cmath>
#include <cstring>

#include "core/base/bytes.hpp"

namespace bev::zarr {

float half_to_float(std::uint16_t half) noexcept {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1fu;
  const std::uint32_t fraction = half & 0x3ffu;
  std::uint32_t bits = sign;
  if (exponent == 0x1f) {
    bits |= 0x7f800000u | fraction << 13;
  } else if (exponent != 0) {
    bits |= (exponent + 112) << 23 | fraction << 13;
  } else {
    // Zero or subnormal: the fraction counts steps of 2^-24.
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint16_t half_from_double(double value) noexcept {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [0.5, 1)
  // Below 2^-14 the step stays that of subnormals.
  const int step = (exponent < -13 ? -13 : exponent) - 11;
  const auto steps =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -step)));
  // A normal number has 1024 to 2048 steps, whose top bit is the exponent's lowest: the
  // addition carries a fraction that rounds up into the exponent.
  const auto bits = static_cast<std::uint32_t>(step + 24) * 1024 + steps;
  return static_cast<std::uint16_t>(sign | bits);
}

RawBytes widened(std::span<const std::byte> halves) {
  RawBytes floats(halves.size() * 2);
  for (std::size_t i = 0; i + 1 < halves.size(); i += 2) {
    store_le(floats.data() + 2 * i,
             half_to_float(load_le<std::uint16_t>(halves.data() + i)));
  }
  return floats;
}

}  // namespace bev::zarr
