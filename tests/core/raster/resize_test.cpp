#include "core/raster/resize.hpp"

#include <doctest/doctest.h>

#include <vector>

using bev::raster::Resizer;
using bev::raster::RgbRows;
using bev::raster::Size;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// Red increases along columns, green along rows; records the rows read.
class Ramp final : public RgbRows {
 public:
  void read(std::int32_t y, std::span<bev::raster::Lanes> row) const override {
    reads.push_back(y);
    for (std::size_t x = 0; x < row.size(); ++x) {
      row[x] = bev::raster::lanes(static_cast<std::uint8_t>(4 * x),
                                  static_cast<std::uint8_t>(8 * y), 77);
    }
  }
  mutable std::vector<std::int32_t> reads;
};

Bytes resized(const RgbRows& rows, Size from, Size to, const Resizer::Part& part) {
  const std::size_t size = static_cast<std::size_t>(part.size.width) *
                           static_cast<std::size_t>(part.size.height);
  Bytes out(3 * size);
  Resizer().resize(rows, from, to, part,
                   {out.data(), out.data() + size, out.data() + 2 * size});
  return out;
}

}  // namespace

TEST_SUITE("raster/resize") {
  TEST_CASE("the same size is the same image") {
    const Bytes out = resized(Ramp(), {4, 3}, {4, 3}, {0, 0, {4, 3}});
    CHECK(Bytes(out.begin(), out.begin() + 4) == Bytes{0, 4, 8, 12});
    CHECK(out[12 + 4] == 8);
    CHECK(out[35] == 77);
  }

  TEST_CASE("half the size is the mean of four") {
    const Bytes out = resized(Ramp(), {8, 4}, {4, 2}, {0, 0, {4, 2}});
    CHECK(Bytes(out.begin(), out.begin() + 4) == Bytes{2, 10, 18, 26});
    CHECK(out[8] == 4);
    CHECK(out[12] == 20);
  }

  TEST_CASE("twice the size has quarters between, and borders repeat") {
    const Bytes out = resized(Ramp(), {4, 3}, {8, 6}, {0, 0, {8, 6}});
    CHECK(Bytes(out.begin(), out.begin() + 8) == Bytes{0, 1, 3, 5, 7, 9, 11, 12});
  }

  TEST_CASE("a part is what the whole has there, also halved and upside down") {
    for (const Size to : {Size{13, 11}, Size{8, 7}, Size{4, 4}}) {
      CAPTURE(to.width);
      const Bytes all = resized(Ramp(), {8, 8}, to, {0, 0, to});
      const Bytes part = resized(Ramp(), {8, 8}, to, {1, 2, {3, 2}, true});
      const auto width = static_cast<std::size_t>(to.width);
      const std::size_t size = width * static_cast<std::size_t>(to.height);
      for (std::size_t i = 0; i < part.size(); ++i) {
        const std::size_t plane = i / 6, y = 1 - i % 6 / 3, x = i % 3;
        CHECK(part[i] == all[plane * size + (y + 2) * width + x + 1]);
      }
    }
  }

  TEST_CASE("rows are read in order, once, and only those that are seen") {
    const Ramp ramp;
    resized(ramp, {8, 8}, {16, 16}, {0, 4, {16, 4}});
    CHECK(ramp.reads == std::vector<std::int32_t>{1, 2, 3, 4});
  }

  TEST_CASE("one pixel may become many, and many one") {
    CHECK(resized(Ramp(), {1, 1}, {3, 1}, {0, 0, {3, 1}}) ==
          Bytes{0, 0, 0, 0, 0, 0, 77, 77, 77});
    CHECK(resized(Ramp(), {5, 5}, {1, 1}, {0, 0, {1, 1}}) == Bytes{8, 16, 77});
  }
}
