#include "core/distribution/bins.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

namespace bev::distribution {
namespace {

/// Number of bins that the usual range is divided into, at most.
constexpr double kUsualBins = 25;
/// Bins that are added at an end rather than to count the values beyond it.
constexpr double kFurtherBins = 5;
/// Number of values by which percentiles are estimated, at least if there are as many.
constexpr std::size_t kSample = 32768;
/// Share of the values at each end that may lie beyond the bins.
constexpr double kBeyond = 0.01;

/// A width: `factor` times ten to the power of `exponent`.
struct Width {
  double factor = 1;
  int exponent = 0;

  /// Returns `count` widths; the decimal number, correctly rounded.
  double times(double count) const noexcept {
    double power = 1;
    for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
    return exponent < 0 ? count * factor / power : count * factor * power;
  }
};

/// Returns the least round width of at least `least`, which is positive.
Width round_width(double least) {
  Width out;
  out.exponent = static_cast<int>(std::floor(std::log10(least)));
  out.exponent = std::max(-300, std::min(300, out.exponent));
  for (const double factor : {1.0, 2.0, 5.0}) {
    out.factor = factor;
    if (out.times(1) >= least * (1 - 1e-12)) return out;
  }
  return {1, out.exponent + 1};
}

/// What the bins have to cover.
struct Extent {
  double min = 0, low = 0, high = 0, max = 0;  ///< low, high: percentiles
  bool integers = true;
};

/// Returns the extent; nothing without a value.
std::optional<Extent> extent_of(const std::vector<double>& values) {
  Extent out;
  std::vector<double> sample;
  const auto stride = values.size() / kSample + 1;
  std::size_t known = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    if (known % stride == 0) sample.push_back(value);
    if (known == 0) out.min = out.max = value;
    out.min = std::min(out.min, value);
    out.max = std::max(out.max, value);
    out.integers = out.integers && value == std::floor(value);
    ++known;
  }
  if (known == 0) return std::nullopt;
  const auto last = sample.size() - 1;
  const auto skipped = static_cast<std::size_t>(static_cast<double>(last) * kBeyond);
  const auto at = [&](std::size_t rank) {
    return sample.begin() + static_cast<std::ptrdiff_t>(rank);
  };
  std::nth_element(sample.begin(), at(skipped), sample.end());
  out.low = *at(skipped);
  std::nth_element(at(skipped), at(last - skipped), sample.end());
  out.high = *at(last - skipped);
  return out;
}

Width width_for(const Extent& of) {
  double span = of.high - of.low;
  if (span <= 0) span = of.max - of.min;
  double least = std::isfinite(span) ? span / kUsualBins : of.max / kUsualBins;
  // Edges stay distinct numbers.
  least = std::max(least, 1e-12 * std::max(std::abs(of.low), std::abs(of.high)));
  if (least <= 0 || span <= 0 || of.integers) least = std::max(least, 1.0);
  return round_width(least);
}

}  // namespace

Binner::Binner(const Bins& bins) : edges_(bins.edges.data()), count_(bins.size()) {
  if (count_ == 0) return;
  low_ = edges_[0];
  high_ = edges_[count_];
  // Halves, because the difference of two numbers may be none.
  scale_ = static_cast<double>(count_) / (high_ / 2 - low_ / 2);
}

std::uint8_t Bins::index(double value) const noexcept {
  return Binner(*this)(value);
}

Bins bins_of(const std::vector<double>& values) {
  Bins out;
  const auto found = extent_of(values);
  if (!found) return out;
  const auto& extent = *found;
  const auto width = width_for(extent);
  const double one = width.times(1);
  double first = std::floor(extent.low / one);
  double end = std::floor(extent.high / one) + 1;
  if (first - extent.min / one <= kFurtherBins) first = std::floor(extent.min / one);
  if (extent.max / one - end < kFurtherBins) end = std::floor(extent.max / one) + 1;
  // Quotients are rounded.
  while (width.times(first) > extent.low) --first;
  while (width.times(end) <= extent.high) ++end;
  end = std::min(end, first + static_cast<double>(Bins::kMaxBins));
  constexpr double kGreatest = std::numeric_limits<double>::max();
  for (double i = first; i <= end; ++i) {
    const double edge = width.times(i) + 0;  // 0, not -0
    out.edges.push_back(std::max(-kGreatest, std::min(kGreatest, edge)));
  }
  return out;
}

Bins category_bins(std::uint32_t categories) {
  Bins out;
  for (std::uint32_t i = 0; i <= categories; ++i) out.edges.push_back(i);
  return out;
}

}  // namespace bev::distribution
