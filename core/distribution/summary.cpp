#include "core/distribution/summary.hpp"

#include <algorithm>
#include <cmath>

namespace bev::distribution {
namespace {

void set_quantiles(Summary& out, std::vector<double>& values) {
  out.quantiles.fill(std::numeric_limits<double>::quiet_NaN());
  auto begin = values.begin();
  for (std::size_t i = 0; i < kFractions.size() && !values.empty(); ++i) {
    const auto rank = std::ceil(kFractions[i] * static_cast<double>(values.size()));
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
    std::nth_element(begin, at, values.end());
    out.quantiles[i] = *at;
    begin = at;
  }
}

}  // namespace

std::vector<Summary> summaries(const Table& table, std::size_t column,
                               std::optional<std::size_t> by) {
  const auto& values = table.values(column);
  struct Group {
    std::vector<std::uint32_t> rows;
    std::vector<double> values;
    std::size_t missing = 0;
  };
  std::vector<Group> groups(table.groups(by));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!table.passes(row)) continue;
    auto& group = groups[table.group_of(row, by)];
    if (std::isnan(values[row])) {
      ++group.missing;
      continue;
    }
    group.rows.push_back(static_cast<std::uint32_t>(row));
    group.values.push_back(values[row]);
  }
  const bool share = table.columns()[column].categories == 2;
  std::vector<Summary> out;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    auto& group = groups[i];
    if (group.missing + group.rows.size() == 0) continue;
    Summary one;
    one.group = i;
    one.missing = group.missing;
    one.mean = mean_of(table.ids(), group.rows, group.values, share);
    set_quantiles(one, group.values);
    out.push_back(one);
  }
  return out;
}

}  // namespace bev::distribution
