#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/parquet/footer.hpp"

namespace bev::parquet {

/// Returns whether the values of a column can be read: flat, and text, booleans, integers
/// of 32 or 64 bits, float or double.
bool is_read(const Column& column) noexcept;

/// A value of a column; of its type's member, booleans as integers.
struct Value {
  bool is_null = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text{};  ///< valid during the call
};

/// Maximum bytes of a page, and what a page may decode to for each of its bytes.
inline constexpr std::uint64_t kMaxPage = std::uint64_t{64} << 20U;

/// Decodes the values of a column in a row group, page by page: plain, dictionaries, null.
///
/// @param bytes   of the chunk
/// @param take    receives each value, with its row in the group
/// @throws Error  unsupported, naming it, for other codecs (known: none, Snappy, gzip,
///                Zstandard), encodings and types; corrupt_chunk for invalid pages and
///                another number of values than `rows`; limit_exceeded for large pages
/// Reference  Apache Parquet, Encodings.md and parquet.thrift
void read_values(std::span<const std::byte> bytes, const Column& column,
                 const ColumnChunk& chunk, std::uint64_t rows,
                 const std::function<void(std::uint64_t row, const Value&)>& take);

}  // namespace bev::parquet
