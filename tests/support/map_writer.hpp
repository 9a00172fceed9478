#pragma once

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Writes semantic maps in L5Kit's protobuf schema, message by message, including
// malformed ones.

namespace bev::test {

/// A message under construction; fields are appended in call order.
class Message {
 public:
  Message& varint(std::uint32_t number, std::uint64_t value) {
    protozero::pbf_writer(bytes_).add_uint64(number, value);
    return *this;
  }
  Message& sfixed32(std::uint32_t number, std::int32_t value) {
    protozero::pbf_writer(bytes_).add_sfixed32(number, value);
    return *this;
  }
  Message& real32(std::uint32_t number, float value) {
    protozero::pbf_writer(bytes_).add_float(number, value);
    return *this;
  }
  Message& bytes(std::uint32_t number, std::string_view value) {
    protozero::pbf_writer(bytes_).add_bytes(number, value.data(), value.size());
    return *this;
  }
  Message& message(std::uint32_t number, const Message& value) {
    return bytes(number, value.text());
  }
  /// Adds a GlobalId.
  Message& id(std::uint32_t number, std::string_view value) {
    return message(number, Message().bytes(1, value));
  }
  Message& deltas(std::uint32_t number, const std::vector<std::int32_t>& values) {
    protozero::pbf_writer(bytes_).add_packed_sint32(number, values.begin(),
                                                    values.end());
    return *this;
  }
  Message& enums(std::uint32_t number, const std::vector<std::int32_t>& values) {
    protozero::pbf_writer(bytes_).add_packed_enum(number, values.begin(), values.end());
    return *this;
  }
  /// Adds raw bytes, for malformed messages.
  Message& raw(std::string_view value) {
    bytes_ += value;
    return *this;
  }

  const std::string& text() const { return bytes_; }
  std::span<const std::byte> span() const { return std::as_bytes(std::span(bytes_)); }

 private:
  std::string bytes_;
};

/// Returns a GeoFrame with its origin in degrees times 10^7.
inline Message geo_frame(std::int32_t lat_e7, std::int32_t lng_e7) {
  return Message().message(1, Message().sfixed32(1, lat_e7).sfixed32(2, lng_e7));
}

/// Returns a boundary with steps along x and y, at height 0.
inline Message boundary(const std::vector<std::int32_t>& x,
                        const std::vector<std::int32_t>& y) {
  return Message().deltas(1, x).deltas(2, y).deltas(
      3, std::vector<std::int32_t>(x.size(), 0));
}

/// Field numbers of MapElement's oneof.
inline constexpr std::uint32_t kSegment = 1, kNode = 2, kLane = 3, kControl = 4,
                               kJunction = 5;

/// Returns a MapElement of kind `kind`.
inline Message map_element(std::string_view id, std::uint32_t kind,
                           const Message& value) {
  return Message().id(1, id).message(2, Message().message(kind, value));
}

/// Returns a MapFragment with the elements.
inline Message fragment(const std::vector<Message>& elements) {
  Message out;
  for (const auto& element : elements) out.message(2, element);
  return out;
}

}  // namespace bev::test
