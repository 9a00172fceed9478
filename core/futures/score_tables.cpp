#include "core/futures/score_tables.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <unordered_set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/futures/score_columns.hpp"
#include "core/futures/text_lines.hpp"

namespace bev::futures {
namespace {

/// The rows of each scenario, in the order of their first ones.
struct Grouped {
  std::vector<std::string> scenarios;
  std::vector<std::vector<std::size_t>> rows;
};

Grouped grouped(const std::vector<std::string>& ids) {
  Grouped out;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const auto [found, is_new] = places.try_emplace(ids[row], out.rows.size());
    if (is_new) {
      out.scenarios.push_back(ids[row]);
      out.rows.emplace_back();
    }
    out.rows[found->second].push_back(row);
  }
  return out;
}

bool has_name(std::string_view text, std::string_view name) {
  return text.find(name) != std::string_view::npos;
}

}  // namespace

ScoreFile score_file_of(std::string_view head, std::string_view tail) {
  if (!head.starts_with("PAR1")) {
    const auto line = bare_line(head.substr(0, head.find('\n')), 0);
    const auto names = score_fields(line);
    if (are_planner_columns(names)) return ScoreFile::planners;
    return are_submission_columns(names) ? ScoreFile::scenarios : ScoreFile::none;
  }
  // The footer names the columns, among much else.
  const auto has_all = [&](std::initializer_list<std::string_view> names) {
    return std::all_of(names.begin(), names.end(),
                       [&](std::string_view name) { return has_name(tail, name); });
  };
  if (has_all({"planner_name", "scenario_type", "log_name"}) &&
      (has_name(tail, "metric_score") || has_name(tail, "aggregator_type"))) {
    return ScoreFile::planners;
  }
  return has_all({"scenario_id", "ade", "evaluated"}) ? ScoreFile::scenarios
                                                      : ScoreFile::none;
}

void ScoreReader::add(std::span<const std::byte> file, std::string_view where) {
  if (file.size() > kMaxScoreBytes) {
    fail_at(Errc::limit_exceeded, where,
            {"too large (expected at most ", kMaxScoreBytes, " bytes)"});
  }
  try {
    const auto columns = ScoreColumns::read(file, kMaxScoreValues - values_);
    values_ += columns.rows * columns.names.size();
    if (columns.is_of_planners) {
      add_planners(columns);
    } else {
      add_submission(columns, where);
    }
  } catch (const Error& error) {
    fail_at(error.code(), where, {error.what()});
  }
}

void ScoreReader::add_submission(const ScoreColumns& from, std::string_view where) {
  auto& out = tables_.emplace_back();
  out.name = std::string(where);
  out.columns = from.names;
  out.is_of_futures =
      std::find(out.columns.begin(), out.columns.end(), "rollout") != out.columns.end();
  auto groups = grouped(from.scenarios);
  out.first_row.push_back(0);
  out.values.reserve(from.rows * out.columns.size());
  for (std::size_t i = 0; i < groups.rows.size(); ++i) {
    const auto& rows = groups.rows[i];
    if (rows.size() > 1 && !out.is_of_futures) {
      fail(Errc::invalid_metadata,
           {"row ", rows[1], ": scenario ", groups.scenarios[i], " is repeated"});
    }
    for (const auto row : rows) {
      for (const auto& column : from.values) out.values.push_back(column[row]);
    }
    out.first_row.push_back(out.first_row.back() +
                            static_cast<std::uint32_t>(rows.size()));
  }
  out.scenarios = std::move(groups.scenarios);
}

/// The planner of a file's rows: where the file's columns are among its own, and the
/// scenarios that the file has.
struct ScoreReader::FilePlanner {
  Planner* planner = nullptr;
  std::vector<std::size_t> places;
  std::unordered_set<std::string_view> scenarios;
};

/// Returns a planner, to which columns are added.
ScoreReader::FilePlanner ScoreReader::planner_of(
    const std::string& name, const std::vector<std::string>& columns) {
  const auto [found, is_new] = planners_.try_emplace(name);
  if (is_new) names_.push_back(name);
  FilePlanner out{&found->second, {}, {}};
  auto& own = out.planner->columns;
  for (const auto& column : columns) {
    const auto at = std::find(own.begin(), own.end(), column);
    out.places.push_back(static_cast<std::size_t>(at - own.begin()));
    if (at == own.end()) own.push_back(column);
  }
  return out;
}

void ScoreReader::add_planners(const ScoreColumns& from) {
  std::unordered_map<std::string, FilePlanner> all;
  for (std::size_t row = 0; row < from.rows; ++row) {
    if (!from.is_group.empty() && from.is_group[row]) continue;
    const auto name = from.planners.empty() ? std::string() : from.planners[row];
    auto found = all.find(name);
    if (found == all.end()) {
      found = all.emplace(name, planner_of(name, from.names)).first;
    }
    auto& [planner, places, scenarios] = found->second;
    const auto& id = from.scenarios[row];
    if (!scenarios.insert(id).second) {
      fail(Errc::invalid_metadata,
           {"row ", row, ": scenario ", id, " of ", name, " is repeated"});
    }
    const auto [values, is_first] = planner->values.try_emplace(id);
    if (is_first) planner->scenarios.push_back(id);
    auto& own = values->second;
    own.resize(planner->columns.size(), kNoScore);
    for (std::size_t c = 0; c < places.size(); ++c) {
      const double value = from.values[c][row];
      auto& to = own[places[c]];
      // Those of a metric and of the aggregator are equal, of two challenges not.
      if (!std::isnan(to) && !std::isnan(value) && to != value) {
        fail(Errc::invalid_metadata,
             {from.names[c], " of ", name, " in scenario ", id,
              " differs between files (found ", python_repr(to), " and ",
              python_repr(value), "); open one challenge at a time"});
      }
      if (!std::isnan(value)) to = value;
    }
  }
}

std::vector<ScoreTable> ScoreReader::finish() {
  for (const auto& name : names_) {
    auto& planner = planners_[name];
    auto& out = tables_.emplace_back();
    out.name = name;
    out.is_of_planner = true;
    out.columns = std::move(planner.columns);
    out.first_row.push_back(0);
    for (const auto& id : planner.scenarios) {
      auto& own = planner.values[id];
      own.resize(out.columns.size(), kNoScore);
      out.values.insert(out.values.end(), own.begin(), own.end());
      out.first_row.push_back(out.first_row.back() + 1);
    }
    out.scenarios = std::move(planner.scenarios);
  }
  names_.clear();
  planners_.clear();
  return std::move(tables_);
}

}  // namespace bev::futures
