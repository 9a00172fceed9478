#include "core/geom/exp_log.hpp"

#include <cmath>
#include <limits>

namespace bev::geom {

namespace {

// ln 2 in two parts; the product of the first with an integer below 2^20 is exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kLog2E = 0x1.71547652b82fep0;
constexpr double kHalfRoot = 0x1.6a09e667f3bcdp-1;  // 1 / sqrt(2)

}  // namespace

double exp(double x) noexcept {
  if (std::isnan(x)) return x;
  if (x > 709.79) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double k = std::nearbyint(x * kLog2E);
  const double high = x - k * kLn2High;
  const double low = k * kLn2Low;
  const double r = high - low;
  const double lost = (high - r) - low;
  // Taylor series of (e^r - 1 - r) / r^2, |r| <= 0.3466: 15 terms suffice.
  double tail = 0;
  for (int n = 16; n >= 2; --n) tail = (tail * r + 1) / n;
  const double value = 1 + (r + (lost + r * r * tail));
  // In two steps, because 2^1024 and 2^-1075 are not doubles.
  const int half = static_cast<int>(k) / 2;
  return std::ldexp(std::ldexp(value, half), static_cast<int>(k) - half);
}

double log(double x) noexcept {
  if (std::isnan(x)) return x;
  if (x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // in [0.5, 1)
  if (m < kHalfRoot) {
    m *= 2;
    --exponent;
  }
  // log(1 + f) = f - f^2/2 + s (f^2/2 + R), s = f / (2 + f), R = 2 s^2 / 3 + ...
  const double f = m - 1;
  const double s = f / (2 + f);
  const double z = s * s;
  double sum = 0;
  for (int n = 25; n >= 3; n -= 2) sum = sum * z + 2.0 / n;
  const double half_square = 0.5 * f * f;
  const double k = exponent;
  const double rest = s * (half_square + z * sum) + k * kLn2Low;
  return k * kLn2High - ((half_square - rest) - f);
}

}  // namespace bev::geom
