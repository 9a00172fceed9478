#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/reader/filter.hpp"
#include "core/reader/histogram.hpp"
#include "core/reader/limits.hpp"
#include "core/reader/quantile_sketch.hpp"

namespace bev::reader {

/// Returns an integer as JSON: a string beyond 2^53.
nlohmann::json integer_json(const zarr::Number& integer);

/// Summary of the values of one element of a column. NaN and infinities are counted;
/// mean, deviation, quantiles and histogram are those of the finite values.
class Summary {
 public:
  /// Adds rows.
  void add(const FieldRows& rows, std::size_t element);

  /// Returns the limits, with infinities; integers are exact.
  const Limits& limits() const noexcept { return limits_; }

  std::uint64_t count() const noexcept { return count_; }  ///< of all values
  std::uint64_t infinite_count() const noexcept { return infinite_; }
  std::uint64_t finite_count() const noexcept { return sketch_.count(); }

  /// Return mean and standard deviation (of the population, as NumPy's std). NaN without
  /// finite values.
  double mean() const noexcept;
  double deviation() const noexcept;

  const QuantileSketch& quantiles() const noexcept { return sketch_; }
  const Histogram& histogram() const noexcept { return histogram_; }

 private:
  void add_block(std::span<const double> finite);

  Limits limits_;
  std::uint64_t count_ = 0;
  std::uint64_t infinite_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of the squared differences from the mean
  std::uint64_t merged_ = 0;
  QuantileSketch sketch_;
  Histogram histogram_;
};

/// Summaries of the numeric columns of a table, fed block by block.
class Description {
 public:
  /// Fractions of the quantiles in to_json().
  static constexpr double kFractions[] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
  /// Maximum number of elements of all columns; each takes up to some MB.
  static constexpr std::size_t kMaxSummaries = 1'000;

  /// Columns of other types than numbers and booleans are left out.
  ///
  /// Throws  limit_exceeded above kMaxSummaries
  explicit Description(std::vector<Column> columns);

  /// Adds rows: the elements of every column, row-major; ignored for those left out.
  ///
  /// Throws  invalid_argument if a column's size is not that of `rows` rows
  void add(std::size_t rows, std::span<const std::span<const std::byte>> values);

  /// Throws invalid_argument if a described column's size is not that of `rows` rows.
  static void check(std::span<const Column> columns, std::size_t rows,
                    std::span<const std::span<const std::byte>> values);

  /// Number of elements of all columns.
  std::size_t summary_count() const noexcept;

  /// Returns the summary of an element of a column; null for columns left out.
  const Summary* find(std::string_view column, std::size_t element) const noexcept;

  /// Returns {"rows": n, "columns": [{"name", "element" (if there are several), "count",
  /// "nan", "infinite", "min", "max", "mean", "std", "quantiles": [[0.01, value], ...],
  /// "rank_error", "histogram": {"begin", "width", "counts"}}]}. Values are null without
  /// finite values; infinities are "inf" and "-inf", integers beyond 2^53 strings.
  std::string to_json() const;

  /// Returns the same as a tree.
  nlohmann::json to_tree() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Summary>> summaries_;  // per column and element
  std::uint64_t rows_ = 0;
};

}  // namespace bev::reader
