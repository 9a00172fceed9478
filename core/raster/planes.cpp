#include "core/raster/planes.hpp"

#include <algorithm>
#include <vector>

namespace bev::raster {

void grey_from(const Planes& in, std::size_t channel, std::span<std::uint8_t> out) {
  const std::uint8_t* grey = in.plane(channel);
  for (std::size_t i = 0; i < in.plane_size(); ++i) {
    std::fill_n(&out[4 * i], 3, grey[i]);
    out[4 * i + 3] = 255;
  }
}

void paste_boxes(const Planes& in, std::size_t frames, std::span<std::uint8_t> out,
                 std::size_t step) {
  constexpr std::size_t kGreen = 1, kBlue = 2;
  const std::size_t pixels = in.plane_size();
  std::vector<std::uint8_t> shades(frames);
  float light = 1;
  for (std::uint8_t& shade : shades) {
    shade = static_cast<std::uint8_t>(light * 255.0F);
    light *= 0.85F;
  }
  const auto newest = [&](std::size_t first, std::size_t pixel) -> std::uint8_t {
    for (std::size_t i = 0; i < frames; ++i) {
      if (in.plane(first + i)[pixel] > 0) return shades[i];
    }
    return 0;
  };
  for (std::size_t i = 0; i < pixels; ++i) {
    const std::uint8_t agents = newest(0, i), ego = newest(frames, i);
    if (agents == 0 && ego == 0) continue;
    std::uint8_t* const pixel = out.data() + i * step;
    pixel[0] = 0;
    pixel[kGreen] = ego;
    pixel[kBlue] = agents;
  }
}

void interleave(const RgbPlanes& in, std::span<std::uint8_t> out, std::size_t step) {
  const auto [red, green, blue] = in;
  std::uint8_t* pixel = out.data();
  for (std::size_t i = 0; i < out.size() / step; ++i, pixel += step) {
    pixel[0] = red[i];
    pixel[1] = green[i];
    pixel[2] = blue[i];
    if (step == 4) pixel[3] = 255;
  }
}

void fill_black(std::span<std::uint8_t> out, std::size_t step) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = i % 4 == 3 && step == 4 ? 255 : 0;
}

}  // namespace bev::raster
