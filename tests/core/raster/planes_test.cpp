#include "core/raster/planes.hpp"

#include <doctest/doctest.h>

#include <vector>

using Bytes = std::vector<std::uint8_t>;

TEST_SUITE("raster/planes") {
  TEST_CASE("one channel alone is grey and opaque") {
    Bytes bytes{1, 2, 3, 40, 50, 60};
    const bev::raster::Planes planes{2, 1, 3, bytes};
    Bytes rgba(12, 7);
    bev::raster::grey_from(planes, 1, rgba);
    CHECK(rgba == Bytes{40, 40, 40, 255, 50, 50, 50, 255, 60, 60, 60, 255});
  }
}
