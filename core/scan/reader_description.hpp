#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/reader/grouped_description.hpp"
#include "core/scan/reader_query.hpp"

namespace bev {

/// Describes the fields of the rows that a plan chooses: limits, mean, quantiles and
/// histogram, of all rows or of those of each value of a column.
///
///   do {
///     run the host's loop on query();
///   } while (description.step());
///   description.to_json();
///
/// Order and batch size of the plan are not used.
///
/// Lifetime  Keeps the engine's state alive.
/// Throws    step(): as ReaderQuery, Description and GroupedDescription; also
///           invalid_argument for a plan with windows or shards of equal length
class ReaderDescription {
 public:
  /// @param by  column of the groups; nullopt for one group
  ReaderDescription(Engine& engine, reader::Plan plan, std::optional<std::string> by);

  /// The query to run next.
  ReaderQuery& query() noexcept { return *query_; }

  /// Uses the query's results. Returns false after the last ones.
  bool step();

  /// Returns the description: see Description and GroupedDescription.
  std::string to_json() const;

 private:
  void open();
  void add(std::span<const ResultArray> arrays);
  std::vector<reader::GroupKey> keys_of(std::span<const ResultArray> arrays,
                                        std::size_t count) const;

  Engine& engine_;
  reader::Plan plan_;
  std::optional<std::string> by_;
  std::unique_ptr<ReaderQuery> query_;
  bool open_ = false;
  std::vector<reader::Column> columns_;  // of the fields to describe
  reader::Column by_column_;
  std::optional<reader::Description> whole_;
  std::optional<reader::GroupedDescription> grouped_;
};

}  // namespace bev
