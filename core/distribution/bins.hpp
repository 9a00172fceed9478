#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bev::distribution {

/// Bins of a column.
///
/// Shapes  n + 1 edges: bin i contains the values v with edges[i] <= v < edges[i + 1].
///         Three further bins follow: values below all edges, values from the last edge
///         on, and rows without a value.
struct Bins {
  /// Maximum number of bins between the edges.
  static constexpr std::size_t kMaxBins = 64;

  std::vector<double> edges;

  std::size_t size() const noexcept { return edges.empty() ? 0 : edges.size() - 1; }
  std::size_t below() const noexcept { return size(); }
  std::size_t above() const noexcept { return size() + 1; }
  std::size_t missing() const noexcept { return size() + 2; }
  /// Number of all bins.
  std::size_t total() const noexcept { return size() + 3; }

  /// Returns the bin of a value; NaN has none.
  std::uint8_t index(double value) const noexcept;
};

/// Finds the bins of many values.
///
/// Lifetime  The bins outlive it.
class Binner {
 public:
  explicit Binner(const Bins& bins);

  /// Returns the bin of a value; NaN has none.
  std::uint8_t operator()(double value) const noexcept {
    if (std::isnan(value)) return static_cast<std::uint8_t>(count_ + 2);
    if (count_ == 0 || value >= high_) return static_cast<std::uint8_t>(count_ + 1);
    if (value < low_) return static_cast<std::uint8_t>(count_);
    auto at = static_cast<std::size_t>((value / 2 - low_ / 2) * scale_);
    if (at >= count_) at = count_ - 1;
    while (value < edges_[at]) --at;
    while (value >= edges_[at + 1]) ++at;
    return static_cast<std::uint8_t>(at);
  }

 private:
  const double* edges_;
  std::size_t count_;
  double low_ = 0, high_ = 0, scale_ = 0;
};

/// Returns bins of a round width, 1, 2 or 5 times a power of ten, over the 1st to the
/// 99th percentile (of evenly chosen values, if there are many), and over all values if these need few further bins. The
/// width is at least 1 if all values are integers. Without a value there are no bins.
///
/// @param values  NaN: no value; otherwise finite
Bins bins_of(const std::vector<double>& values);

/// Returns one bin for each of the categories 0, 1, ...
Bins category_bins(std::uint32_t categories);

}  // namespace bev::distribution
