#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bev::reader {

/// Counts of numbers in bins of equal width. The width is the least power of two with
/// which kMaxBins bins hold all numbers; bins begin at multiples of the width. So counts
/// are exact, and do not depend on the order of the numbers.
///
/// Example  1, 2 and 100 with at most 64 bins: width 2, bins from 0 to 102.
class Histogram {
 public:
  static constexpr std::size_t kMaxBins = 64;

  /// Adds a finite number.
  void add(double value);

  /// Width of a bin; 0 while all numbers are equal.
  double width() const noexcept;

  /// Begin of the first bin.
  double begin() const noexcept;

  /// Counts of the bins from the one with the least number to the one with the greatest.
  std::vector<std::uint64_t> counts() const;

 private:
  std::int64_t bin_of(double value) const;
  void widen(int exponent);
  int exponent_for(double min, double max) const;

  double min_ = 0;
  double max_ = 0;
  std::uint64_t count_ = 0;
  int exponent_ = 0;        // the width is 2^exponent
  std::int64_t first_ = 0;  // number of the first bin: its begin divided by the width
  std::vector<std::uint64_t> counts_;  // empty while all numbers are equal
};

}  // namespace bev::reader
