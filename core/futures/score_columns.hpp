#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::futures {

/// A value that is missing.
inline constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

/// The columns of a file of scores that are used.
///
/// Shapes  N rows.
class ScoreColumns {
 public:
  /// How a column is used.
  enum class Role { ignored, scenario, planner, log, metric, value };

  /// Reads a file.
  ///
  /// @param max_values  of the columns of values
  /// @throws Error      as ScoreReader::add(), without the file's name
  static ScoreColumns read(std::span<const std::byte> file, std::size_t max_values);

  bool is_of_planners = false;
  std::size_t rows = 0;
  std::vector<std::string> scenarios;  ///< (N)
  std::vector<std::string> planners;   ///< (N), empty without the column
  /// (N) whether nuPlan's aggregator wrote the row for a type or all scenarios; empty
  /// without its column.
  std::vector<bool> is_group;
  std::vector<std::string> names;           ///< of the columns of values
  std::vector<std::vector<double>> values;  ///< by column (N)
};

/// Returns whether columns are those of a submission's rows, or of planners' scores.
bool are_submission_columns(std::span<const std::string> names);
bool are_planner_columns(std::span<const std::string> names);

/// Splits a line of CSV, whose quoted fields may have quotes, doubled, and commas.
std::vector<std::string> score_fields(std::string_view line);

}  // namespace bev::futures
