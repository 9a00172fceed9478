#include "core/zarr/text.hpp"

#include <bit>
#include <limits>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

bool is_scalar_value(std::uint32_t point) {
  return point < 0xd800 || (point > 0xdfff && point <= 0x10ffff);
}

void append(std::uint32_t point, std::vector<char>& out) {
  if (!is_scalar_value(point)) point = kReplacement;
  const auto tail = [&](unsigned shift) {
    out.push_back(static_cast<char>(0x80 | (point >> shift & 0x3f)));
  };
  if (point < 0x80) {
    out.push_back(static_cast<char>(point));
  } else if (point < 0x800) {
    out.push_back(static_cast<char>(0xc0 | point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | point >> 12));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xf0 | point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

struct Decoded {
  std::uint32_t point;
  std::size_t length;
};

// Returns the code point at the start of `text`; (U+FFFD, 1) if it is invalid.
Decoded first_point(std::string_view text) {
  constexpr Decoded kBad{kReplacement, 1};
  constexpr std::uint32_t kMin[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const auto length = static_cast<std::size_t>(std::countl_one(lead));
  if (length < 2 || length > 4 || length > text.size()) return kBad;
  std::uint32_t point = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return kBad;
    point = point << 6 | (next & 0x3fu);
  }
  if (point < kMin[length] || !is_scalar_value(point)) return kBad;
  return {point, length};
}

void append_ucs4(std::span<const std::byte> element, std::endian order,
                 std::vector<char>& out) {
  std::size_t size = element.size();
  const auto unit = [&](std::size_t at) {
    return load<std::uint32_t>(element.data() + at, order);
  };
  while (size > 0 && unit(size - 4) == 0) size -= 4;
  for (std::size_t at = 0; at < size; at += 4) append(unit(at), out);
}

void append_utf8(std::string_view text, std::vector<char>& out) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  while (!text.empty()) {
    const Decoded first = first_point(text);
    append(first.point, out);
    text.remove_prefix(first.length);
  }
}

void check_text(const DType& type, std::size_t bytes) {
  if (type.kind != Kind::unicode && type.kind != Kind::bytes) {
    fail(Errc::invalid_argument,
         {"dtype ", to_string(type), " is not text (expected U or S)"});
  }
  if (type.item_size == 0 ? bytes != 0 : bytes % type.item_size != 0) {
    fail(Errc::invalid_argument,
         {"text has the wrong length (found ", bytes, " bytes, expected a multiple of ",
          type.item_size, ")"});
  }
}

}  // namespace

Text decode_text(const DType& type, std::span<const std::byte> column, Text reuse) {
  check_text(type, column.size());
  const auto order =
      type.order == ByteOrder::big ? std::endian::big : std::endian::little;
  Text text = std::move(reuse);
  text.utf8.clear();
  text.offsets.assign(1, 0);
  for (std::size_t at = 0; at < column.size(); at += type.item_size) {
    const auto element = column.subspan(at, type.item_size);
    if (type.kind == Kind::unicode) {
      append_ucs4(element, order, text.utf8);
    } else {
      append_utf8({reinterpret_cast<const char*>(element.data()), element.size()},
                  text.utf8);
    }
    if (text.utf8.size() > std::numeric_limits<std::uint32_t>::max()) {
      fail(Errc::limit_exceeded, {"text column too large (expected at most 4 GiB)"});
    }
    text.offsets.push_back(static_cast<std::uint32_t>(text.utf8.size()));
  }
  return text;
}

std::size_t valid_utf8(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto [point, length] = first_point(text.substr(at));
    // U+FFFD itself takes three bytes.
    if (point == kReplacement && length == 1) break;
    at += length;
  }
  return at;
}

std::vector<std::uint32_t> code_points(std::string_view utf8) {
  std::vector<std::uint32_t> points;
  while (!utf8.empty()) {
    const Decoded first = first_point(utf8);
    points.push_back(first.point);
    utf8.remove_prefix(first.length);
  }
  return points;
}

}  // namespace bev::zarr
