#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bev {

/// A number that is not negative, in decimal: `digits` x 10^exponent. No digits are 0.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;
};

/// The double that is nearest to a decimal, of two the even one; infinity for what is
/// half a step above the greatest double, or more.
///
/// @param digits  '0' to '9', as many as there are
/// Source  what IEEE 754 and strtod say; made with whole numbers alone, where the C
///         library of WebAssembly brings arithmetic of 128-bit reals along.
double nearest_double(std::string_view digits, std::int64_t exponent);

/// All digits of a finite number without its sign, up to 767 of them, the last of which
/// is no 0.
Decimal exact_decimal(double value);

/// The number to so many digits, of two equally near the even one, without zeros at its
/// end.
Decimal rounded(Decimal number, std::size_t digits);

}  // namespace bev
