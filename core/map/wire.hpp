#pragma once

#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::map {

/// Field number and wire type combined, for `switch`.
constexpr std::uint32_t varint_field(std::uint32_t number) {
  return number << 3 | 0;
}
constexpr std::uint32_t bytes_field(std::uint32_t number) {
  return number << 3 | 2;
}
constexpr std::uint32_t fixed64_field(std::uint32_t number) {
  return number << 3 | 1;
}
constexpr std::uint32_t fixed32_field(std::uint32_t number) {
  return number << 3 | 5;
}

/// Reads one protobuf message, field by field, from untrusted bytes.
///
/// protozero is unsafe for hostile input in three cases: a length above 2^31 passes its
/// check on a 32-bit platform (such as wasm), a 64-bit length or tag is truncated to 32
/// bits, and reading a bool may access a byte past the end. Therefore next() checks a
/// field's head before protozero does, and bools are read as varints.
///
/// Lifetime   A view of the given bytes, which must outlive it.
/// Throws     Errc::corrupt_chunk with the problem; the caller adds the location.
/// Reference  Protocol Buffers, "Encoding".
class Wire {
 public:
  explicit Wire(std::string_view bytes) : reader_(bytes.data(), bytes.size()) {}

  /// Advances to the next field; returns false at the end of the message. Exactly one
  /// of the functions below must then consume the field.
  bool next();

  /// Number and wire type of the current field, as returned by varint_field() etc.
  std::uint32_t tag() const { return reader_.tag_and_type(); }

  void skip();
  std::string_view bytes();
  std::uint64_t varint();
  bool boolean() { return varint() != 0; }
  std::int32_t sfixed32();
  float real32();
  double real64();

  /// Calls `take` with every number of a repeated field, packed or not. An unpacked
  /// field calls it once.
  template <class Take>
  void each_varint(Take&& take);

 private:
  protozero::pbf_reader reader_{};
};

/// Decodes a varint of type sint32: 0, 1, 2, 3 ... become 0, -1, 1, -2 ...
constexpr std::int32_t zigzag32(std::uint64_t value) {
  return static_cast<std::int32_t>(protozero::decode_zigzag64(value));
}

/// Returns `text` unchanged if it is valid UTF-8.
///
/// @param what  the text in messages
/// Throws  corrupt_chunk with the position of the first invalid byte
std::string_view checked_utf8(std::string_view text, std::string_view what = "id");

namespace detail {

/// Runs `read` and converts protozero's exceptions to Error.
template <class Read>
auto guarded(Read&& read) {
  try {
    return read();
  } catch (const protozero::exception& error) {
    fail(Errc::corrupt_chunk, {error.what()});
  }
}

}  // namespace detail

template <class Take>
void Wire::each_varint(Take&& take) {
  if (reader_.wire_type() == protozero::pbf_wire_type::varint) {
    take(varint());
    return;
  }
  const auto packed = bytes();
  const char* at = packed.data();
  const char* const end = at + packed.size();
  detail::guarded([&] {
    while (at != end) take(protozero::decode_varint(&at, end));
  });
}

}  // namespace bev::map
