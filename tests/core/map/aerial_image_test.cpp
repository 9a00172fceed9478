#include "core/map/aerial_image.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"

using bev::Errc;
using bev::Error;
using bev::geom::Affine3;
using bev::geom::Vec2;
using bev::map::AerialImage;
using bev::test::error_code;

namespace {

/// Rows go south at 2 pixels per metre, columns east at 4.
Affine3 two_and_four() {
  return {{Affine3::Row{0, -2, 0, 100}, Affine3::Row{4, 0, 0, 50}, {}}};
}

}  // namespace

TEST_SUITE("map/aerial_image") {
  TEST_CASE("a point of world has a row and a column") {
    const AerialImage image(3, 2, two_and_four());
    CHECK(image.in_aerial({10, 20, 7}) == Vec2{60, 90});
  }

  TEST_CASE("metres per pixel are the mean of both directions") {
    CHECK(AerialImage(3, 2, two_and_four()).metres_per_pixel() == 0.375);
  }

  TEST_CASE("rows are filled in strips, opacity is left out") {
    AerialImage image(2, 3, {});
    const std::vector<std::uint8_t> strip = {1, 2, 3, 99, 4,  5,  6,  99,
                                             7, 8, 9, 99, 10, 11, 12, 99};
    image.put_rgba_rows(1, strip);
    const auto pixels = image.pixels();
    CHECK(std::vector<int>(pixels.begin(), pixels.end()) ==
          std::vector<int>{0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    CHECK(image.row(2)[0] == 7);
  }

  TEST_CASE("strips beside the image and of half rows are refused") {
    AerialImage image(2, 3, {});
    const std::vector<std::uint8_t> two_rows(16), half(12);
    CHECK(error_code([&] { image.put_rgba_rows(2, two_rows); }) == Errc::out_of_range);
    CHECK(error_code([&] { image.put_rgba_rows(4, {}); }) == Errc::out_of_range);
    CHECK(error_code([&] { image.put_rgba_rows(0, half); }) == Errc::invalid_argument);
    CHECK(error_code([&] { image.row(3); }) == Errc::out_of_range);
  }

  TEST_CASE("sizes are judged before memory is asked for") {
    CHECK(error_code([] { AerialImage(0, 5, {}); }) == Errc::corrupt_chunk);
    CHECK(error_code([] { AerialImage(65'536, 1, {}); }) == Errc::limit_exceeded);
    CHECK(error_code([] { AerialImage(65'000, 65'000, {}); }) == Errc::limit_exceeded);
    CHECK_THROWS_WITH_AS(AerialImage(2, 2, std::vector<std::uint8_t>(11), {}),
                         "aerial image: wrong size (found 11 bytes, expected 3 for "
                         "each of 2 x 2 pixels)",
                         Error);
  }

  TEST_CASE("without ecef_to_aerial, or with one of zeros, there is no place") {
    bev::map::Meta meta;
    CHECK(error_code([&] { aerial_from_world(meta); }) == Errc::missing_key);
    meta.aerial_from_ecef = Affine3{{Affine3::Row{1, 0, 0, 0}, {}, {}}};
    CHECK(error_code([&] { aerial_from_world(meta); }) == Errc::invalid_metadata);
  }

  TEST_CASE("the reference's image has 0.47379 m a pixel") {
    BEV_REQUIRE_GOLDENS();
    const auto meta = bev::map::parse_meta(
        bev::test::read_text(bev::test::goldens() + "/inputs/meta.json"));
    const AerialImage image(1, 1, aerial_from_world(meta));
    CHECK(std::abs(image.metres_per_pixel() - 0.47379) < 1e-5);
  }
}
