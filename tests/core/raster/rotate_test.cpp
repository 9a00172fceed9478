#include "core/raster/rotate.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace rotate_test {

using bev::raster::RgbWindow;
using bev::raster::rotation_about;
using bev::raster::WarpedRows;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// An image in which each pixel encodes its position: red the column, green the row.
Bytes places(int side) {
  Bytes out;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      out.push_back(static_cast<std::uint8_t>(x * 16));
      out.push_back(static_cast<std::uint8_t>(y * 16));
      out.push_back(200);
    }
  }
  return out;
}

Bytes read_all(const WarpedRows& rows, std::int32_t height, std::size_t width) {
  Bytes out;
  std::vector<bev::raster::Lanes> row(width);
  for (std::int32_t y = 0; y < height; ++y) {
    rows.read(y, row);
    for (const bev::raster::Lanes pixel : row) {
      for (unsigned c = 0; c < 3; ++c) {
        out.push_back(static_cast<std::uint8_t>(pixel >> 16 * c));
      }
    }
  }
  return out;
}

}  // namespace

TEST_SUITE("raster/rotate") {
  TEST_CASE("a turn about a point leaves the point") {
    const auto map = rotation_about({3, 5}, 77);
    const auto same = map * bev::geom::Vec2{3, 5};
    CHECK(same.x == doctest::Approx(3));
    CHECK(same.y == doctest::Approx(5));
    const auto quarter = rotation_about({0, 0}, 90) * bev::geom::Vec2{1, 0};
    CHECK(quarter.y == doctest::Approx(-1));  // up in an image with y down
  }

  TEST_CASE("no turn is the image itself") {
    const Bytes image = places(5);
    WarpedRows rows;
    rows.set({image, 5, 5, 0, 0, 5, 5}, rotation_about({2.5, 2.5}, 0), {}, {0, 0, 5});
    CHECK(read_all(rows, 5, 5) == image);
  }

  TEST_CASE("a part is what the whole has there") {
    const Bytes image = places(9);
    const auto map = rotation_about({4.5, 4.5}, 33);
    WarpedRows whole, part;
    whole.set({image, 9, 9, 0, 0, 9, 9}, map, {}, {0, 0, 9});
    part.set({image, 9, 9, 0, 0, 9, 9}, map, {}, {2, 3, 4});
    const Bytes all = read_all(whole, 9, 9), some = read_all(part, 4, 4);
    for (std::size_t y = 0; y < 4; ++y) {
      for (std::size_t i = 0; i < 12; ++i) {
        CHECK(some[y * 12 + i] == all[(y + 2) * 27 + 9 + i]);
      }
    }
  }

  TEST_CASE("the offset moves where pixels come from, in 32nds") {
    const Bytes image = places(6);
    WarpedRows rows;
    rows.set({image, 6, 6, 0, 0, 6, 6}, {}, {0.5, 0.25}, {1, 1, 3});
    const Bytes out = read_all(rows, 3, 3);
    CHECK(out[0] == 16 + 8);
    CHECK(out[1] == 16 + 4);
    CHECK(out[2] == 200);
  }

  TEST_CASE("outside of the window, and of the image, is black") {
    const Bytes image = places(6);
    WarpedRows rows;
    rows.set({image, 6, 6, 2, 2, 2, 2}, {}, {-1, 0}, {0, 0, 2});
    CHECK(read_all(rows, 1, 2) == Bytes{0, 0, 0, 32, 32, 200});
    rows.set({image, 6, 6, -1, 0, 4, 4}, {}, {}, {0, 0, 2});
    CHECK(read_all(rows, 1, 2) == Bytes{0, 0, 0, 0, 0, 200});
    rows.set({image, 6, 6, -1'000'000'000, 0, 4, 4}, {}, {}, {0, 0, 2});
    CHECK(read_all(rows, 1, 2) == Bytes(6));
  }
}

}  // namespace rotate_test
