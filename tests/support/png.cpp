#include "tests/support/png.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace bev::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

void require(bool property, const char* what) {
  if (!property) throw std::runtime_error(std::string("PNG: ") + what);
}

std::uint32_t big_endian(std::span<const std::byte> bytes, std::size_t at) {
  require(at + 4 <= bytes.size(), "cut off");
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  }
  return value;
}

/// Returns a byte's prediction from its left, upper and upper left neighbours.
std::uint8_t predicted(unsigned filter, int left, int above, int corner) {
  if (filter == 1) return static_cast<std::uint8_t>(left);
  if (filter == 2) return static_cast<std::uint8_t>(above);
  if (filter == 3) return static_cast<std::uint8_t>((left + above) / 2);
  if (filter != 4) return 0;
  const int sum = left + above - corner;
  const int by_left = std::abs(sum - left), by_above = std::abs(sum - above),
            by_corner = std::abs(sum - corner);
  if (by_left <= by_above && by_left <= by_corner) {
    return static_cast<std::uint8_t>(left);
  }
  return static_cast<std::uint8_t>(by_above <= by_corner ? above : corner);
}

/// Reverses the filters: rows of a filter byte and `size` bytes become rows of `size`
/// bytes.
Bytes unfiltered(const Bytes& rows, std::size_t size, std::size_t channels) {
  const std::size_t count = rows.size() / (size + 1);
  Bytes out(count * size);
  for (std::size_t y = 0; y < count; ++y) {
    const unsigned filter = rows[y * (size + 1)];
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = y * size + i;
      const int left = i < channels ? 0 : out[at - channels];
      const int above = y == 0 ? 0 : out[at - size];
      const int corner = i < channels || y == 0 ? 0 : out[at - size - channels];
      out[at] = static_cast<std::uint8_t>(rows[y * (size + 1) + 1 + i] +
                                          predicted(filter, left, above, corner));
    }
  }
  return out;
}

}  // namespace

Png parse_png(std::span<const std::byte> bytes) {
  Png png;
  Bytes packed;
  std::size_t channels = 0;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t size = big_endian(bytes, at);
    const std::uint32_t type = big_endian(bytes, at + 4);
    const auto data = bytes.subspan(at + 8);
    require(size + 4 <= data.size(), "cut off");
    if (type == 0x49484452) {  // IHDR
      png.width = big_endian(data, 0);
      png.height = big_endian(data, 4);
      const auto kind = std::to_integer<unsigned>(data[9]);
      require(data[8] == std::byte{8} && data[12] == std::byte{0}, "another kind");
      require(kind == 0 || kind == 2, "neither grey nor RGB");
      channels = kind == 0 ? 1 : 3;
    }
    if (type == 0x49444154) {  // IDAT
      const auto* const first = reinterpret_cast<const std::uint8_t*>(data.data());
      packed.insert(packed.end(), first, first + size);
    }
    at += size + 12;
  }
  const std::size_t row = png.width * channels;
  Bytes rows(png.height * (row + 1));
  uLongf length = rows.size();
  require(uncompress(rows.data(), &length, packed.data(), packed.size()) == Z_OK &&
              length == rows.size(),
          "does not inflate to its size");
  const Bytes pixels = unfiltered(rows, row, channels);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    png.rgb.insert(png.rgb.end(), channels == 1 ? 3 : 1, pixels[i]);
  }
  return png;
}

}  // namespace bev::test
