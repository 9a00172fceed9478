#include "native/images/encode_png.hpp"

#include <doctest/doctest.h>
#include <png.h>

#include <numeric>

#include "core/base/error.hpp"

using bev::native::encode_png;

TEST_SUITE("native/images/encode_png") {
  TEST_CASE("libpng reads the pixels that were written") {
    std::vector<std::uint8_t> pixels(3 * 4 * 5);
    std::iota(pixels.begin(), pixels.end(), std::uint8_t{7});
    const auto bytes = encode_png(pixels, 4, 5);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0);
    CHECK(image.height == 4);
    CHECK(image.width == 5);
    CHECK(image.format == PNG_FORMAT_RGB);
    std::vector<std::uint8_t> read(pixels.size());
    REQUIRE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr) != 0);
    CHECK(read == pixels);
  }

  TEST_CASE("pixels of another number than rows times columns are refused") {
    const std::vector<std::uint8_t> pixels(3 * 4 * 5);
    CHECK_THROWS_AS(encode_png(pixels, 5, 5), bev::Error);
  }
}
