#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "include/bevscope/byte_range.hpp"

namespace bev::parquet {

/// Types of values, by their numbers in files.
enum class Type : std::uint8_t {
  boolean = 0,
  int32 = 1,
  int64 = 2,
  int96 = 3,
  real32 = 4,
  real64 = 5,
  bytes = 6,
  fixed = 7,
};

/// A column of a file; only flat ones can be read.
struct Column {
  std::string name;
  Type type = Type::boolean;
  bool is_optional = false;  ///< values may be null
  bool is_flat = true;       ///< neither in a group nor repeated
};

/// The values of a column in a row group.
struct ColumnChunk {
  ByteRange bytes;  ///< of its pages
  std::uint64_t codec = 0;
};

struct RowGroup {
  std::uint64_t rows = 0;
  std::vector<ColumnChunk> chunks;  ///< by column
};

struct Footer {
  std::vector<Column> columns;
  std::vector<RowGroup> groups;
  std::map<std::string, std::string> metadata;

  /// Returns the place of a flat column.
  std::optional<std::size_t> find(std::string_view name) const noexcept;
};

/// Maximum bytes of a footer, row groups, columns, and rows of a group.
inline constexpr std::uint64_t kMaxFooter = std::uint64_t{32} << 20U;
inline constexpr std::size_t kMaxGroups = 100'000, kMaxColumns = 1'000;
inline constexpr std::uint64_t kMaxGroupRows = std::uint64_t{1} << 27U;

/// Bytes at the end of a file: the footer's length and a mark.
inline constexpr std::uint64_t kTailBytes = 8;

/// Returns the place of the footer from the last kTailBytes.
///
/// Throws  corrupt_chunk for another end; limit_exceeded above kMaxFooter; unsupported for
///         an encrypted footer
ByteRange footer_range(std::span<const std::byte> tail, std::uint64_t file_size);

/// Parses a footer. Ranges are inside the file.
///
/// Throws  corrupt_chunk, limit_exceeded
/// Reference  Apache Parquet, parquet.thrift
Footer parse_footer(std::span<const std::byte> bytes, std::uint64_t file_size);

}  // namespace bev::parquet
