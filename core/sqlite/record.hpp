#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace bev::sqlite {

enum class Kind : std::uint8_t { null, integer, real, text, blob };

/// A value of a row.
///
/// Lifetime  Text and blobs are views of the row.
struct Value {
  Kind kind = Kind::null;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view bytes;  ///< of text and blobs

  bool is_null() const noexcept { return kind == Kind::null; }

  /// Returns the number, also of an integer; nullopt for other kinds.
  std::optional<double> number() const noexcept;
};

/// Compares values of an index in its order: null, numbers, text, blobs.
int compare(const Value& a, const Value& b) noexcept;

struct Varint {
  std::uint64_t value = 0;
  std::size_t size = 0;  ///< bytes
};

/// Reads a varint at the start of `bytes`; nullopt if they end before it does.
std::optional<Varint> read_varint(std::span<const std::byte> bytes) noexcept;

/// The place of a value in a payload.
struct Field {
  std::uint64_t type = 0;  ///< serial type
  std::size_t offset = 0;
};

/// Replaces `out` by the places of a payload's values.
///
/// Throws  corrupt_chunk for a header or values beyond the payload, and reserved types.
void read_fields(std::span<const std::byte> payload, std::vector<Field>& out);

/// Returns the value at a place that read_fields() found in this payload.
Value value_at(std::span<const std::byte> payload, const Field& field) noexcept;

}  // namespace bev::sqlite
