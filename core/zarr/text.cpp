#include "core/zarr/text.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/utf8.hpp"

namespace bev::zarr {
namespace {

void append(std::uint32_t point, std::vector<char>& out) {
  const auto bytes = utf8_of(point);
  for (const char byte : bytes.text()) out.push_back(byte);
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
    const auto first = first_point(text);
    append(first.point, out);
    text.remove_prefix(std::max<std::size_t>(first.length, 1));
  }
}

void check(const DType& type, std::size_t bytes) {
  if (type.kind != Kind::unicode && type.kind != Kind::bytes) {
    fail(Errc::invalid_argument,
         {"dtype ", to_string(type), " is not text, expected U or S"});
  }
  if (type.item_size == 0 ? bytes != 0 : bytes % type.item_size != 0) {
    fail(Errc::invalid_argument,
         {bytes, " bytes of text, expected a multiple of ", type.item_size});
  }
}

}  // namespace

Text decode_text(const DType& type, std::span<const std::byte> column, Text reuse) {
  check(type, column.size());
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
      fail(Errc::out_of_range, {"more than 4 GiB of text in one column"});
    }
    text.offsets.push_back(static_cast<std::uint32_t>(text.utf8.size()));
  }
  return text;
}

std::vector<std::uint32_t> code_points(std::string_view utf8) {
  std::vector<std::uint32_t> points;
  while (!utf8.empty()) {
    const auto first = first_point(utf8);
    points.push_back(first.point);
    utf8.remove_prefix(std::max<std::size_t>(first.length, 1));
  }
  return points;
}

}  // namespace bev::zarr
