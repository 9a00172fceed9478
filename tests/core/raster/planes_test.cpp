#include "core/raster/planes.hpp"

#include <doctest/doctest.h>

#include <vector>

using Bytes = std::vector<std::uint8_t>;
using bev::raster::paste_boxes;
using bev::raster::Planes;

namespace {

/// Pastes boxes over three pixels and three frames; `channels` are agents now, before,
/// ..., ego.
Bytes pasted(Bytes channels, Bytes image) {
  const Planes planes{6, 1, 3, channels};
  paste_boxes(planes, 3, image, image.size() / 3);
  return image;
}

}  // namespace

TEST_SUITE("raster/planes") {
  TEST_CASE("one channel alone is grey and opaque") {
    Bytes bytes{1, 2, 3, 40, 50, 60};
    const bev::raster::Planes planes{2, 1, 3, bytes};
    Bytes rgba(12, 7);
    bev::raster::grey_from(planes, 1, rgba);
    CHECK(rgba == Bytes{40, 40, 40, 255, 50, 50, 50, 255, 60, 60, 60, 255});
  }

  TEST_CASE("agents are blue, the viewer is green, both together both") {
    const Bytes channels = {255, 0, 1, 0, 0, 0, 0, 0, 0, 0, 255, 9, 0, 0, 0, 0, 0, 0};
    CHECK(pasted(channels, Bytes(9)) == Bytes{0, 0, 255, 0, 255, 0, 0, 255, 255});
  }

  TEST_CASE("older boxes are paler by 0.85 per frame, and the newest wins") {
    const Bytes channels = {0, 0, 0, 0, 255, 255, 255, 255, 0,
                            0, 0, 0, 0, 0,   0,   0,   0,   0};
    CHECK(pasted(channels, Bytes(9)) == Bytes{0, 0, 184, 0, 0, 216, 0, 0, 216});
  }

  TEST_CASE("the image stays where no box is, and the fourth byte everywhere") {
    const Bytes channels = {0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const Bytes image = {1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 9, 9};
    CHECK(pasted(channels, image) == Bytes{1, 2, 3, 9, 0, 0, 255, 9, 7, 8, 9, 9});
  }

  TEST_CASE("planes become pixels of three or four bytes, opaque") {
    std::vector<std::uint8_t> red = {1, 2}, green = {3, 4}, blue = {5, 6};
    const bev::raster::RgbPlanes planes{red.data(), green.data(), blue.data()};
    std::vector<std::uint8_t> three(6, 99), four(8, 99);
    bev::raster::interleave(planes, three, 3);
    bev::raster::interleave(planes, four, 4);
    CHECK(three == std::vector<std::uint8_t>{1, 3, 5, 2, 4, 6});
    CHECK(four == std::vector<std::uint8_t>{1, 3, 5, 255, 2, 4, 6, 255});
    bev::raster::fill_black(three, 3);
    bev::raster::fill_black(four, 4);
    CHECK(three == std::vector<std::uint8_t>(6));
    CHECK(four == std::vector<std::uint8_t>{0, 0, 0, 255, 0, 0, 0, 255});
  }
}
