#pragma once

#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::map {

/// Field number and wire type in one number, for `switch`.
constexpr std::uint32_t varint_field(std::uint32_t number) {
  return number << 3 | 0;
}
constexpr std::uint32_t bytes_field(std::uint32_t number) {
  return number << 3 | 2;
}
constexpr std::uint32_t fixed32_field(std::uint32_t number) {
  return number << 3 | 5;
}

/// One protobuf message, field by field, over bytes that nobody has vouched for.
///
/// protozero leaves three holes where the input is hostile: a length above 2^31 passes
/// its check on a 32-bit machine (which wasm is), a 64-bit length or tag is cut to 32
/// bits, and the reader of a bool looks at a byte that may not be there. So next()
/// checks a field's head by itself before protozero sees it, and bools are varints.
///
/// Lifetime  Views into the bytes given; they must outlive it.
/// Errors    Errc::corrupt_chunk that says what is wrong; the caller adds where.
/// Source    Protocol Buffers, "Encoding".
class Wire {
 public:
  explicit Wire(std::string_view bytes) : reader_(bytes.data(), bytes.size()) {}

  /// Goes to the next field; false at the end of the message. The field has then to be
  /// taken by exactly one of the functions below.
  bool next();

  /// Number and wire type of the current field, as varint_field() and so on make it.
  std::uint32_t tag() const { return reader_.tag_and_type(); }

  void skip();
  std::string_view bytes();
  std::uint64_t varint();
  bool boolean() { return varint() != 0; }
  std::int32_t sfixed32();
  float real32();

  /// Calls `take` with every number of a repeated field, whether it came packed or as
  /// one varint a field. An unpacked field calls it once.
  template <class Take>
  void each_varint(Take&& take);

 private:
  protozero::pbf_reader reader_{};
};

/// What a varint of type sint32 stands for: 0, -1, 1, -2 ... for 0, 1, 2, 3 ...
constexpr std::int32_t zigzag32(std::uint64_t value) {
  return static_cast<std::int32_t>(protozero::decode_zigzag64(value));
}

/// `id` as it is stored.
///
/// @throws Error  corrupt_chunk if it is not UTF-8, with the first bad byte's place
std::string_view checked_utf8(std::string_view id);

namespace detail {

/// Runs `read`, with protozero's exceptions turned into ours.
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
