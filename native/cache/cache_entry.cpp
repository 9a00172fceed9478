#include "native/cache/cache_entry.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <string_view>

#include "core/base/bytes.hpp"
#include "core/zarr/crc32c.hpp"

namespace bev::native {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::string_view kMagic = "BEVC";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kHasLength = 1;
constexpr std::uint32_t kHasMetadata = 2;
constexpr std::size_t kHashDigits = 16;

// One by one: g++ 12 warns wrongly of vector::insert() and memcpy() at the end.
void append(Bytes& out, std::span<const std::byte> bytes) {
  for (const auto byte : bytes) out.push_back(byte);
}

template <class T>
void add(Bytes& out, T number) {
  std::array<std::byte, sizeof number> bytes{};
  store_le(bytes.data(), number);
  append(out, bytes);
}

void add_text(Bytes& out, std::string_view text) {
  add(out, static_cast<std::uint32_t>(text.size()));
  append(out, std::as_bytes(std::span(text)));
}

/// Reads the fields of a head in order; `ok` is false once one is missing.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> rest) : rest_(rest) {}

  template <class T>
  T number() {
    const auto bytes = take(sizeof(T));
    return ok_ ? load_le<T>(bytes.data()) : T{};
  }

  std::string text() {
    const auto bytes = take(number<std::uint32_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// Whether all fields existed and nothing follows them.
  bool complete() const { return ok_ && rest_.empty(); }

 private:
  std::span<const std::byte> take(std::size_t count) {
    ok_ = ok_ && count <= rest_.size();
    if (!ok_) return {};
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  std::span<const std::byte> rest_;
  bool ok_ = true;
};

Bytes encoded_head(const EntryHead& head, std::uint32_t checksum) {
  const auto& [url, range, validator, metadata] = head;
  Bytes out;
  add(out, checksum);
  add(out, (validator.length ? kHasLength : 0) | (metadata ? kHasMetadata : 0));
  add(out, range.begin);
  add(out, range.end);
  add(out, validator.length.value_or(0));
  add(out, metadata.value_or(0));
  add_text(out, url);
  add_text(out, validator.etag);
  add_text(out, validator.modified);
  return out;
}

std::string hex(std::uint64_t number, std::size_t digits = 0) {
  std::array<char, kHashDigits> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, 16);
  std::string out(text.data(), end.ptr);
  return out.size() < digits ? std::string(digits - out.size(), '0') + out : out;
}

/// Removes and returns a number and the separator after it.
std::optional<std::uint64_t> take_hex(std::string_view& text) {
  std::uint64_t number = 0;
  const auto* const end = text.data() + text.size();
  const auto found = std::from_chars(text.data(), end, number, 16);
  if (found.ec != std::errc{} || (found.ptr != end && *found.ptr != '-')) return {};
  text.remove_prefix(static_cast<std::size_t>(found.ptr - text.data()));
  if (!text.empty()) text.remove_prefix(1);
  return number;
}

}  // namespace

Bytes entry_front(const EntryHead& head, std::span<const std::byte> bytes) {
  const auto body = encoded_head(head, zarr::crc32c(bytes));
  Bytes out(kEntryPrefix);
  std::memcpy(out.data(), kMagic.data(), kMagic.size());
  store_le(out.data() + 4, kVersion);
  store_le(out.data() + 8, static_cast<std::uint32_t>(body.size()));
  store_le(out.data() + 12, zarr::crc32c(body));
  append(out, body);
  return out;
}

std::optional<std::size_t> entry_front_length(std::span<const std::byte> prefix) {
  if (prefix.size() < kEntryPrefix) return std::nullopt;
  const bool is_entry = std::memcmp(prefix.data(), kMagic.data(), kMagic.size()) == 0 &&
                        load_le<std::uint32_t>(prefix.data() + 4) == kVersion;
  const auto length = load_le<std::uint32_t>(prefix.data() + 8);
  if (!is_entry || length > kMaxEntryHead) return std::nullopt;
  return kEntryPrefix + length;
}

std::optional<EntryFront> parse_entry_front(std::span<const std::byte> front,
                                            std::uint64_t file_size) {
  const auto length = entry_front_length(front);
  if (!length || front.size() != *length) return std::nullopt;
  const auto body = front.subspan(kEntryPrefix);
  if (zarr::crc32c(body) != load_le<std::uint32_t>(front.data() + 12)) {
    return std::nullopt;
  }
  Fields fields(body);
  EntryFront out;
  auto& [url, range, validator, metadata] = out.head;
  out.begin = front.size();
  out.checksum = fields.number<std::uint32_t>();
  const auto flags = fields.number<std::uint32_t>();
  range.begin = fields.number<std::uint64_t>();
  range.end = fields.number<std::uint64_t>();
  const auto object = fields.number<std::uint64_t>();
  const auto hash = fields.number<std::uint64_t>();
  if ((flags & kHasLength) != 0) validator.length = object;
  if ((flags & kHasMetadata) != 0) metadata = hash;
  url = fields.text();
  validator.etag = fields.text();
  validator.modified = fields.text();
  const bool fits = range.begin < range.end && file_size >= out.begin &&
                    file_size - out.begin == range.end - range.begin;
  if (!fields.complete() || !fits) return std::nullopt;
  return out;
}

std::string entry_prefix(const std::string& url, std::uint64_t segment) {
  const auto text = url + "#" + std::to_string(segment);
  const auto hash = hex(stable_hash(std::as_bytes(std::span(text))), kHashDigits);
  return hash.substr(0, 2) + "/" + hash + "-";
}

std::string entry_name(const EntryHead& head) {
  Bytes state;
  add_text(state, head.validator.etag);
  add_text(state, head.validator.modified);
  add(state, head.validator.length.value_or(~std::uint64_t{0}));
  add(state, head.metadata.value_or(0));
  const auto segment = head.range.begin / kCacheSegment;
  return entry_prefix(head.url, segment) + hex(stable_hash(state), kHashDigits) + "-" +
         hex(head.range.begin) + "-" + hex(head.range.end);
}

std::optional<ByteRange> range_of_entry(const std::string& name) {
  constexpr std::size_t kFixed = 3 + kHashDigits + 1 + kHashDigits + 1;
  const std::string_view text = name;
  if (text.size() <= kFixed || text[2] != '/' || text[3 + kHashDigits] != '-' ||
      text[kFixed - 1] != '-' || text.substr(0, 2) != text.substr(3, 2)) {
    return std::nullopt;
  }
  for (const auto from : {std::size_t{3}, 3 + kHashDigits + 1}) {
    const auto hash = text.substr(from, kHashDigits);
    if (hash.find_first_not_of("0123456789abcdef") != hash.npos) return std::nullopt;
  }
  auto rest = text.substr(kFixed);
  const auto begin = take_hex(rest);
  const auto end = take_hex(rest);
  if (!begin || !end || !rest.empty() || *begin >= *end) return std::nullopt;
  if (*begin / kCacheSegment != (*end - 1) / kCacheSegment) return std::nullopt;
  return ByteRange{*begin, *end};
}

std::uint64_t stable_hash(std::span<const std::byte> bytes, std::uint64_t seed) {
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  auto hash = seed;
  for (const auto byte : bytes) {
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * kPrime;
  }
  return hash;
}

}  // namespace bev::native
