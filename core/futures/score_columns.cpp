#include "core/futures/score_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/futures/score_tables.hpp"
#include "core/futures/text_lines.hpp"
#include "core/parquet/pages.hpp"
#include "include/bevscope/byte_range.hpp"

namespace bev::futures {
namespace {

using Role = ScoreColumns::Role;

constexpr std::size_t kMaxIdBytes = 256;

/// Names of the scenario's column in nuPlan's tables, by kind of table.
constexpr std::array<std::string_view, 3> kScenarioNames{"scenario_id", "scenario_name",
                                                         "scenario"};
/// Columns of nuPlan's tables that are text, or say nothing of a scenario.
constexpr std::array<std::string_view, 7> kNoValues{
    "scenario_type",         "aggregator_type", "num_scenarios",
    "metric_computator",     "metric_category", "metric_score_unit",
    "metric_statistics_name"};
constexpr std::string_view kStatistic = "_stat_value";

bool has_column(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a name is one of a submission's columns: [a-z][a-z_0-9]{0,29}.
bool is_plain_name(std::string_view name) {
  constexpr std::size_t kMaxBytes = 30;
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && name.size() <= kMaxBytes && is_lower(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return is_lower(c) || c == '_' || (c >= '0' && c <= '9');
         });
}

Role planner_role(std::string_view name, std::string_view scenario) {
  if (name == scenario) return Role::scenario;
  if (name == "planner_name") return Role::planner;
  if (name == "log_name") return Role::log;
  if (name == "metric_statistics_name") return Role::metric;
  const bool is_other =
      std::find(kNoValues.begin(), kNoValues.end(), name) != kNoValues.end() ||
      std::find(kScenarioNames.begin(), kScenarioNames.end(), name) !=
          kScenarioNames.end() ||
      name.starts_with("time_series_") || name.starts_with("__") ||
      name.ends_with("_stat_type") || name.ends_with("_stat_unit");
  return is_other ? Role::ignored : Role::value;
}

double number_of(std::string_view text, std::string_view column, std::size_t row) {
  if (text.empty()) return kNoScore;
  const auto value = parse_real(text);
  const bool is_word = text.find_first_of("nN") != std::string_view::npos;
  if (value && (std::isfinite(*value) || is_word)) return *value;
  constexpr std::size_t kShown = 40;
  fail(Errc::invalid_metadata, {"row ", row, ", ", column, ": not a number (found ",
                                text.substr(0, kShown), ")"});
}

/// Receives the cells of a file, whatever its form.
class Collector {
 public:
  /// @param names  of the file's columns
  Collector(std::vector<std::string> names, std::size_t max_values)
      : names_(std::move(names)), max_values_(max_values) {
    out_.is_of_planners = are_planner_columns(names_);
    if (!out_.is_of_planners && !are_submission_columns(names_)) {
      fail(Errc::unsupported,
           {"not scores (expected the columns of bevscope score, or of nuPlan's "
            "metrics)"});
    }
    const auto* const scenario =
        std::find_if(kScenarioNames.begin(), kScenarioNames.end(),
                     [&](std::string_view one) { return has_column(names_, one); });
    if (scenario == kScenarioNames.end()) {
      fail(Errc::invalid_metadata, {"no column of scenarios"});
    }
    for (const auto& name : names_) {
      const bool is_value = out_.is_of_planners || is_plain_name(name);
      const auto role = out_.is_of_planners ? planner_role(name, *scenario)
                        : name == *scenario ? Role::scenario
                        : is_value          ? Role::value
                                            : Role::ignored;
      roles_.push_back(role);
      if (role == Role::value) ++value_columns_;
      place_.push_back(role == Role::value ? value_columns_ - 1 : 0);
    }
    has_groups_ = has_column(names_, "aggregator_type");
    values_.resize(value_columns_);
  }

  Role role(std::size_t column) const { return roles_[column]; }

  /// Throws limit_exceeded for more than the rows, or their values.
  void check(std::uint64_t rows) const {
    if (rows > kMaxScoreRows) {
      fail(Errc::limit_exceeded,
           {"too many rows (expected at most ", kMaxScoreRows, ")"});
    }
    if (rows * value_columns_ > max_values_) {
      fail(Errc::limit_exceeded,
           {"too many values (expected at most ", kMaxScoreValues, ")"});
    }
  }

  void add_text(std::size_t column, std::string_view text, bool is_null) {
    switch (roles_[column]) {
      case Role::scenario: out_.scenarios.push_back(checked(text)); break;
      case Role::planner: out_.planners.push_back(checked(text)); break;
      case Role::log:
        if (has_groups_) out_.is_group.push_back(is_null || text.empty());
        break;
      case Role::metric:
        if (metric_.empty()) metric_ = checked(text);
        break;
      case Role::value: {
        auto& to = values_[place_[column]];
        to.push_back(is_null ? kNoScore : number_of(text, names_[column], to.size()));
        break;
      }
      case Role::ignored: break;
    }
  }

  void add_number(std::size_t column, double value) {
    if (roles_[column] == Role::value) values_[place_[column]].push_back(value);
  }

  /// Names the columns of values: a metric's score by the metric, a statistic by its own.
  ScoreColumns finish(std::size_t rows) {
    out_.rows = rows;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (roles_[c] != Role::value) continue;
      std::string name = names_[c];
      if (out_.is_of_planners && !metric_.empty() && name == "metric_score") {
        name = metric_;
      } else if (out_.is_of_planners && name.ends_with(kStatistic)) {
        name.resize(name.size() - kStatistic.size());
        if (name == metric_) continue;  // which has its score already
      }
      out_.names.push_back(std::move(name));
      out_.values.push_back(std::move(values_[place_[c]]));
    }
    return std::move(out_);
  }

 private:
  static std::string checked(std::string_view text) {
    if (text.size() > kMaxIdBytes) {
      fail(Errc::limit_exceeded,
           {"too long a name (expected at most ", kMaxIdBytes, " bytes)"});
    }
    return std::string(text);
  }

  std::vector<std::string> names_;
  std::size_t max_values_, value_columns_ = 0;
  std::vector<Role> roles_;
  std::vector<std::size_t> place_;  // of a column among those of values
  std::vector<std::vector<double>> values_;
  std::string metric_;
  bool has_groups_ = false;
  ScoreColumns out_;
};

ScoreColumns read_csv(std::string_view text, std::size_t max_values) {
  std::optional<Collector> to;
  std::size_t line_number = 0, rows = 0, width = 0;
  while (!text.empty()) {
    const auto size = std::min(text.find('\n'), text.size() - 1) + 1;
    const auto line = bare_line(text.substr(0, size), line_number++);
    text.remove_prefix(size);
    if (line.empty()) continue;
    const auto fields = score_fields(line);
    if (!to) {
      width = fields.size();
      to.emplace(fields, max_values);
      continue;
    }
    if (fields.size() != width) {
      fail(Errc::invalid_metadata,
           {"line ", line_number, ": wrong number of fields (found ", fields.size(),
            ", expected ", width, ")"});
    }
    to->check(++rows);
    for (std::size_t c = 0; c < width; ++c) to->add_text(c, fields[c], false);
  }
  if (!to) fail(Errc::invalid_metadata, {"no header"});
  return to->finish(rows);
}

ScoreColumns read_parquet(std::span<const std::byte> file, std::size_t max_values) {
  if (file.size() < 4 + parquet::kTailBytes) {
    fail(Errc::corrupt_chunk, {"Parquet that is not complete"});
  }
  const auto part = [&](ByteRange range) {
    return file.subspan(static_cast<std::size_t>(range.begin),
                        static_cast<std::size_t>(range.size()));
  };
  const auto end = parquet::footer_range(
      file.last(static_cast<std::size_t>(parquet::kTailBytes)), file.size());
  const auto footer = parquet::parse_footer(part(end), file.size());
  std::vector<std::string> names;
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < footer.columns.size(); ++c) {
    if (!parquet::is_read(footer.columns[c])) continue;
    names.push_back(footer.columns[c].name);
    places.push_back(c);
  }
  Collector to(std::move(names), max_values);
  std::uint64_t rows = 0;
  for (const auto& group : footer.groups) to.check(rows += group.rows);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (to.role(i) == Role::ignored) continue;
    const auto& column = footer.columns[places[i]];
    const bool is_text = column.type == parquet::Type::bytes;
    const bool is_real =
        column.type == parquet::Type::real32 || column.type == parquet::Type::real64;
    for (const auto& group : footer.groups) {
      const auto& chunk = group.chunks[places[i]];
      parquet::read_values(
          part(chunk.bytes), column, chunk, group.rows,
          [&](std::uint64_t, const parquet::Value& value) {
            if (is_text || to.role(i) != Role::value) {
              const auto text = is_text         ? std::string(value.text)
                                : value.is_null ? std::string()
                                                : std::to_string(value.integer);
              return to.add_text(i, text, value.is_null);
            }
            to.add_number(i, value.is_null ? kNoScore
                             : is_real     ? value.real
                                           : static_cast<double>(value.integer));
          });
    }
  }
  return to.finish(static_cast<std::size_t>(rows));
}

}  // namespace

bool are_submission_columns(std::span<const std::string> names) {
  return has_column(names, "scenario_id") && has_column(names, "ade") &&
         !has_column(names, "x");
}

bool are_planner_columns(std::span<const std::string> names) {
  if (!has_column(names, "planner_name")) return false;
  return has_column(names, "scenario_id") ||
         (has_column(names, "scenario_type") && has_column(names, "log_name") &&
          (has_column(names, "metric_score") || has_column(names, "aggregator_type")));
}

std::vector<std::string> score_fields(std::string_view line) {
  std::vector<std::string> out;
  for (;;) {
    auto& field = out.emplace_back();
    bool is_quoted = line.starts_with('"');
    std::size_t at = is_quoted ? 1 : 0;
    for (; at < line.size(); ++at) {
      if (is_quoted && line[at] == '"') {
        const bool is_doubled = line.substr(at + 1).starts_with('"');
        if (is_doubled) ++at;
        is_quoted = is_doubled;
        if (!is_doubled) continue;
      } else if (!is_quoted && line[at] == ',') {
        break;
      }
      field += line[at];
    }
    if (at >= line.size()) return out;
    line.remove_prefix(at + 1);
  }
}

ScoreColumns ScoreColumns::read(std::span<const std::byte> file,
                                std::size_t max_values) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  return text.starts_with("PAR1") ? read_parquet(file, max_values)
                                  : read_csv(text, max_values);
}

}  // namespace bev::futures
