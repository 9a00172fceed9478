#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/distribution/interval.hpp"
#include "core/distribution/table.hpp"

namespace bev::distribution {

/// Fractions of the quantiles in a summary: least value, box plot, greatest value.
inline constexpr std::array kFractions{0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

/// What a column's values of the passing rows are.
struct Summary {
  std::size_t group = 0;
  std::size_t missing = 0;  ///< passing rows without a value
  MeanInterval mean;
  /// For each fraction the least value that at least this share of the values does not
  /// exceed (NumPy's "inverted_cdf"); NaN without values.
  std::array<double, kFractions.size()> quantiles{};
};

/// Returns a summary of each group that has passing rows.
///
/// Throws  as Table::groups
std::vector<Summary> summaries(const Table& table, std::size_t column,
                               std::optional<std::size_t> by = {});

}  // namespace bev::distribution
