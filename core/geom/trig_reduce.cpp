#include "core/geom/trig_reduce.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bev::geom {
namespace {

// Binary fraction digits of 2/pi, most significant word first: enough for the largest
// double's exponent (1024) and a window of 8 words.
constexpr std::array<std::uint32_t, 40> kTwoOverPi = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
    0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
    0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
    0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
    0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

// Number of words of 2/pi that are multiplied, and of the product with a 53-bit
// integer.
constexpr std::size_t kWindow = 8;
constexpr std::size_t kProduct = kWindow + 2;
using Product = std::array<std::uint32_t, kProduct>;  // least significant word first

// Multiplies the window of 2/pi that begins at word `first` by `mantissa`.
Product multiplied(std::size_t first, std::uint64_t mantissa) noexcept {
  Product out{};
  const std::array<std::uint64_t, 2> factor = {mantissa & 0xffffffff, mantissa >> 32};
  for (std::size_t j = 0; j < factor.size(); ++j) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kWindow; ++i) {
      carry += out[i + j] + factor[j] * kTwoOverPi[first + kWindow - 1 - i];
      out[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    out[kWindow + j] = static_cast<std::uint32_t>(carry);
  }
  return out;
}

// Returns 32 bits of `words` from bit `begin` up; bits outside are 0.
std::uint32_t bits_from(const Product& words, int begin) noexcept {
  const auto word = [&](int i) -> std::uint64_t {
    return i >= 0 && i < static_cast<int>(kProduct) ? words[static_cast<std::size_t>(i)]
                                                    : 0;
  };
  const int low = begin >= 0 ? begin / 32 : -((31 - begin) / 32);
  const int shift = begin - low * 32;
  return static_cast<std::uint32_t>((word(low) | word(low + 1) << 32) >> shift);
}

ReducedAngle reduce_large(double magnitude) noexcept {
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  exponent -= 53;  // magnitude = mantissa * 2^exponent, exactly
  // Skips words whose product with the mantissa is a multiple of 4 quadrants: they do
  // not change the angle.
  const int first = exponent >= 2 ? (exponent - 2) / 32 : 0;
  const Product product = multiplied(static_cast<std::size_t>(first), mantissa);
  const int point = 32 * (first + static_cast<int>(kWindow)) - exponent;

  unsigned quadrant = bits_from(product, point) & 3U;
  constexpr std::size_t kFraction = 6;
  std::array<std::uint32_t, kFraction> words{};  // most significant word first
  for (std::size_t i = 0; i < kFraction; ++i) {
    words[i] = bits_from(product, point - 32 * static_cast<int>(i + 1));
  }
  const bool past_half = (words[0] >> 31) != 0;
  if (past_half) {  // round to the next quadrant
    quadrant = (quadrant + 1) & 3U;
    std::uint64_t carry = 1;
    for (std::size_t i = kFraction; i-- > 0;) {
      carry += static_cast<std::uint32_t>(~words[i]);
      words[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  DoubleDouble rest;
  double scale = 0x1p-192;
  for (std::size_t i = kFraction; i-- > 0; scale *= 0x1p32) {
    rest = rest + static_cast<double>(words[i]) * scale;
  }
  rest = rest * kHalfPi;
  return {quadrant, past_half ? -rest : rest};
}

}  // namespace

ReducedAngle reduce_angle(double x_rad) noexcept {
  const double magnitude = std::fabs(x_rad);
  if (magnitude <= 0x1.921fb54442d18p-1) return {0, {x_rad, 0}};
  if (magnitude >= 0x1p20) {
    ReducedAngle reduced = reduce_large(magnitude);
    if (x_rad < 0) reduced = {(4 - reduced.quadrant) & 3U, -reduced.rest};
    return reduced;
  }
  // pi/2 in three parts of 33 bits, whose products with integers of up to 20 bits are
  // exact, and a fourth part for the remainder.
  constexpr double kPart0 = 0x1.921fb544p+0, kPart1 = 0x1.0b4611a6p-34,
                   kPart2 = 0x1.3198a2ep-69, kPart3 = 0x1.b839a252049c1p-104;
  constexpr double kRounder = 0x1.8p52;  // adding it rounds to an integer
  const double turns = (x_rad * 0x1.45f306dc9c883p-1 + kRounder) - kRounder;
  DoubleDouble rest = two_sum(x_rad - turns * kPart0, -turns * kPart1);
  rest = rest + -turns * kPart2;
  rest = rest + -turns * kPart3;
  const auto quadrant = static_cast<unsigned>(static_cast<int>(turns) & 3);
  return {quadrant, rest};
}

}  // namespace bev::geom
