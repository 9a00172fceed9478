#include "core/simulation/message_pack.hpp"

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"

namespace bev::simulation {
namespace {

using Json = nlohmann::json;

// Formats of https://github.com/msgpack/msgpack/blob/master/spec.md.
enum Format : std::uint8_t {
  kFixMap = 0x80,
  kFixArray = 0x90,
  kFixText = 0xa0,
  kNil = 0xc0,
  kFalse = 0xc2,
  kTrue = 0xc3,
  kBin8 = 0xc4,
  kBin32 = 0xc6,
  kFloat32 = 0xca,
  kFloat64 = 0xcb,
  kUint8 = 0xcc,
  kUint64 = 0xcf,
  kInt8 = 0xd0,
  kInt64 = 0xd3,
  kText8 = 0xd9,
  kText32 = 0xdb,
  kArray16 = 0xdc,
  kArray32 = 0xdd,
  kMap16 = 0xde,
  kMap32 = 0xdf,
  kNegative = 0xe0
};

/// Returns a big-endian number of 1, 2, 4 or 8 bytes.
std::uint64_t big_endian(std::span<const std::byte> from) {
  std::uint64_t out = 0;
  for (const auto byte : from) out = out << 8U | static_cast<std::uint64_t>(byte);
  return out;
}

class MessageReader {
 public:
  MessageReader(std::span<const std::byte> bytes, std::string_view where,
                std::size_t max_values)
      : bytes_(bytes), where_(where), max_values_(max_values) {}

  void document(const UseItem& use) {
    if (const auto count = items()) {
      for (std::uint64_t i = 0; i < *count; ++i) {
        count_ = 0;
        use(value(1), static_cast<std::size_t>(i));
      }
    } else {
      use(value(0), std::nullopt);
    }
    if (at_ != bytes_.size()) broken({"bytes after the end"});
  }

 private:
  [[noreturn]] void broken(Message problem) const {
    fail_at(Errc::corrupt_chunk, where_, {"offset ", at_, ": ", joined(problem)});
  }

  std::span<const std::byte> take(std::uint64_t size) {
    if (size > bytes_.size() - at_) {
      broken({"too few bytes (found ", bytes_.size() - at_, ", expected ", size, ")"});
    }
    at_ += static_cast<std::size_t>(size);
    return bytes_.subspan(at_ - static_cast<std::size_t>(size),
                          static_cast<std::size_t>(size));
  }

  /// Reads a number whose format is the `order`-th of 1, 2, 4, 8 bytes.
  std::uint64_t number(unsigned order) { return big_endian(take(1U << order)); }

  std::string text(std::uint64_t size) {
    const auto found = take(size);
    return {reinterpret_cast<const char*>(found.data()), found.size()};
  }

  std::string key() {
    const auto format =
        at_ < bytes_.size() ? static_cast<unsigned>(bytes_[at_]) : unsigned{kNil};
    const bool is_text =
        (format & 0xe0U) == kFixText || (format >= kText8 && format <= kText32);
    if (!is_text) broken({"a key that is no text"});
    return value(0).get<std::string>();
  }

  /// Each value needs a byte, so that the count is checked before anything is stored.
  void check_count(std::uint64_t count, std::uint64_t bytes_each) const {
    if (count <= (bytes_.size() - at_) / bytes_each) return;
    broken({"too few bytes for ", count, " values"});
  }

  /// Reads the head of an array, and returns the number of its items; nullopt, without
  /// reading, for another value.
  std::optional<std::uint64_t> items() {
    const auto format = bytes_.empty() ? 0U : static_cast<unsigned>(bytes_[0]);
    const bool is_short = (format & 0xf0U) == kFixArray;
    if (!is_short && format != kArray16 && format != kArray32) return std::nullopt;
    take(1);
    const auto count = is_short ? format & 0x0fU : number(format == kArray32 ? 2 : 1);
    check_count(count, 1);
    return count;
  }

  Json array(std::uint64_t count, int depth) {
    check_count(count, 1);
    auto out = Json::array();
    for (std::uint64_t i = 0; i < count; ++i) out.push_back(value(depth + 1));
    return out;
  }

  Json map(std::uint64_t count, int depth) {
    check_count(count, 2);
    auto out = Json::object();
    for (std::uint64_t i = 0; i < count; ++i) {
      auto name = key();
      out[std::move(name)] = value(depth + 1);
    }
    return out;
  }

  Json signed_number(unsigned order) {
    const auto shift = 64U - (8U << order);
    const auto value = static_cast<std::int64_t>(number(order) << shift) >> shift;
    if (value >= 0) return static_cast<std::uint64_t>(value);
    return value;
  }

  Json real(bool is_double) {
    return is_double ? load_be<double>(take(8).data())
                     : static_cast<double>(load_be<float>(take(4).data()));
  }

  /// Arrays and maps; nullopt for other formats.
  std::optional<Json> container(unsigned format, int depth) {
    const bool is_map = (format & 0xf0U) == kFixMap || format >= kMap16;
    const bool is_short = format < kFixText;
    if (!is_short && (format < kArray16 || format > kMap32)) return std::nullopt;
    if (depth >= kMaxJsonDepth) {
      fail_at(Errc::limit_exceeded, where_,
              {"nested too deeply (limit ", kMaxJsonDepth, ")"});
    }
    const bool is_long = format == kArray32 || format == kMap32;
    const auto count = is_short ? format & 0x0fU : number(is_long ? 2 : 1);
    return is_map ? map(count, depth) : array(count, depth);
  }

  Json value(int depth) {
    if (++count_ > max_values_) {
      fail_at(Errc::limit_exceeded, where_,
              {"offset ", at_, ": too many values (limit ", max_values_, ")"});
    }
    const auto format = static_cast<unsigned>(take(1)[0]);
    if (format < kFixMap) return format;
    if (format >= kNegative) return static_cast<int>(format) - 256;
    if (auto found = container(format, depth)) return *std::move(found);
    if (format < kNil) return text(format & 0x1fU);
    switch (format) {
      case kNil: return nullptr;
      case kFalse: return false;
      case kTrue: return true;
      case kFloat32:
      case kFloat64: return real(format == kFloat64);
      default: break;
    }
    if (format >= kUint8 && format <= kUint64) return number(format - kUint8);
    if (format >= kInt8 && format <= kInt64) return signed_number(format - kInt8);
    if (format >= kText8 && format <= kText32) return text(number(format - kText8));
    fail_at(Errc::unsupported, where_,
            {"offset ", at_ - 1, ": format ", format,
             " (expected numbers, texts, arrays and maps)"});
  }

  std::span<const std::byte> bytes_;
  std::string_view where_;
  std::size_t max_values_, at_ = 0, count_ = 0;
};

}  // namespace

std::span<const std::byte> packed_bytes(std::span<const std::byte> document) {
  if (document.empty()) return {};
  const auto format = static_cast<unsigned>(document[0]);
  if (format < kBin8 || format > kBin32) return {};
  const std::size_t head = 1U << (format - kBin8);
  if (document.size() < 1 + head) return {};
  const auto rest = document.subspan(1 + head);
  return big_endian(document.subspan(1, head)) == rest.size()
             ? rest
             : std::span<const std::byte>();
}

void read_message_pack(std::span<const std::byte> document, std::string_view where,
                       std::size_t max_values, const UseItem& use) {
  MessageReader(document, where, max_values).document(use);
}

}  // namespace bev::simulation
