#include "core/scan/fact_choice.hpp"

#include "core/base/error.hpp"
#include "core/scan/facts_query.hpp"

namespace bev {

FactChoice::FactChoice(std::string_view table, std::string_view where,
                       const facts::FactFilter::Tags& tags)
    : kind_(facts::table_kind(table)), filter_(kind_, where, tags), chosen_(kind_) {
  for (const auto& column : facts::schema_of(kind_).columns) {
    sizes_.push_back(column.type.size());
  }
}

std::span<const ResultArray> FactChoice::select(
    std::span<const std::span<const std::byte>> columns) {
  const auto rows = columns.empty() ? 0 : columns[0].size() / sizes_[0];
  const auto passed = filter_.select(columns, rows);  // checks the number of columns
  facts::FactTable table(kind_);
  table.rows = rows;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].size() != rows * sizes_[i]) {
      fail(Errc::invalid_argument,
           {"facts: wrong size of ", facts::columns_of(kind_)[i].name, " (found ",
            columns[i].size(), " bytes, expected ", rows * sizes_[i], ")"});
    }
    table.columns[i].assign(columns[i].begin(), columns[i].end());
  }
  chosen_ = facts::taken(table, passed);
  results_.clear();
  add_facts(chosen_, results_);
  return results_.arrays();
}

}  // namespace bev
