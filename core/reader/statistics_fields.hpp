#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/reader/derived.hpp"
#include "core/reader/statistics.hpp"

namespace bev::reader {

/// What the statistics of an array's chunks hold: its fields that have limits, followed
/// by the columns that derive from its fields.
class StatisticsFields {
 public:
  StatisticsFields(std::string_view path, const zarr::DType& dtype);

  bool empty() const noexcept { return field_count_ == 0 && derived_.empty(); }

  /// The stored columns whose rows are needed.
  std::span<const zarr::Column> columns() const noexcept { return columns_; }

  std::vector<std::string> names() const;

  /// Returns the fields of a chunk.
  ///
  /// @param rows  of each of columns(), as stored
  /// Lifetime  The fields refer to `rows`, and to this object until the next call.
  std::vector<Statistics::Field> of_chunk(std::span<const std::vector<std::byte>> rows);

 private:
  std::vector<zarr::Column> columns_;  ///< first those that have limits themselves
  std::size_t field_count_ = 0;        ///< of them
  std::vector<DerivedColumn> derived_;
  std::vector<std::size_t> inputs_;             ///< per derived column: of columns_
  std::vector<std::vector<std::byte>> values_;  ///< per derived column
};

}  // namespace bev::reader
