#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bev::reader {

/// Quantiles of a stream of numbers. Exact for up to kCapacity numbers; after that, full
/// buffers are sorted and every second number is kept with twice the weight.
///
/// Memory     128 KiB for each doubling of the numbers above kCapacity.
/// Reference  Munro, Paterson: "Selection and sorting with limited storage", 1980.
class QuantileSketch {
 public:
  static constexpr std::size_t kCapacity = 16'384;

  /// Adds a number that is not NaN.
  void add(double value) {
    if (levels_.empty()) levels_.emplace_back();
    levels_[0].push_back(value);
    ++count_;
    if (levels_[0].size() == kCapacity + 1) halve(0);
  }

  std::uint64_t count() const noexcept { return count_; }

  /// Returns for each fraction, from 0 to 1, the least number that at least this share
  /// of the numbers does not exceed (NumPy's method "inverted_cdf"). Requires a number.
  std::vector<double> quantiles(const std::vector<double>& fractions) const;

  /// Returns the maximum error of a quantile's rank, as a fraction of the count: 0 for
  /// up to kCapacity numbers, below 0.002 for 2^46.
  double rank_error() const noexcept;

 private:
  void halve(std::size_t level);

  std::vector<std::vector<double>> levels_;  // numbers of weight 2^level
  std::vector<std::uint8_t> keeps_odd_;      // which ones the next halving keeps
  std::uint64_t count_ = 0;
  double error_ = 0;  // in ranks
};

}  // namespace bev::reader
