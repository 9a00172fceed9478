#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bev::futures {

/// What a file of scores contains.
enum class ScoreFile : std::uint8_t {
  none,       ///< something else
  scenarios,  ///< rows of a submission, as `bevscope score` writes them
  planners,   ///< a table of nuPlan's metrics, or rows of its simulations
};

/// Bytes at the begin and end of a file that tell what it is.
inline constexpr std::size_t kScoreHead = 4'096, kScoreTail = std::size_t{1} << 17U;

/// Returns what a file is by the names of its columns: of CSV in the first bytes, of
/// Parquet in the last.
///
/// @param head, tail  at most kScoreHead and kScoreTail bytes; they may overlap
ScoreFile score_file_of(std::string_view head, std::string_view tail);

/// Maximum bytes of a file of scores, its rows, and the values of all files.
inline constexpr std::size_t kMaxScoreBytes = std::size_t{1} << 28U;
inline constexpr std::size_t kMaxScoreRows = 2'000'000;
inline constexpr std::size_t kMaxScoreValues = std::size_t{1} << 24U;

/// Scores of a submission or of a planner.
///
/// Shapes  S scenarios, N rows, C columns.
struct ScoreTable {
  std::string name;  ///< of the planner, "" for one without; else the file's
  bool is_of_planner = false;
  bool is_of_futures = false;          ///< a row per future, else one per scenario
  std::vector<std::string> columns;    ///< (C)
  std::vector<std::string> scenarios;  ///< (S) ids, in the order of the files
  std::vector<std::uint32_t>
      first_row;               ///< (S + 1); the rows of a scenario are together
  std::vector<double> values;  ///< (N, C); NaN if missing
};

class ScoreColumns;

/// Reads files of scores, CSV or Parquet.
///
/// - Rows of submissions: a table for each file. Columns are those with names of lower-case
///   letters, digits and underscores.
/// - nuPlan's metrics: a table for each planner, with the metrics of all files. Rows of
///   types and of all scenarios are left out, and so are units, types and time series.
///
/// Memory  That of the values, and of the file.
/// Throws  limit_exceeded above a limit; invalid_metadata, naming file and row, for values
///         that are no numbers, repeated scenarios, and values of a planner that differ
///         between files; as parquet::parse_footer() and parquet::read_values()
class ScoreReader {
 public:
  /// @param where  the file's name, for messages
  void add(std::span<const std::byte> file, std::string_view where);

  /// Returns the tables: submissions first, then planners, in the order of the files.
  std::vector<ScoreTable> finish();

 private:
  struct Planner {
    std::vector<std::string> columns;
    std::vector<std::string> scenarios;
    std::unordered_map<std::string, std::vector<double>> values;  // by scenario
  };

  struct FilePlanner;

  void add_submission(const ScoreColumns& from, std::string_view where);
  void add_planners(const ScoreColumns& from);
  FilePlanner planner_of(const std::string& name,
                         const std::vector<std::string>& columns);

  std::vector<ScoreTable> tables_;
  std::vector<std::string> names_;  // of the planners
  std::unordered_map<std::string, Planner> planners_;
  std::size_t values_ = 0;
};

}  // namespace bev::futures
