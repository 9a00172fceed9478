#include "core/futures/score_tables.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"

// Files of scores: of submissions, and of nuPlan's planners.

namespace bev::ops {
namespace {

/// Files that are being read, and then their tables.
struct OpenScores {
  futures::ScoreReader reader{};
  std::vector<futures::ScoreTable> tables{};

  const futures::ScoreTable& at(std::uint32_t table) const {
    if (table < tables.size()) return tables[table];
    fail_index({"table "}, table, tables.size());
  }
};

}  // namespace

template <>
inline constexpr const char* kObjectName<OpenScores> = "Scores";

namespace {

std::string_view text_of(const RawBytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string score_file(const RawBytes& head, const RawBytes& tail) {
  switch (futures::score_file_of(text_of(head), text_of(tail))) {
    case futures::ScoreFile::scenarios: return "scenarios";
    case futures::ScoreFile::planners: return "planners";
    default: return "";
  }
}

std::unique_ptr<OpenScores> scores() {
  return std::make_unique<OpenScores>();
}

void add_score_file(OpenScores& scores, const RawBytes& file,
                    const std::string& where) {
  scores.reader.add(file, where);
}

/// Returns the names of the tables.
std::vector<std::string> finish_scores(OpenScores& scores) {
  scores.tables = scores.reader.finish();
  std::vector<std::string> out;
  for (const auto& table : scores.tables) out.push_back(table.name);
  return out;
}

std::vector<std::string> score_columns(OpenScores& scores, std::uint32_t table) {
  return scores.at(table).columns;
}

std::vector<std::string> scored_scenarios(OpenScores& scores, std::uint32_t table) {
  return scores.at(table).scenarios;
}

Outcome score_values(OpenScores& scores, std::uint32_t table) {
  const auto& from = scores.at(table);
  return Outcome()
      .add("first_row", from.first_row)
      .add("values", from.values)
      .add("is_of_futures", from.is_of_futures ? 1.0 : 0.0)
      .add("is_of_planner", from.is_of_planner ? 1.0 : 0.0);
}

constexpr std::array kScoreOperations{
    operation<&score_file, "head", "tail">(
        "score_file", "",
        "what a file of scores has, by its ends: scenarios, planners, or nothing"),
    operation<&scores>("scores", "", "reads files of scores, CSV or Parquet"),
    operation<&add_score_file, "scores", "file", "where">("add_score_file", "",
                                                          "adds a file"),
    operation<&finish_scores, "scores">(
        "finish_scores", "",
        "names of the tables: files of submissions, then planners"),
    operation<&score_columns, "scores", "table">("score_columns", "",
                                                 "names of a table's columns"),
    operation<&scored_scenarios, "scores", "table">("scored_scenarios", "",
                                                    "ids of a table's scenarios"),
    operation<&score_values, "scores", "table">(
        "score_values",
        "first_row <u4 (s + 1); values <f8 (n, c); is_of_futures <f8; is_of_planner "
        "<f8",
        "the rows of each scenario; NaN is missing"),
};

}  // namespace

std::span<const Operation> score_operations() {
  return kScoreOperations;
}

}  // namespace bev::ops
