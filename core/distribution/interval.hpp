#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/distribution/table.hpp"

namespace bev::distribution {

/// A mean and its 95 % confidence interval.
struct MeanInterval {
  double mean = std::numeric_limits<double>::quiet_NaN();
  /// NaN with fewer than two clusters.
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  std::size_t count = 0;
  std::size_t clusters = 0;
  bool by_scene =
      false;  ///< the clusters are scenes, otherwise the tracks of one scene
};

/// Returns the quantile 0.975 of Student's t distribution, within 1e-4.
double student_quantile(std::size_t freedom) noexcept;

/// Returns the mean of rows' values. Rows of one scene resemble each other, so the interval
/// is that of clusters: of scenes, or of tracks if all rows are of one scene.
///
/// @param values  one per row, not NaN
/// @param share   values are 0 or 1: the interval is Wilson's, and never empty
/// Reference      Liang, Zeger: "Longitudinal data analysis using generalized linear
///                models", 1986; Wilson: "Probable inference", 1927, for as many rows as
///                independent ones would give the same variance.
MeanInterval mean_of(const RowIds& ids, std::span<const std::uint32_t> rows,
                     std::span<const double> values, bool share = false);

}  // namespace bev::distribution
