#include "core/raster/rgb_rows.hpp"

#include <algorithm>

namespace bev::raster {

void WindowRows::read(std::int32_t y, std::span<Lanes> out) const {
  const std::int64_t row = window_.y + y;
  const auto width = static_cast<std::int64_t>(out.size());
  const std::int64_t first = std::clamp<std::int64_t>(-window_.x, 0, width);
  const std::int64_t last =
      std::clamp<std::int64_t>(window_.image_width - window_.x, first, width);
  if (row < 0 || row >= window_.image_height || first == last) {
    std::fill(out.begin(), out.end(), Lanes{0});
    return;
  }
  std::fill_n(out.data(), first, Lanes{0});
  std::fill_n(out.data() + last, width - last, Lanes{0});
  const std::int64_t begin = row * window_.image_width + window_.x + first;
  widen(window_.pixels.subspan(static_cast<std::size_t>(begin * 3),
                               static_cast<std::size_t>(last - first) * 3),
        out.data() + first);
}

const std::uint8_t* WindowRows::bytes(std::int32_t y, std::size_t width) const {
  const std::int64_t row = window_.y + y;
  if (row < 0 || row >= window_.image_height || window_.x < 0 ||
      window_.x + static_cast<std::int64_t>(width) > window_.image_width) {
    return nullptr;
  }
  const auto begin =
      static_cast<std::size_t>((row * window_.image_width + window_.x) * 3);
  const bool some_behind = begin + width * 3 + 4 <= window_.pixels.size();
  return some_behind ? window_.pixels.data() + begin : nullptr;
}

}  // namespace bev::raster
