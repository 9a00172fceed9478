#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/geom/double_double.hpp"
#include "core/geom/trig.hpp"

namespace bev::geom {
namespace {

constexpr int kAtanSteps = 64;

// Returns atan t for t <= 1/64 from its series.
constexpr DoubleDouble small_atan(DoubleDouble t) {
  const DoubleDouble square = t * t;
  DoubleDouble sum;
  for (int n = 21; n > 0; n -= 2) {  // t^21 is below 2^-126
    sum = DoubleDouble{1, 0} / DoubleDouble{static_cast<double>(n), 0} - sum * square;
  }
  return sum * t;
}

// atan of 0/64 to 64/64, each from the previous one: the difference of two arc tangents
// is the arc tangent of (b - a) / (1 + a b).
constexpr std::array<DoubleDouble, kAtanSteps + 1> make_atan_table() {
  std::array<DoubleDouble, kAtanSteps + 1> table{};
  for (std::size_t i = 0; i < kAtanSteps; ++i) {
    const double a = static_cast<double>(i) / kAtanSteps;
    const double b = static_cast<double>(i + 1) / kAtanSteps;
    const DoubleDouble t = DoubleDouble{b - a, 0} / DoubleDouble{1 + a * b, 0};
    table[i + 1] = table[i] + small_atan(t);
  }
  return table;
}
constexpr auto kAtanTable = make_atan_table();

// The argument relative to the table entry: (small - c large) / (large + c small), c =
// step/64.
struct Quotient {
  DoubleDouble over, under;
};

Quotient beyond(double small, double large, double step) noexcept {
  const double c = step / kAtanSteps;
  const DoubleDouble down = two_product(c, large), up = two_product(c, small);
  return {-down + small, up + large};
}

// Returns atan(small / large) to about 66 bits.
DoubleDouble quick_trig_inverse(const Quotient& q, double step) noexcept {
  const double t = q.over.hi / q.under.hi;
  const DoubleDouble back = q.over - q.under * t;
  const double square = t * t;
  const double tail =
      t * square *
      (-1.0 / 3 +
       square * (1.0 / 5 + square * (-1.0 / 7 + square * (1.0 / 9 - square / 11))));
  const DoubleDouble entry = kAtanTable[static_cast<std::size_t>(step)];
  const DoubleDouble sum = two_sum(entry.hi, t);
  return quick_two_sum(sum.hi, sum.lo + (entry.lo + back.hi / q.under.hi + tail));
}

DoubleDouble accurate_trig_inverse(const Quotient& q, double step) noexcept {
  return kAtanTable[static_cast<std::size_t>(step)] + small_atan(q.over / q.under);
}

// Applies the octant: the angle is base - atan or base + atan.
DoubleDouble placed(DoubleDouble atan, bool steep, bool left) noexcept {
  if (steep) return left ? kHalfPi + atan : kHalfPi - atan;
  return left ? kPi - atan : atan;
}

// Returns the angle of a point in the upper half plane whose coordinates are finite and
// not zero; large and small are their absolute values.
double angle(double large, double small, bool steep, bool left) noexcept {
  int large_exponent = 0, small_exponent = 0;
  (void)std::frexp(large, &large_exponent);
  (void)std::frexp(small, &small_exponent);
  if (large_exponent - small_exponent > 64) {  // atan q = q to the last bit
    if (!steep && !left) return small / large;
    return steep ? kHalfPi.hi : kPi.hi;
  }
  small = std::ldexp(small, -large_exponent);  // exact: both are now near 1
  large = std::ldexp(large, -large_exponent);
  constexpr double kRounder = 0x1.8p52;
  const double step = (small / large * kAtanSteps + kRounder) - kRounder;
  const Quotient q = beyond(small, large, step);
  const DoubleDouble first = placed(quick_trig_inverse(q, step), steep, left);
  if (rounds_uniquely(first)) return first.hi + first.lo;
  const DoubleDouble second = placed(accurate_trig_inverse(q, step), steep, left);
  return second.hi + second.lo;
}

}  // namespace

double atan2(double y, double x) noexcept {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  const bool left = std::signbit(x);
  double magnitude_x = std::fabs(x), magnitude_y = std::fabs(y);
  if (std::isinf(magnitude_x) && std::isinf(magnitude_y)) {
    magnitude_x = magnitude_y = 1;
  }
  double value = 0;
  if (magnitude_y == 0 || std::isinf(magnitude_x)) {
    value = left ? kPi.hi : 0;
  } else if (magnitude_x == 0 || std::isinf(magnitude_y)) {
    value = kHalfPi.hi;
  } else {
    const bool steep = magnitude_y > magnitude_x;
    value = angle(std::max(magnitude_x, magnitude_y),
                  std::min(magnitude_x, magnitude_y), steep, left);
  }
  return std::copysign(value, y);
}

double hypot(double x, double y) noexcept {
  double large = std::fabs(x), small = std::fabs(y);
  if (std::isinf(large) || std::isinf(small)) {
    return std::numeric_limits<double>::infinity();
  }
  if (std::isnan(large) || std::isnan(small)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (large < small) std::swap(large, small);
  int exponent = 0;
  (void)std::frexp(large, &exponent);
  small = std::ldexp(small, -exponent);
  if (small < 0x1p-60) return large;  // the true value differs by less than 2^-120
  large = std::ldexp(large, -exponent);
  const DoubleDouble squares = two_product(large, large) + two_product(small, small);
  const double root = std::sqrt(squares.hi);
  const DoubleDouble back = squares - two_product(root, root);
  return std::ldexp(root + back.hi / (2 * root), exponent);
}

}  // namespace bev::geom
