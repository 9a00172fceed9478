#include "core/raster/planes.hpp"

#include <algorithm>

namespace bev::raster {

void grey_from(const Planes& in, std::size_t channel, std::span<std::uint8_t> out) {
  const std::uint8_t* grey = in.plane(channel);
  for (std::size_t i = 0; i < in.plane_size(); ++i) {
    std::fill_n(&out[4 * i], 3, grey[i]);
    out[4 * i + 3] = 255;
  }
}

}  // namespace bev::raster
