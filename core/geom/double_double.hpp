#pragma once

namespace bev::geom {

/// An unevaluated sum of two doubles, about 106 bits; hi is the double nearest to the
/// sum.
///
/// Uses only + - * / of doubles, so every IEEE machine computes the same bits (compiled
/// with -ffp-contract=off), and tables can be computed at compile time.
///
/// Reference  T. J. Dekker, "A floating-point technique for extending the available
///            precision", 1971; D. Knuth, TAOCP 2, section 4.2.2.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;
};

/// Returns a + b exactly, for |a| >= |b| or a == 0.
constexpr DoubleDouble quick_two_sum(double a, double b) noexcept {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// Returns a + b exactly.
constexpr DoubleDouble two_sum(double a, double b) noexcept {
  const double sum = a + b;
  const double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

/// Returns a * b exactly, for |a|, |b| < 2^995 and a product that is 0 or above 2^-960.
constexpr DoubleDouble two_product(double a, double b) noexcept {
  constexpr double kSplitter = 134217729;  // 2^27 + 1: splits into halves of 26 bits
  const double a_scaled = kSplitter * a, b_scaled = kSplitter * b;
  const double a_hi = a_scaled - (a_scaled - a), b_hi = b_scaled - (b_scaled - b);
  const double a_lo = a - a_hi, b_lo = b - b_hi;
  const double product = a * b;
  return {product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

constexpr DoubleDouble operator-(DoubleDouble a) noexcept {
  return {-a.hi, -a.lo};
}

constexpr DoubleDouble operator+(DoubleDouble a, double b) noexcept {
  const DoubleDouble sum = two_sum(a.hi, b);
  return quick_two_sum(sum.hi, sum.lo + a.lo);
}

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) noexcept {
  const DoubleDouble high = two_sum(a.hi, b.hi), low = two_sum(a.lo, b.lo);
  const DoubleDouble sum = quick_two_sum(high.hi, high.lo + low.hi);
  return quick_two_sum(sum.hi, sum.lo + low.lo);
}

constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) noexcept {
  return a + -b;
}

constexpr DoubleDouble operator*(DoubleDouble a, double b) noexcept {
  const DoubleDouble product = two_product(a.hi, b);
  return quick_two_sum(product.hi, product.lo + a.lo * b);
}

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) noexcept {
  const DoubleDouble product = two_product(a.hi, b.hi);
  return quick_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) noexcept {
  const double first = a.hi / b.hi;
  const DoubleDouble rest = a - b * first;
  const double second = rest.hi / b.hi;
  const DoubleDouble last = rest - b * second;
  return quick_two_sum(first, second) + last.hi / b.hi;
}

/// Returns whether every number within a relative distance of 2^-62 rounds to value.hi;
/// the error of the quick evaluations in trig.cpp and trig_inverse.cpp is below a tenth of
/// that.
inline bool rounds_uniquely(DoubleDouble value) noexcept {
  const double error = (value.hi < 0 ? -value.hi : value.hi) * 0x1p-62;
  return value.hi + (value.lo - error) == value.hi + (value.lo + error);
}

inline constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
inline constexpr DoubleDouble kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

}  // namespace bev::geom
