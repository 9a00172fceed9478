#include "core/raster/rgb_rows.hpp"

#include <doctest/doctest.h>

#include <vector>

using bev::raster::Lanes;
using bev::raster::lanes;
using bev::raster::WindowRows;
using Bytes = std::vector<std::uint8_t>;
using Row = std::vector<Lanes>;

namespace {

const Bytes kPicture = {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16};  // 2 x 2

Row row(std::int64_t x, std::int64_t y) {
  const WindowRows rows({kPicture, 2, 2, x, y, 3, 1});
  Row out(3, 99);
  rows.read(0, out);
  return out;
}

}  // namespace

TEST_SUITE("raster/rgb_rows") {
  TEST_CASE("a window shows its part of the image, black around it") {
    CHECK(row(0, 1) == Row{lanes(11, 12, 13), lanes(14, 15, 16), 0});
    CHECK(row(-1, 0) == Row{0, lanes(1, 2, 3), lanes(4, 5, 6)});
    CHECK(row(1, 0) == Row{lanes(4, 5, 6), 0, 0});
  }

  TEST_CASE("a window beside the image is black") {
    for (const std::int64_t far : {-1'000'000'000, -3, 2, 1'000'000'000}) {
      CHECK(row(far, 0) == Row(3));
      if (far != -3) CHECK(row(0, far) == Row(3));
    }
  }

  TEST_CASE("a row is given as it is where all of it and four bytes more are there") {
    const auto bytes = [](std::int64_t x, std::int64_t y, std::size_t width) {
      const WindowRows rows({kPicture, 2, 2, x, y, 2, 1});
      return rows.bytes(0, width);
    };
    CHECK(bytes(0, 0, 2) == kPicture.data());
    CHECK(bytes(1, 0, 1) == kPicture.data() + 3);
    CHECK(bytes(0, 1, 1) == nullptr);  // only three bytes behind it
    CHECK(bytes(-1, 0, 2) == nullptr);
    CHECK(bytes(1, 0, 2) == nullptr);
    CHECK(bytes(0, -1, 2) == nullptr);
    CHECK(bytes(0, 2, 2) == nullptr);
  }
}
