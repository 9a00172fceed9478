#include "core/reader/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bev::reader {
namespace {

// Bin widths below this would not be numbers.
constexpr int kMinExponent = -1074;

// floor(value / 2^exponent), also where the quotient is too small for a double.
std::int64_t bin_at(double value, int exponent) {
  const double quotient = std::ldexp(value, -exponent);
  if (quotient == 0) return value < 0 ? -1 : 0;
  return static_cast<std::int64_t>(std::floor(quotient));
}

}  // namespace

std::int64_t Histogram::bin_of(double value) const {
  return bin_at(value, exponent_);
}

// The least exponent with which kMaxBins bins hold both numbers, which differ.
int Histogram::exponent_for(double min, double max) const {
  // The difference may overflow, its half does not. A first guess from below.
  const double half = max / 2 - min / 2;
  int exponent = kMinExponent;
  if (half > 0) exponent = std::max(kMinExponent, std::ilogb(half) - 6);
  constexpr auto kLast = static_cast<std::int64_t>(kMaxBins) - 1;
  while (bin_at(max, exponent) - bin_at(min, exponent) > kLast) ++exponent;
  return exponent;
}

// Merges bins until their width is 2^exponent: a wider bin holds whole narrower ones.
void Histogram::widen(int exponent) {
  const int steps = std::min(exponent - exponent_, 62);
  std::vector<std::uint64_t> wider(counts_.size());
  const auto first = first_ >> steps;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const auto bin = (first_ + static_cast<std::int64_t>(i)) >> steps;
    wider[static_cast<std::size_t>(bin - first)] += counts_[i];
  }
  first_ = first;
  exponent_ = exponent;
  counts_ = std::move(wider);
}

void Histogram::add(double value) {
  ++count_;
  if (count_ == 1) min_ = max_ = value;
  if (counts_.empty() && value == min_) return;
  const double min = std::min(min_, value);
  const double max = std::max(max_, value);
  const bool is_inside = min == min_ && max == max_;
  if (counts_.empty()) {
    exponent_ = exponent_for(min, max);
    first_ = bin_of(min);
    counts_.assign(kMaxBins, 0);
    counts_[static_cast<std::size_t>(bin_of(min_) - first_)] = count_ - 1;
  } else if (!is_inside) {
    const int exponent = exponent_for(min, max);
    if (exponent > exponent_) widen(exponent);
    const auto first = bin_of(min);
    if (first < first_) {
      std::rotate(counts_.begin(),
                  counts_.end() - static_cast<std::ptrdiff_t>(first_ - first),
                  counts_.end());
      first_ = first;
    }
  }
  min_ = min;
  max_ = max;
  ++counts_[static_cast<std::size_t>(bin_of(value) - first_)];
}

double Histogram::width() const noexcept {
  return counts_.empty() ? 0 : std::ldexp(1.0, exponent_);
}

double Histogram::begin() const noexcept {
  if (counts_.empty()) return min_;
  return std::ldexp(static_cast<double>(first_), exponent_);
}

std::vector<std::uint64_t> Histogram::counts() const {
  if (counts_.empty())
    return count_ == 0 ? std::vector<std::uint64_t>() : std::vector{count_};
  const auto size = static_cast<std::size_t>(bin_of(max_) - first_) + 1;
  return {counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace bev::reader
