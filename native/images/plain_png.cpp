#include "native/images/plain_png.hpp"

#include <zlib.h>

#include <initializer_list>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::native {
namespace {

void add_big_endian(std::vector<std::byte>& out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::byte>(number >> shift));
  }
}

void add_bytes(std::vector<std::byte>& out, std::initializer_list<int> bytes) {
  for (const int byte : bytes) out.push_back(static_cast<std::byte>(byte));
}

/// Adds a part of a PNG file. Reference: PNG specification, 5.3
void add_part(std::vector<std::byte>& out, std::string_view type,
              std::span<const std::byte> bytes) {
  add_big_endian(out, static_cast<std::uint32_t>(bytes.size()));
  const auto begin = out.size();
  for (const char letter : type) out.push_back(static_cast<std::byte>(letter));
  out.insert(out.end(), bytes.begin(), bytes.end());
  const auto sum = ::crc32(0, reinterpret_cast<const Bytef*>(out.data() + begin),
                           static_cast<uInt>(out.size() - begin));
  add_big_endian(out, static_cast<std::uint32_t>(sum));
}

/// Returns the rows, each after a byte that says that it is not filtered, compressed.
std::vector<std::byte> packed_rows(std::span<const std::uint8_t> pixels,
                                   std::size_t row_bytes) {
  std::vector<Bytef> rows;
  rows.reserve(pixels.size() + pixels.size() / row_bytes);
  for (std::size_t at = 0; at < pixels.size(); at += row_bytes) {
    rows.push_back(0);
    const auto row = pixels.subspan(at, row_bytes);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  auto size = ::compressBound(static_cast<uLong>(rows.size()));
  std::vector<std::byte> out(size);
  if (::compress2(reinterpret_cast<Bytef*>(out.data()), &size, rows.data(),
                  static_cast<uLong>(rows.size()), Z_BEST_COMPRESSION) != Z_OK) {
    fail(Errc::out_of_memory, {"png: too little memory"});
  }
  out.resize(size);
  return out;
}

}  // namespace

std::vector<std::byte> plain_png(std::span<const std::uint8_t> pixels,
                                 std::uint32_t rows, std::uint32_t columns,
                                 std::span<const std::uint8_t> palette) {
  constexpr std::size_t kChannels = 3;
  constexpr int kColours = 2, kPalette = 3;
  const std::size_t row_bytes = columns * (palette.empty() ? kChannels : 1);
  if (row_bytes == 0 || pixels.size() != rows * row_bytes) {
    fail(Errc::internal, {"png: wrong pixel count (found ", pixels.size(),
                          " bytes, expected ", rows * row_bytes, ")"});
  }
  std::vector<std::byte> out;
  add_bytes(out, {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A});
  std::vector<std::byte> head;
  add_big_endian(head, columns);
  add_big_endian(head, rows);
  add_bytes(head, {8, palette.empty() ? kColours : kPalette, 0, 0, 0});
  add_part(out, "IHDR", head);
  if (!palette.empty()) add_part(out, "PLTE", std::as_bytes(palette));
  add_part(out, "IDAT", packed_rows(pixels, row_bytes));
  add_part(out, "IEND", {});
  return out;
}

}  // namespace bev::native
