#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::parquet {

/// Reads Thrift's compact protocol from untrusted bytes.
///
/// Lifetime   A view of the given bytes.
/// Throws     corrupt_chunk for truncated bytes, lists longer than the bytes, and nesting
///            above kMaxThriftDepth; the caller adds what is read.
/// Reference  Apache Thrift, doc/specs/thrift-compact-protocol.md
class Thrift {
 public:
  enum Type : std::uint8_t {
    stop = 0,
    yes = 1,
    no = 2,
    i8 = 3,
    i16 = 4,
    i32 = 5,
    i64 = 6,
    real = 7,
    binary = 8,
    list = 9,
    set = 10,
    map = 11,
    record = 12,
  };

  explicit Thrift(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// Calls `take(id, type)` with each field of a struct; it must read the value.
  template <class Take>
  void fields(Take take) {
    enter();
    for (std::int64_t id = 0;;) {
      const auto head = byte();
      const auto type = static_cast<Type>(head & 15U);
      if (type == stop) break;
      id = (head >> 4U) == 0 ? number() : id + (head >> 4U);
      take(id, type);
    }
    --depth_;
  }

  /// Calls `take(type)` for each element of a list; it must read the value.
  template <class Take>
  void elements(Take take) {
    enter();
    const auto [count, type] = list_head();
    for (std::uint64_t i = 0; i < count; ++i) take(type);
    --depth_;
  }

  /// Returns a signed integer of any width but 8 bits.
  std::int64_t number();

  std::string_view text();

  void skip(Type type);

  /// Returns the bytes that were read.
  std::size_t position() const noexcept { return at_; }

 private:
  static constexpr int kMaxThriftDepth = 32;

  struct ListHead {
    std::uint64_t count;
    Type type;
  };

  std::uint8_t byte();
  std::uint64_t varint();
  ListHead list_head();
  void take_bytes(std::uint64_t count);
  void enter();

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace bev::parquet
