#include "core/distribution/interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace bev::distribution {
namespace {

/// Values by cluster, in the order of clusters.
using Clustered = std::vector<std::pair<std::int64_t, double>>;

/// Returns the variance of the mean over clusters.
double variance_of(const Clustered& values, double mean, std::size_t& clusters) {
  double squares = 0;
  clusters = 0;
  for (std::size_t i = 0; i < values.size();) {
    double excess = 0;
    const auto key = values[i].first;
    for (; i < values.size() && values[i].first == key; ++i) {
      excess += values[i].second - mean;
    }
    squares += excess * excess;
    ++clusters;
  }
  if (clusters < 2) return 0;
  const auto n = static_cast<double>(values.size()), g = static_cast<double>(clusters);
  return g / (g - 1) * squares / (n * n);
}

/// Sets Wilson's interval of a share.
void set_wilson(MeanInterval& out, double variance, double t) {
  const double p = out.mean;
  const bool spread = variance > 0 && p > 0 && p < 1;
  const auto count = static_cast<double>(out.count);
  const double n = spread ? std::min(count, p * (1 - p) / variance)
                          : static_cast<double>(out.clusters);
  const double centre = (p + t * t / (2 * n)) / (1 + t * t / n);
  const double inside = p * (1 - p) / n + t * t / (4 * n * n);
  const double half = t / (1 + t * t / n) * std::sqrt(inside);
  // All or nothing is within its interval, however it is rounded.
  out.low = std::max(0.0, std::min(p, centre - half));
  out.high = std::min(1.0, std::max(p, centre + half));
}

}  // namespace

double student_quantile(std::size_t freedom) noexcept {
  constexpr std::array kFirst{12.7062047364, 4.3026527297, 3.1824463053, 2.7764451052,
                              2.5705818366,  2.4469118511, 2.3646242516, 2.3060041352};
  if (freedom == 0) return std::numeric_limits<double>::quiet_NaN();
  if (freedom <= kFirst.size()) return kFirst[freedom - 1];
  // Expansion in 1 / n around the normal distribution's quantile.
  constexpr double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z,
                   z7 = z5 * z * z, z9 = z7 * z * z;
  const auto n = static_cast<double>(freedom);
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n) +
         (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) /
             (92160 * n * n * n * n);
}

MeanInterval mean_of(const RowIds& ids, std::span<const std::uint32_t> rows,
                     std::span<const double> values, bool share) {
  MeanInterval out;
  out.count = values.size();
  if (values.empty()) return out;
  double sum = 0;
  for (const double value : values) sum += value;
  out.mean = sum / static_cast<double>(out.count);
  const auto scene = ids.scenes[rows[0]];
  out.by_scene = std::any_of(rows.begin(), rows.end(), [&](std::uint32_t row) {
    return ids.scenes[row] != scene;
  });
  Clustered clustered;
  clustered.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = rows[i];
    clustered.emplace_back(out.by_scene ? ids.scenes[row] : ids.tracks[row], values[i]);
  }
  const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(clustered.begin(), clustered.end(), before)) {
    std::stable_sort(clustered.begin(), clustered.end(), before);
  }
  const double variance = variance_of(clustered, out.mean, out.clusters);
  if (out.clusters < 2) return out;
  const double t = student_quantile(out.clusters - 1);
  if (share) {
    set_wilson(out, variance, t);
    return out;
  }
  const double half = t * std::sqrt(variance);
  out.low = out.mean - half;
  out.high = out.mean + half;
  return out;
}

}  // namespace bev::distribution
