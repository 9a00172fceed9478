#include "core/base/decimal.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace bev {
namespace {

constexpr int kMantissaBits = 53;
constexpr int kLeastExponent = -1022;  // of the first bit of a double
constexpr std::uint64_t kHiddenBit = std::uint64_t{1} << (kMantissaBits - 1);
constexpr std::uint32_t kBillion = 1'000'000'000;

/// A whole number below 2^3840. What is computed here stays below 2^3800: 10^1131 for
/// the least double to 801 digits, and 5^1074 x 2^53.
class Whole {
 public:
  explicit Whole(std::uint64_t value) {
    limbs_[0] = static_cast<std::uint32_t>(value & 0xffffffff);
    limbs_[1] = static_cast<std::uint32_t>(value >> 32);
    used_ = 2;
    trim();
  }

  bool is_zero() const { return used_ == 0; }

  std::int64_t bits() const {
    if (used_ == 0) return 0;
    return static_cast<std::int64_t>(32 * used_) - std::countl_zero(limbs_[used_ - 1]);
  }

  void multiply_add(std::uint32_t factor, std::uint32_t term) {
    std::uint64_t carry = term;
    for (std::size_t i = 0; i < used_; ++i) {
      carry += std::uint64_t{limbs_[i]} * factor;
      limbs_[i] = static_cast<std::uint32_t>(carry & 0xffffffff);
      carry >>= 32;
    }
    if (carry != 0) limbs_[used_++] = static_cast<std::uint32_t>(carry);
  }

  void multiply_by_power(std::uint32_t base, std::int64_t exponent) {
    for (; exponent > 0; --exponent) multiply_add(base, 0);
  }

  void shift_left(std::int64_t count) {
    for (; count >= 31; count -= 31) multiply_add(std::uint32_t{1} << 31, 0);
    multiply_add(std::uint32_t{1} << count, 0);
  }

  /// Leaves the quotient and returns the remainder.
  std::uint32_t divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = used_; i-- > 0;) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    trim();
    return static_cast<std::uint32_t>(rest);
  }

  int compare(const Whole& other) const {
    if (used_ != other.used_) return used_ < other.used_ ? -1 : 1;
    for (std::size_t i = used_; i-- > 0;) {
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    }
    return 0;
  }

  /// Of a number that is not greater.
  void subtract(const Whole& other) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < used_; ++i) {
      const std::uint64_t taken = borrow + (i < other.used_ ? other.limbs_[i] : 0);
      borrow = limbs_[i] < taken ? 1 : 0;
      limbs_[i] = static_cast<std::uint32_t>((limbs_[i] - taken) & 0xffffffff);
    }
    trim();
  }

 private:
  void trim() {
    while (used_ > 0 && limbs_[used_ - 1] == 0) --used_;
  }

  std::array<std::uint32_t, 120> limbs_{};  // the least first
  std::size_t used_ = 0;
};

double double_of(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The double nearest to a fraction of two numbers that are not zero.
double nearest_to(Whole above, Whole below) {
  // Two to this power times a number from 1 up to 2.
  std::int64_t exponent = above.bits() - below.bits();
  if (exponent > 0) below.shift_left(exponent);
  if (exponent < 0) above.shift_left(-exponent);
  if (above.compare(below) < 0) {
    above.shift_left(1);
    --exponent;
  }
  constexpr auto kInfinity = std::numeric_limits<double>::infinity();
  if (exponent >= std::numeric_limits<double>::max_exponent) return kInfinity;
  // Below the normal numbers a double has fewer bits, which end at the same place.
  const bool normal = exponent >= kLeastExponent;
  const auto bits =
      normal ? kMantissaBits : kMantissaBits - (kLeastExponent - exponent);
  if (bits < 0) return 0;
  std::uint64_t mantissa = 0;
  for (std::int64_t i = 0; i < bits; ++i) {
    mantissa <<= 1;
    if (above.compare(below) >= 0) {
      above.subtract(below);
      mantissa |= 1;
    }
    above.shift_left(1);
  }
  const int rest = above.compare(below);  // to half a bit
  if (rest > 0 || (rest == 0 && (mantissa & 1) != 0)) ++mantissa;
  if (!normal) return double_of(mantissa);
  // A mantissa that was rounded up to the next power carries into the exponent.
  const auto biased = static_cast<std::uint64_t>(exponent - kLeastExponent + 1);
  return double_of((biased << (kMantissaBits - 1)) + (mantissa - kHiddenBit));
}

std::string_view without_zeros(std::string_view digits, std::int64_t& exponent) {
  const auto first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) {
    exponent = 0;
    return {};
  }
  const auto last = digits.find_last_not_of('0');
  exponent += static_cast<std::int64_t>(digits.size() - 1 - last);
  return digits.substr(first, last + 1 - first);
}

// Up to 15 digits and 10^22 are doubles, and one operation with them rounds once.
double nearest_to_few(std::string_view digits, std::int64_t exponent) {
  std::int64_t whole = 0;
  for (const char digit : digits) whole = whole * 10 + (digit - '0');
  double power = 1;
  for (auto i = exponent < 0 ? -exponent : exponent; i > 0; --i) power *= 10;
  const auto value = static_cast<double>(whole);
  return exponent < 0 ? value / power : value * power;
}

}  // namespace

double nearest_double(std::string_view digits, std::int64_t exponent) {
  // No double, and nothing half-way between two, has more digits: of what follows them
  // it matters only that there is something.
  constexpr std::size_t kMostDigits = 800;
  digits = without_zeros(digits, exponent);
  if (digits.empty()) return 0;
  const auto magnitude = static_cast<std::int64_t>(digits.size()) + exponent;
  if (magnitude > 310) return std::numeric_limits<double>::infinity();
  if (magnitude < -330) return 0;
  if (digits.size() <= 15 && exponent >= -22 && exponent <= 22) {
    return nearest_to_few(digits, exponent);
  }
  Whole above(0);
  for (const char digit : digits.substr(0, kMostDigits)) {
    above.multiply_add(10, static_cast<std::uint32_t>(digit - '0'));
  }
  if (digits.size() > kMostDigits) {
    above.multiply_add(10, 1);
    exponent += static_cast<std::int64_t>(digits.size() - kMostDigits - 1);
  }
  Whole below(1);
  (exponent < 0 ? below : above)
      .multiply_by_power(10, exponent < 0 ? -exponent : exponent);
  return nearest_to(above, below);
}

Decimal exact_decimal(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const auto biased = static_cast<std::int64_t>(bits >> (kMantissaBits - 1) & 0x7ff);
  const auto fraction = bits & (kHiddenBit - 1);
  // The value is whole x 2^power.
  Whole whole(biased == 0 ? fraction : fraction | kHiddenBit);
  const auto power = std::max<std::int64_t>(biased, 1) + kLeastExponent - kMantissaBits;
  Decimal out;
  if (power >= 0) {
    whole.shift_left(power);
  } else {  // as many fives over as many tens
    whole.multiply_by_power(5, -power);
    out.exponent = power;
  }
  while (!whole.is_zero()) {
    auto nine = whole.divide(kBillion);
    for (int i = 0; i < 9; ++i, nine /= 10) {
      out.digits += static_cast<char>('0' + nine % 10);
    }
  }
  std::reverse(out.digits.begin(), out.digits.end());
  out.digits = std::string(without_zeros(out.digits, out.exponent));
  return out;
}

Decimal rounded(Decimal number, std::size_t digits) {
  auto& all = number.digits;
  if (digits >= all.size()) return number;
  const std::string rest = all.substr(digits);
  number.exponent += static_cast<std::int64_t>(rest.size());
  all.resize(digits);
  const bool odd = digits > 0 && (all.back() - '0') % 2 == 1;
  // What follows the five is not only zeros: the last digit is none.
  const bool up = rest[0] > '5' || (rest[0] == '5' && (odd || rest.size() > 1));
  if (up) {
    all.insert(all.begin(), '0');
    auto last = all.rbegin();
    for (; *last == '9'; ++last) *last = '0';
    ++*last;
  }
  all = std::string(without_zeros(all, number.exponent));
  return number;
}

}  // namespace bev
