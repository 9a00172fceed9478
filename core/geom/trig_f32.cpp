#include "core/geom/trig_f32.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/geom/double_double.hpp"
#include "core/geom/trig.hpp"

namespace bev::geom {
namespace {

// Returns a * b + c, rounded once to float. The product is exact in double. The sum is
// rounded to odd (towards the exact sum, so that no false tie appears), which makes the
// second rounding correct.
float fused(float a, float b, float c) noexcept {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const DoubleDouble sum = two_sum(product, static_cast<double>(c));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &sum.hi, sizeof bits);
  if (sum.lo != 0 && (bits & 1U) == 0) {
    const bool away = (sum.lo > 0) == (sum.hi > 0);
    bits = away ? bits + 1 : bits - 1;
  }
  double odd = 0;
  std::memcpy(&odd, &bits, sizeof odd);
  return static_cast<float>(odd);
}

float cosine_series(float square) noexcept {
  float sum = fused(0x1.98e616p-16F, square, -0x1.6c06dcp-10F);
  sum = fused(sum, square, 0x1.55553cp-05F);
  sum = fused(sum, square, -0.5F);
  return fused(sum, square, 1.0F);
}

float sine_series(float x, float square) noexcept {
  float sum = fused(0x1.7d3bbcp-19F, square, -0x1.a06bbap-13F);
  sum = fused(sum, square, 0x1.11119ap-07F);
  sum = fused(sum, square, -0x1.555556p-03F);
  return fused(sum * square, x, x);
}

}  // namespace

SinCosF32 sincos_f32(float x_rad) noexcept {
  const float magnitude = std::fabs(x_rad);
  const auto rounded = [&] {
    const SinCos both = sincos(static_cast<double>(x_rad));
    return SinCosF32{static_cast<float>(both.sin), static_cast<float>(both.cos)};
  };
  if (!(magnitude <= 117435.992F)) return rounded();
  constexpr float kRounder = 0x1.8p23F;  // adding it rounds to an integer
  const float turns = (x_rad * 0x1.45f306p-1F + kRounder) - kRounder;
  float rest = fused(turns, -0x1.921fb0p+00F, x_rad);
  rest = fused(turns, -0x1.5110b4p-22F, rest);
  rest = fused(turns, -0x1.846988p-48F, rest);
  const float square = rest * rest;
  const float cosine = cosine_series(square), sine = sine_series(rest, square);
  const unsigned quadrant = static_cast<unsigned>(static_cast<int>(turns)) & 3U;
  const auto of = [&](unsigned turned) {
    const float value = (turned & 1U) != 0 ? cosine : sine;
    return (turned & 2U) != 0 ? -value : value;
  };
  return {of(quadrant), magnitude <= 71476.0625F ? of(quadrant + 1) : rounded().cos};
}

}  // namespace bev::geom
