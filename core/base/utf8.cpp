#include "core/base/utf8.hpp"

#include <bit>

namespace bev {
namespace {

bool is_scalar_value(std::uint32_t point) noexcept {
  return point < 0xd800 || (point > 0xdfff && point <= 0x10ffff);
}

std::size_t length_of(std::uint32_t point) noexcept {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

}  // namespace

Utf8Point first_point(std::string_view text) noexcept {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const auto length = static_cast<std::size_t>(std::countl_one(lead));
  if (length < 2 || length > 4 || length > text.size()) return {};
  std::uint32_t point = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return {};
    point = point << 6 | (next & 0x3fU);
  }
  if (length_of(point) != length || !is_scalar_value(point)) return {};
  return {point, length};
}

Utf8Bytes utf8_of(std::uint32_t point) noexcept {
  if (!is_scalar_value(point)) point = kReplacementPoint;
  Utf8Bytes out;
  out.length = length_of(point);
  if (out.length == 1) {
    out.bytes[0] = static_cast<char>(point);
    return out;
  }
  for (std::size_t i = out.length - 1; i > 0; --i) {
    out.bytes[i] = static_cast<char>(0x80 | (point & 0x3f));
    point >>= 6;
  }
  // As many ones as there are bytes, a zero, and what is left of the point.
  out.bytes[0] = static_cast<char>((0xf00U >> out.length & 0xff) | point);
  return out;
}

}  // namespace bev
