#include "core/reader/quantile_sketch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bev::reader {

// Keeps an odd number at its level, so that weights add up to the count.
void QuantileSketch::halve(std::size_t level) {
  if (levels_.size() == level + 1) levels_.emplace_back();
  keeps_odd_.resize(levels_.size());
  auto& from = levels_[level];
  auto& to = levels_[level + 1];
  std::sort(from.begin(), from.end());
  const auto pairs = from.size() / 2;
  const std::size_t odd = keeps_odd_[level];
  for (std::size_t i = 0; i < pairs; ++i) to.push_back(from[2 * i + odd]);
  from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(2 * pairs));
  keeps_odd_[level] ^= 1;
  error_ += std::ldexp(1.0, static_cast<int>(level));
  if (to.size() > kCapacity) halve(level + 1);
}

std::vector<double> QuantileSketch::quantiles(
    const std::vector<double>& fractions) const {
  std::vector<std::pair<double, std::uint64_t>> all;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    for (const double value : levels_[level]) {
      all.emplace_back(value, std::uint64_t{1} << level);
    }
  }
  std::sort(all.begin(), all.end());
  std::vector<double> out;
  for (const double fraction : fractions) {
    const double rank = fraction * static_cast<double>(count_);
    std::uint64_t seen = 0;
    double found = all.back().first;
    for (const auto& [value, weight] : all) {
      seen += weight;
      if (static_cast<double>(seen) < rank) continue;
      found = value;
      break;
    }
    out.push_back(found);
  }
  return out;
}

double QuantileSketch::rank_error() const noexcept {
  return count_ == 0 ? 0 : error_ / static_cast<double>(count_);
}

}  // namespace bev::reader
