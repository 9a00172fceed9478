#include "core/reader/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace bev::reader {
namespace {

using zarr::Number;

constexpr double k2To63 = 9223372036854775808.0;
constexpr double k2To64 = 18446744073709551616.0;

bool is_negative(const Number& number) noexcept {
  return number.kind == Number::Kind::signed_int && number.bits >> 63 != 0;
}

int order_of(std::uint64_t a, std::uint64_t b) noexcept {
  return a < b ? -1 : a > b ? 1 : 0;
}

int compare_integers(const Number& a, const Number& b) noexcept {
  if (is_negative(a) != is_negative(b)) return is_negative(a) ? -1 : 1;
  return order_of(a.bits, b.bits);  // two's complement keeps the order of a sign
}

// Compares an integer with a real that is no NaN.
int compare_with_real(const Number& integer, double real) noexcept {
  const bool negative = is_negative(integer);
  if (negative ? real < -k2To63 : real >= k2To64) return negative ? 1 : -1;
  if (negative != (real < 0)) return negative ? -1 : 1;
  const double floor = std::floor(real);
  const auto bits = negative
                        ? static_cast<std::uint64_t>(static_cast<std::int64_t>(floor))
                        : static_cast<std::uint64_t>(floor);
  const int order = order_of(integer.bits, bits);
  return order == 0 && real > floor ? -1 : order;
}

template <class T>
Number exact_number(T value) noexcept {
  if constexpr (std::is_floating_point_v<T>)
    return {Number::Kind::real, 0, value};
  else if constexpr (std::is_signed_v<T>)
    return {Number::Kind::signed_int, static_cast<std::uint64_t>(value), 0};
  else
    return {Number::Kind::unsigned_int, value, 0};
}

// Rounds to T; toward zero if the magnitude is too large for T. Not for NaN.
template <class T>
T rounded(double value) noexcept {
  using Limits = std::numeric_limits<T>;
  if (std::isinf(value)) return value > 0 ? Limits::infinity() : -Limits::infinity();
  return static_cast<T>(std::clamp<double>(value, Limits::lowest(), Limits::max()));
}

// The greatest value of T at or below the number, if there is one. Not for NaN.
template <class T>
std::optional<T> at_or_below(const Number& number) noexcept {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T near = rounded<T>(number.as_real());
    if (*compare(exact_number(near), number) <= 0) return near;
    return std::nextafter(near, -Limits::infinity());
  } else {
    if (*compare(number, exact_number(Limits::min())) < 0) return std::nullopt;
    if (*compare(number, exact_number(Limits::max())) >= 0) return Limits::max();
    if (number.kind != Number::Kind::real) return static_cast<T>(number.bits);
    return static_cast<T>(std::floor(number.real));
  }
}

}  // namespace

std::optional<int> compare(const Number& a, const Number& b) noexcept {
  const bool real_a = a.kind == Number::Kind::real;
  const bool real_b = b.kind == Number::Kind::real;
  if ((real_a && std::isnan(a.real)) || (real_b && std::isnan(b.real)))
    return std::nullopt;
  if (real_a && real_b) return a.real < b.real ? -1 : a.real > b.real ? 1 : 0;
  if (real_a) return -compare_with_real(b, a.real);
  if (real_b) return compare_with_real(a, b.real);
  return compare_integers(a, b);
}

template <class T>
Bound<T> bound_for(Op op, const Number& number) noexcept {
  Bound<T> out{op};
  if (!compare(number, number)) {  // NaN
    out.constant = op == Op::not_equal;
    return out;
  }
  const auto below = at_or_below<T>(number);
  const bool exact = below && *compare(exact_number(*below), number) == 0;
  if (exact) {
    out.value = *below;
    return out;
  }
  switch (op) {
    case Op::equal: out.constant = false; return out;
    case Op::not_equal: out.constant = true; return out;
    case Op::less:
    case Op::less_equal:
      if (below)
        out = {Op::less_equal, *below};
      else
        out.constant = false;
      return out;
    default:
      if (below)
        out = {Op::greater, *below};
      else
        out.constant = true;
      return out;
  }
}

template Bound<std::int64_t> bound_for(Op, const Number&) noexcept;
template Bound<std::uint64_t> bound_for(Op, const Number&) noexcept;
template Bound<float> bound_for(Op, const Number&) noexcept;
template Bound<double> bound_for(Op, const Number&) noexcept;

}  // namespace bev::reader
