#include "core/reader/describe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/reader/compare.hpp"
#include "core/reader/scalar_text.hpp"
#include "core/zarr/number.hpp"

namespace bev::reader {
namespace {

using nlohmann::json;
using zarr::Number;

constexpr std::size_t kBlock = 512;

void widen(Limits& into, const Limits& from) {
  into.nan_count += from.nan_count;
  if (!from.has_value) return;
  if (!into.has_value || *compare(from.min, into.min) < 0) into.min = from.min;
  if (!into.has_value || *compare(from.max, into.max) > 0) into.max = from.max;
  into.has_value = true;
}

json value_of(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

json value_of(const Number& number) {
  return number.kind == Number::Kind::real ? value_of(number.real)
                                           : integer_json(number);
}

json quantiles_of(const Summary& summary) {
  json out = json::array();
  if (summary.finite_count() == 0) return out;
  const std::vector<double> fractions(std::begin(Description::kFractions),
                                      std::end(Description::kFractions));
  const auto values = summary.quantiles().quantiles(fractions);
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    out.push_back({fractions[i], values[i]});
  }
  return out;
}

json summary_json(const Summary& summary) {
  const auto& limits = summary.limits();
  const auto& histogram = summary.histogram();
  json out{{"count", summary.count()},
           {"nan", limits.nan_count},
           {"infinite", summary.infinite_count()},
           {"min", nullptr},
           {"max", nullptr},
           {"mean", value_of(summary.mean())},
           {"std", value_of(summary.deviation())},
           {"quantiles", quantiles_of(summary)},
           {"rank_error", summary.quantiles().rank_error()},
           {"histogram", nullptr}};
  if (limits.has_value) {
    out["min"] = value_of(limits.min);
    out["max"] = value_of(limits.max);
  }
  if (summary.finite_count() > 0) {
    out["histogram"] = {{"begin", value_of(histogram.begin())},
                        {"width", histogram.width()},
                        {"counts", histogram.counts()}};
  }
  return out;
}

}  // namespace

json integer_json(const Number& number) {
  if (!is_exact_in_json(number)) return number_text(number);
  if (number.kind == Number::Kind::unsigned_int) return number.bits;
  return static_cast<std::int64_t>(number.bits);
}

void Summary::add(const FieldRows& rows, std::size_t element) {
  widen(limits_, limits_of(rows, element));
  const auto size = rows.type.item_size;
  const auto stride = size * rows.elements;
  const auto count = rows.values.size() / stride;
  count_ += count;
  std::array<double, kBlock> finite{};
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const auto end = std::min(begin + kBlock, count);
    std::size_t found = 0;
    for (auto row = begin; row < end; ++row) {
      const auto* at = rows.values.data() + row * stride + element * size;
      const double value = zarr::load_number(rows.type, at).as_real();
      infinite_ += std::isinf(value);
      if (std::isfinite(value)) finite[found++] = value;
    }
    add_block({finite.data(), found});
  }
}

// Joins means and sums of squares as Chan, Golub and LeVeque do ("Updating formulae and
// a pairwise algorithm for computing sample variances", 1979).
void Summary::add_block(std::span<const double> finite) {
  if (finite.empty()) return;
  const auto count = static_cast<double>(finite.size());
  double mean = 0;
  for (const double value : finite) mean += value / count;
  double squares = 0;
  for (const double value : finite) {
    squares += (value - mean) * (value - mean);
    sketch_.add(value);
    histogram_.add(value);
  }
  const auto before = static_cast<double>(merged_);
  const auto all = before + count;
  const double difference = mean - mean_;
  mean_ += difference * (count / all);
  squares_ += squares + difference * difference * (before * (count / all));
  merged_ += finite.size();
}

double Summary::mean() const noexcept {
  return merged_ == 0 ? std::numeric_limits<double>::quiet_NaN() : mean_;
}

double Summary::deviation() const noexcept {
  if (merged_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return std::sqrt(squares_ / static_cast<double>(merged_));
}

Description::Description(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::size_t count = 0;
  for (const auto& column : columns_) {
    const auto elements = zarr::is_number(column.type) ? column.width : 0;
    count += elements;
    if (count > kMaxSummaries) {
      fail(Errc::limit_exceeded, {"describe: too many values per row (limit ",
                                  kMaxSummaries, "); choose fewer fields"});
    }
    summaries_.emplace_back(elements);
  }
}

std::size_t Description::summary_count() const noexcept {
  std::size_t count = 0;
  for (const auto& elements : summaries_) count += elements.size();
  return count;
}

void Description::check(std::span<const Column> columns, std::size_t rows,
                        std::span<const std::span<const std::byte>> values) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& column = columns[i];
    if (!zarr::is_number(column.type)) continue;
    const auto found = i < values.size() ? values[i].size() : 0;
    const auto expected = rows * column.width * column.type.item_size;
    if (found == expected) continue;
    fail_at(Errc::invalid_argument, joined({"describe, field ", column.name}),
            {"wrong size (found ", found, " bytes, expected ", expected, ")"});
  }
}

void Description::add(std::size_t rows,
                      std::span<const std::span<const std::byte>> values) {
  check(columns_, rows, values);
  rows_ += rows;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (std::size_t element = 0; element < summaries_[i].size(); ++element) {
      summaries_[i][element].add({columns_[i].type, columns_[i].width, values[i]},
                                 element);
    }
  }
}

const Summary* Description::find(std::string_view column,
                                 std::size_t element) const noexcept {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name != column || element >= summaries_[i].size()) continue;
    return &summaries_[i][element];
  }
  return nullptr;
}

std::string Description::to_json() const {
  return to_tree().dump(-1, ' ', false, json::error_handler_t::replace);
}

json Description::to_tree() const {
  json columns = json::array();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (std::size_t element = 0; element < summaries_[i].size(); ++element) {
      auto one = summary_json(summaries_[i][element]);
      one["name"] = columns_[i].name;
      if (columns_[i].width > 1) one["element"] = element;
      columns.push_back(std::move(one));
    }
  }
  return {{"rows", rows_}, {"columns", std::move(columns)}};
}

}  // namespace bev::reader
