#include "core/raster/rgb_rows.hpp"

#include <algorithm>

namespace bev::raster {

void WindowRows::read(std::int32_t y, std::span<Lanes> out) const {
  std::fill(out.begin(), out.end(), Lanes{0});
  const std::int64_t row = window_.y + y;
  if (row < 0 || row >= window_.picture_height) return;
  const auto width = static_cast<std::int64_t>(out.size());
  const std::int64_t first = std::max<std::int64_t>(window_.x, 0);
  const std::int64_t last = std::min(window_.x + width, window_.picture_width);
  const std::uint8_t* const line =
      window_.pixels.data() + row * window_.picture_width * 3;
  for (std::int64_t x = first; x < last; ++x) {
    const std::uint8_t* const rgb = line + x * 3;
    out[static_cast<std::size_t>(x - window_.x)] = lanes(rgb[0], rgb[1], rgb[2]);
  }
}

}  // namespace bev::raster
