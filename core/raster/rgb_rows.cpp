#include "core/raster/rgb_rows.hpp"

#include <algorithm>

namespace bev::raster {

void WindowRows::read(std::int32_t y, std::span<std::uint8_t> rgb) const {
  std::fill(rgb.begin(), rgb.end(), std::uint8_t{0});
  const std::int64_t row = window_.y + y;
  if (row < 0 || row >= window_.picture_height) return;
  const auto width = static_cast<std::int64_t>(rgb.size() / 3);
  const std::int64_t first = std::max<std::int64_t>(window_.x, 0);
  const std::int64_t last = std::min(window_.x + width, window_.picture_width);
  if (first >= last) return;
  const std::uint8_t* const from =
      window_.pixels.data() + (row * window_.picture_width + first) * 3;
  std::copy_n(from, (last - first) * 3, rgb.data() + (first - window_.x) * 3);
}

}  // namespace bev::raster
