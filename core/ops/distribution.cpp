#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/distribution/pairs.hpp"
#include "core/distribution/summary.hpp"
#include "core/distribution/table.hpp"
#include "core/eval/prediction_rows.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/review_objects.hpp"
#include "core/ops/tables.hpp"

// Distributions of scores and facts, with linked brushes.

namespace bev::ops {

namespace {

/// A brush, as arguments.
struct BrushOptions {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> chosen;
  bool missing = false;
};

}  // namespace

template <>
struct Members<distribution::RowIds> {
  static void visit(const auto& visitor, auto& ids) {
    visitor("scenes", ids.scenes);
    visitor("frames", ids.frames);
    visitor("track_ids", ids.tracks);
  }
};

template <>
struct Members<BrushOptions> {
  static void visit(const auto& visitor, auto& options) {
    visitor("low", options.low);
    visitor("high", options.high);
    visitor("chosen", options.chosen);
    visitor("missing", options.missing);
  }
};

namespace {

using distribution::MeanInterval;
using distribution::Table;

/// Adds what rows are of, and their values of all columns, one column after the other.
void add_rows(Outcome& out, const Table& table, std::vector<std::uint32_t> rows) {
  const auto of = [&](const auto& column) {
    std::vector<typename std::remove_cvref_t<decltype(column)>::value_type> values;
    values.reserve(rows.size());
    for (const auto row : rows) values.push_back(column[row]);
    return values;
  };
  const auto& ids = table.ids();
  out.add("scenes", of(ids.scenes));
  out.add("frames", of(ids.frames));
  out.add("track_ids", of(ids.tracks));
  std::vector<double> all;
  all.reserve(rows.size() * table.columns().size());
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const auto values = of(table.values(c));
    all.insert(all.end(), values.begin(), values.end());
  }
  out.add("values", std::move(all));
  out.add("rows", std::move(rows));
}

std::unique_ptr<Table> make_distribution(const std::vector<std::string>& names,
                                         const std::vector<std::uint32_t>& categories) {
  if (names.size() != categories.size()) {
    fail(Errc::invalid_argument, {"distribution: lengths differ (found ", names.size(),
                                  " names, ", categories.size(), " categories)"});
  }
  std::vector<distribution::Column> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({names[i], categories[i]});
  }
  return std::make_unique<Table>(std::move(columns));
}

std::unique_ptr<Table> prediction_distribution() {
  return std::make_unique<Table>(eval::prediction_columns());
}

std::vector<std::string> distribution_columns(Table& table) {
  std::vector<std::string> out;
  for (const auto& one : table.columns()) out.push_back(one.name);
  return out;
}

void add_distribution(Table& table, distribution::RowIds ids,
                      const std::vector<double>& values) {
  table.append(ids, values);
}

void distribute_ranked(Table& table, eval::Ranking& ranking, std::uint32_t scene,
                       std::uint32_t model) {
  eval::append_predictions(table, ranking.review(), scene, model);
}

void set_brush(Table& table, std::uint32_t column, BrushOptions options) {
  table.brush(column,
              {options.low, options.high, std::move(options.chosen), options.missing});
}

void clear_brush(Table& table, std::uint32_t column) {
  table.clear_brush(column);
}

Outcome distribution_counts(Table& table, std::optional<std::uint32_t> by) {
  Outcome out;
  std::vector<std::uint32_t> sizes, all, passing;
  std::vector<double> edges;
  const auto add = [](auto& to, const auto& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const auto counts =
        table.counts(c, by ? std::optional<std::size_t>(*by) : std::nullopt);
    sizes.push_back(static_cast<std::uint32_t>(counts.bins.size()));
    add(edges, counts.bins.edges);
    add(all, counts.all);
    add(passing, counts.passing);
  }
  out.add("sizes", std::move(sizes));
  out.add("edges", std::move(edges));
  out.add("all", std::move(all));
  out.add("passing", std::move(passing));
  out.add("rows", static_cast<double>(table.rows()));
  out.add("kept", static_cast<double>(table.passing()));
  return out;
}

/// Adds means and intervals as one array: mean, low, high, count, clusters, by_scene.
void add_means(Outcome& out, const std::vector<MeanInterval>& means) {
  std::vector<double> all;
  for (const auto& one : means) {
    all.insert(all.end(),
               {one.mean, one.low, one.high, static_cast<double>(one.count),
                static_cast<double>(one.clusters), one.by_scene ? 1.0 : 0.0});
  }
  out.add("means", std::move(all));
}

Outcome distribution_summary(Table& table, std::uint32_t column,
                             std::optional<std::uint32_t> by) {
  const auto found = distribution::summaries(
      table, column, by ? std::optional<std::size_t>(*by) : std::nullopt);
  std::vector<std::uint32_t> groups, missing;
  std::vector<MeanInterval> means;
  std::vector<double> quantiles;
  for (const auto& one : found) {
    groups.push_back(static_cast<std::uint32_t>(one.group));
    missing.push_back(static_cast<std::uint32_t>(one.missing));
    means.push_back(one.mean);
    quantiles.insert(quantiles.end(), one.quantiles.begin(), one.quantiles.end());
  }
  Outcome out;
  out.add("groups", std::move(groups));
  out.add("missing", std::move(missing));
  add_means(out, means);
  out.add("quantiles", std::move(quantiles));
  return out;
}

Outcome distribution_pair(Table& table, std::uint32_t column, std::uint32_t by,
                          std::uint32_t a, std::uint32_t b) {
  const auto found = distribution::paired(table, column, {by, a, b});
  Outcome out;
  add_means(out, {found.a, found.b, found.difference});
  const auto count = [&](const char* name, std::size_t value) {
    out.add(name, static_cast<double>(value));
  };
  count("missing", found.missing);
  count("alone", found.alone);
  count("lower", found.lower);
  count("equal", found.equal);
  return out;
}

Outcome distribution_rows(Table& table, std::uint32_t column, std::uint32_t most) {
  Outcome out;
  add_rows(out, table, distribution::ordered_rows(table, column, most));
  return out;
}

Outcome distribution_slice(Table& table, std::uint32_t first, std::uint32_t most) {
  Outcome out;
  add_rows(out, table, distribution::passing_rows(table, first, most));
  return out;
}

Outcome distribution_scene(Table& table, std::uint32_t scene) {
  Outcome out;
  add_rows(out, table, distribution::passing_in_scene(table, scene));
  return out;
}

Outcome distribution_points(Table& table, std::uint32_t x, std::uint32_t y,
                            std::uint32_t most) {
  auto found = distribution::points_of(table, x, y, most);
  Outcome out;
  out.add("count", static_cast<double>(found.count));
  add_rows(out, table, std::move(found.rows));
  return out;
}

constexpr const char* kRows =
    "scenes <u4 (n); frames <u4 (n); track_ids <i8 (n); values <f8 (c, n); rows <u4 "
    "(n)";

constexpr std::array kDistributionOperations{
    operation<&make_distribution, "names", "categories">(
        "distribution", "", "a table; categories 0 for a column of numbers"),
    operation<&prediction_distribution>("prediction_distribution", "",
                                        "a table of predictions' scores"),
    operation<&distribution_columns, "table">("distribution_columns", "",
                                              "names of the columns"),
    operation<&add_distribution, "table", "values">(
        "add_distribution", "", "adds rows: values of one column after the other"),
    operation<&distribute_ranked, "table", "ranking", "scene", "model">(
        "distribute_ranked", "", "adds the predictions of the scene ranked last"),
    operation<&set_brush, "table", "column">(
        "set_brush", "", "chooses a column's values: low <= v < high, or categories"),
    operation<&clear_brush, "table", "column">("clear_brush", "",
                                               "chooses all values of a column"),
    operation<&distribution_counts, "table", "by">(
        "distribution_counts",
        "sizes <u4 (c); edges <f8 (e); all <u4 (b); passing <u4 (g b); rows <f8; kept "
        "<f8",
        "rows by bin of each column: of all, and of those that pass other brushes"),
    operation<&distribution_summary, "table", "column", "by">(
        "distribution_summary",
        "groups <u4 (g); missing <u4 (g); means <f8 (g, 6); quantiles <f8 (g, 7)",
        "means with 95 % intervals, and quantiles, of the rows that pass"),
    operation<&distribution_pair, "table", "column", "by", "a", "b">(
        "distribution_pair",
        "means <f8 (3, 6); missing <f8; alone <f8; lower <f8; equal <f8",
        "A, B and B - A over pairs of rows that pass"),
    operation<&distribution_rows, "table", "column", "most">(
        "distribution_rows", kRows, "passing rows in order of a column"),
    operation<&distribution_slice, "table", "first", "most">(
        "distribution_slice", kRows, "passing rows from row `first` on"),
    operation<&distribution_scene, "table", "scene">("distribution_scene", kRows,
                                                     "passing rows of a scene"),
    operation<&distribution_points, "table", "x", "y", "most">(
        "distribution_points",
        "count <f8; scenes <u4 (n); frames <u4 (n); track_ids <i8 (n); values <f8 (c, "
        "n); "
        "rows <u4 (n)",
        "passing rows with both values; evenly chosen ones"),
};

}  // namespace

std::span<const Operation> distribution_operations() {
  return kDistributionOperations;
}

}  // namespace bev::ops
