#include "core/parquet/thrift.hpp"

namespace bev::parquet {
namespace {

[[noreturn]] void corrupt_thrift(const char* problem) {
  fail(Errc::corrupt_chunk, {"Thrift: ", problem});
}

}  // namespace

void Thrift::enter() {
  if (++depth_ > kMaxThriftDepth) corrupt_thrift("nested too deeply");
}

std::uint8_t Thrift::byte() {
  if (at_ == bytes_.size()) corrupt_thrift("truncated");
  return std::to_integer<std::uint8_t>(bytes_[at_++]);
}

std::uint64_t Thrift::varint() {
  std::uint64_t out = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t one = byte();
    out |= (one & 0x7fU) << shift;
    if (one < 0x80) return out;
  }
  corrupt_thrift("a number of more than 10 bytes");
}

std::int64_t Thrift::number() {
  const auto value = varint();
  return static_cast<std::int64_t>(value >> 1U) ^
         -static_cast<std::int64_t>(value & 1U);
}

void Thrift::take_bytes(std::uint64_t count) {
  if (count > bytes_.size() - at_) corrupt_thrift("truncated");
  at_ += static_cast<std::size_t>(count);
}

std::string_view Thrift::text() {
  const auto size = varint();
  const auto begin = at_;
  take_bytes(size);
  return {reinterpret_cast<const char*>(bytes_.data()) + begin, at_ - begin};
}

Thrift::ListHead Thrift::list_head() {
  const auto head = byte();
  const std::uint64_t count = (head >> 4U) == 15 ? varint() : head >> 4U;
  // Each element takes a byte at least.
  if (count > bytes_.size() - at_) corrupt_thrift("a list longer than the bytes");
  return {count, static_cast<Type>(head & 15U)};
}

void Thrift::skip(Type type) {
  switch (type) {
    case yes:
    case no: return;
    case i8: return take_bytes(1);
    case i16:
    case i32:
    case i64: number(); return;
    case real: return take_bytes(8);
    case binary: text(); return;
    case list:
    case set:
      elements([this](Type of) { of == yes || of == no ? take_bytes(1) : skip(of); });
      return;
    case record: fields([this](std::int64_t, Type of) { skip(of); }); return;
    case map: {
      enter();
      const auto count = varint();
      if (count > bytes_.size() - at_) corrupt_thrift("a map longer than the bytes");
      const auto types = count == 0 ? std::uint8_t{0} : byte();
      for (std::uint64_t i = 0; i < count; ++i) {
        skip(static_cast<Type>(types >> 4U));
        skip(static_cast<Type>(types & 15U));
      }
      --depth_;
      return;
    }
    default: corrupt_thrift("an unknown type");
  }
}

}  // namespace bev::parquet
