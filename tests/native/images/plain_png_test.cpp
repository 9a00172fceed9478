#include "native/images/plain_png.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/base/error.hpp"
#include "native/images/image_file.hpp"

namespace plain_png_test {

using bev::native::decode_image;
using bev::native::plain_png;

TEST_SUITE("native/images/plain_png") {
  TEST_CASE("libpng reads the colours that were written") {
    std::vector<std::uint8_t> pixels(3 * 4 * 5);
    std::iota(pixels.begin(), pixels.end(), std::uint8_t{7});
    auto image = decode_image(plain_png(pixels, 4, 5), "image", 1000);
    CHECK(image.width == 5);
    CHECK(image.height == 4);
    for (std::uint32_t y = 0; y < 4; ++y) {
      const auto* const row = image.row(y);
      CHECK(std::equal(row, row + 15, pixels.begin() + 15 * y));
    }
  }

  TEST_CASE("indices stand for colours of the palette") {
    const std::vector<std::uint8_t> palette = {1, 2, 3, 250, 251, 252};
    const std::vector<std::uint8_t> indices = {0, 1, 1, 0, 0, 1};
    auto image = decode_image(plain_png(indices, 2, 3, palette), "image", 1000);
    CHECK(image.width == 3);
    CHECK(image.height == 2);
    for (std::uint32_t i = 0; i < indices.size(); ++i) {
      const auto* const pixel = image.row(i / 3) + 3 * (i % 3);
      CHECK(pixel[0] == palette[3 * indices[i]]);
      CHECK(pixel[2] == palette[3 * indices[i] + 2]);
    }
  }

  TEST_CASE("a wrong number of pixels is an error") {
    const std::vector<std::uint8_t> pixels(3 * 4 * 5);
    CHECK_THROWS_AS(plain_png(pixels, 5, 5), bev::Error);
    CHECK_THROWS_AS(plain_png(pixels, 4, 5, pixels), bev::Error);
    CHECK_THROWS_AS(plain_png({}, 0, 0), bev::Error);
  }
}

}  // namespace plain_png_test
