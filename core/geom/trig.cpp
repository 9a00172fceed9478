#include "core/geom/trig.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/geom/trig_reduce.hpp"

namespace bev::geom {
namespace {

constexpr int kSteps = 64;  // table entries per radian

struct Entry {
  DoubleDouble sin, cos;
};

constexpr Entry entry(int step) {
  const DoubleDouble x{static_cast<double>(step) / kSteps, 0};
  const DoubleDouble square = x * x;
  DoubleDouble sine = x, cosine{1, 0};
  DoubleDouble sine_term = x, cosine_term{1, 0};
  for (int n = 1; n < 16; ++n) {  // x < 0.8: the 16th terms are below 2^-120
    const double even = 2 * n, odd = 2 * n + 1;
    sine_term = -sine_term * square / DoubleDouble{even * odd, 0};
    cosine_term = -cosine_term * square / DoubleDouble{even * (even - 1), 0};
    sine = sine + sine_term;
    cosine = cosine + cosine_term;
  }
  return {sine, cosine};
}

// Sines and cosines of 0/64 to 51/64, which is beyond pi/4.
constexpr std::size_t kEntries = 52;
constexpr std::array<Entry, kEntries> make_table() {
  std::array<Entry, kEntries> table{};
  for (std::size_t i = 0; i < kEntries; ++i) table[i] = entry(static_cast<int>(i));
  return table;
}
constexpr auto kTable = make_table();

constexpr std::array<DoubleDouble, 16> make_inverse_factorials() {
  std::array<DoubleDouble, 16> out{};
  DoubleDouble factorial{1, 0};  // up to 15! = 2^41: exact
  for (std::size_t n = 0; n < out.size(); ++n) {
    if (n > 0) factorial = factorial * static_cast<double>(n);
    out[n] = DoubleDouble{1, 0} / factorial;
  }
  return out;
}
constexpr auto kInverseFactorial = make_inverse_factorials();

// A rest in [0, pi/4]: the nearest table entry and the offset from it.
struct Located {
  const Entry& near;
  DoubleDouble offset;  // at most 1/128 in magnitude
};

Located located(DoubleDouble rest) noexcept {
  constexpr double kRounder = 0x1.8p52;
  const double step = (rest.hi * kSteps + kRounder) - kRounder;
  const DoubleDouble from_step = quick_two_sum(rest.hi - step / kSteps, rest.lo);
  return {kTable[static_cast<std::size_t>(step)], from_step};
}

struct Both {
  DoubleDouble sin, cos;
};

// Computes about 66 bits: only the largest products are kept in two parts.
Both quick(const Located& at) noexcept {
  const double t = at.offset.hi, square = t * t;
  const double sine_tail =  // sin t - t
      t * square * (-1.0 / 6 + square * (1.0 / 120 - square * (1.0 / 5040)));
  const double cosine_tail =  // cos t - 1
      square * (-0.5 + square * (1.0 / 24 - square * (1.0 / 720)));
  const auto [s, c] = at.near;
  const DoubleDouble by_sine = two_product(s.hi, t), by_cosine = two_product(c.hi, t);
  const double sine_rest = s.lo + by_cosine.lo + c.hi * at.offset.lo + c.lo * t +
                           (s.hi * cosine_tail + c.hi * sine_tail);
  const double cosine_rest = c.lo - by_sine.lo - s.hi * at.offset.lo - s.lo * t +
                             (c.hi * cosine_tail - s.hi * sine_tail);
  const DoubleDouble sine = two_sum(s.hi, by_cosine.hi);
  const DoubleDouble cosine = two_sum(c.hi, -by_sine.hi);
  return {quick_two_sum(sine.hi, sine.lo + sine_rest),
          quick_two_sum(cosine.hi, cosine.lo + cosine_rest)};
}

// Computes about 100 bits.
Both accurate(const Located& at) noexcept {
  const DoubleDouble t = at.offset, square = t * t;
  DoubleDouble sine, cosine;  // Horner's scheme from t^15 and t^14 down
  for (std::size_t n = 8; n-- > 0;) {
    sine = kInverseFactorial[2 * n + 1] - sine * square;
    cosine = kInverseFactorial[2 * n] - cosine * square;
  }
  sine = sine * t;
  const auto [s, c] = at.near;
  return {s * cosine + c * sine, c * cosine - s * sine};
}

// Computes sine and cosine of a rest; those selected by `wanted` are correctly rounded.
struct Wanted {
  bool sin, cos;
};

SinCos of_rest(DoubleDouble rest, Wanted wanted) noexcept {
  const bool negative = rest.hi < 0;
  const Located at = located(negative ? -rest : rest);
  Both both = quick(at);
  if ((wanted.sin && !rounds_uniquely(both.sin)) ||
      (wanted.cos && !rounds_uniquely(both.cos))) {
    both = accurate(at);
  }
  const double sine = both.sin.hi + both.sin.lo, cosine = both.cos.hi + both.cos.lo;
  return {negative ? -sine : sine, cosine};
}

// Below this, sin x rounds to x and cos x to 1.
constexpr double kTiny = 0x1p-27;

}  // namespace

double sin(double x_rad) noexcept {
  if (std::fabs(x_rad) < kTiny) return x_rad;
  if (!std::isfinite(x_rad)) return std::numeric_limits<double>::quiet_NaN();
  const ReducedAngle angle = reduce_angle(x_rad);
  const bool by_cosine = (angle.quadrant & 1U) != 0;
  const SinCos both = of_rest(angle.rest, {!by_cosine, by_cosine});
  const double value = by_cosine ? both.cos : both.sin;
  return (angle.quadrant & 2U) != 0 ? -value : value;
}

double cos(double x_rad) noexcept {
  if (std::fabs(x_rad) < kTiny) return 1;
  if (!std::isfinite(x_rad)) return std::numeric_limits<double>::quiet_NaN();
  const ReducedAngle angle = reduce_angle(x_rad);
  const bool by_sine = (angle.quadrant & 1U) != 0;
  const SinCos both = of_rest(angle.rest, {by_sine, !by_sine});
  const double value = by_sine ? both.sin : both.cos;
  return ((angle.quadrant + 1) & 2U) != 0 ? -value : value;
}

SinCos sincos(double x_rad) noexcept {
  if (std::fabs(x_rad) < kTiny) return {x_rad, 1};
  if (!std::isfinite(x_rad)) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  const ReducedAngle angle = reduce_angle(x_rad);
  const SinCos both = of_rest(angle.rest, {true, true});
  switch (angle.quadrant) {
    case 0: return both;
    case 1: return {both.cos, -both.sin};
    case 2: return {-both.sin, -both.cos};
    default: return {-both.cos, both.sin};
  }
}

}  // namespace bev::geom
