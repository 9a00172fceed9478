#include "core/raster/aerial_layer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/small_render_input.hpp"

namespace aerial_layer_test {

using bev::Errc;
using bev::Error;
using bev::raster::AerialCropper;
using bev::raster::CropRequest;
using Bytes = std::vector<std::uint8_t>;
using bev::map::AerialImage;
using bev::raster::AerialLayer;
using bev::test::small_frame;
using bev::test::small_render_input;

namespace {

constexpr std::uint32_t kWidth = 60, kHeight = 50;

/// Each pixel encodes its position: red the column, green the row.
Bytes places() {
  Bytes out;
  for (std::uint32_t y = 0; y < kHeight; ++y) {
    for (std::uint32_t x = 0; x < kWidth; ++x) {
      out.push_back(static_cast<std::uint8_t>(4 * x));
      out.push_back(static_cast<std::uint8_t>(4 * y));
      out.push_back(255);
    }
  }
  return out;
}

CropRequest request(bev::geom::Vec2 centre) {
  return {.size = {8, 8},
          .centre = centre,
          .rotation_deg = 0.0,
          .pixel_size = 1,
          .image_pixel_size = 1};
}

Bytes cropped(const CropRequest& request) {
  const Bytes image = places();
  const auto size = static_cast<std::size_t>(request.size.width) *
                    static_cast<std::size_t>(request.size.height);
  Bytes out(3 * size);
  AerialCropper().crop({image, kWidth, kHeight}, request,
                       {out.data(), out.data() + size, out.data() + 2 * size});
  return out;
}

std::string refusal(const CropRequest& request, Errc expected) {
  try {
    cropped(request);
  } catch (const Error& error) {
    CHECK(error.code() == expected);
    return error.what();
  }
  return "no error";
}

constexpr std::uint32_t kSide = 200;

/// North is up: rows count from y = 100 m down, columns from x = -100 m; ten metres of
/// altitude shift one metre east. Red encodes the column, green the row.
std::shared_ptr<const AerialImage> image() {
  bev::geom::Affine3 aerial_from_world;
  aerial_from_world.rows[0] = {0, -1, 0, 100};
  aerial_from_world.rows[1] = {1, 0, 0.1, 100};
  std::vector<std::uint8_t> pixels;
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      pixels.insert(pixels.end(), {static_cast<std::uint8_t>(x),
                                   static_cast<std::uint8_t>(y), std::uint8_t{50}});
    }
  }
  return std::make_shared<const AerialImage>(kSide, kSide, std::move(pixels),
                                             aerial_from_world);
}

/// Returns red and green in the middle of the drawn image.
std::array<int, 2> middle(const bev::sample::RenderInput& input, bool origin_at_bottom,
                          AerialLayer::Options options = {}) {
  bev::sample::RasterFrame frame = small_frame();
  frame.set_origin_to_bottom = origin_at_bottom;
  const std::size_t size = 40 * 30;
  std::vector<std::uint8_t> out(3 * size);
  AerialLayer(image(), frame, options)
      .draw(input, {out.data(), out.data() + size, out.data() + 2 * size});
  return {out[15 * 40 + 20], out[size + 15 * 40 + 20]};
}

}  // namespace

TEST_SUITE("raster/aerial_layer") {
  TEST_CASE("the centre of the image is the centre of the crop, its fraction is lost") {
    for (const double fraction : {0.0, 0.75}) {
      const Bytes out = cropped(request({20 + fraction, 30 + fraction}));
      CHECK(out[4 * 8 + 4] == 4 * 30);
      CHECK(out[64 + 4 * 8 + 4] == 4 * 20);
    }
  }

  TEST_CASE("the fraction of the centre is kept where that is asked for") {
    CropRequest kept = request({20.5, 30.75});
    kept.keep_sub_pixel = true;
    const Bytes out = cropped(kept);
    CHECK(out[4 * 8 + 4] == 4 * 30 + 3);
    CHECK(out[64 + 4 * 8 + 4] == 4 * 20 + 2);
  }

  TEST_CASE("upside down the last row is the first") {
    CropRequest turned = request({20, 30});
    turned.upside_down = true;
    const Bytes up = cropped(request({20, 30})), down = cropped(turned);
    CHECK(down[64] == up[64 + 7 * 8]);
    CHECK(down[64 + 7 * 8] == up[64]);
  }

  TEST_CASE("a crop that touches the border is refused, in L5Kit's words") {
    // Rotation requires 12 source pixels for 8; the last row cannot be used.
    CHECK_NOTHROW(cropped(request({6, 6})));
    CHECK(refusal(request({4, 30}), Errc::out_of_range) ==
          "Satellite image crop (-2-10, 24-36) is out of bounds for satellite image of "
          "shape (50, 60, 3)");
    CHECK_NOTHROW(cropped(request({43, 53})));
    refusal(request({44, 30}), Errc::out_of_range);
    refusal(request({20, 54}), Errc::out_of_range);
    refusal(request({std::nan(""), 30}), Errc::out_of_range);
    refusal(request({1e300, 30}), Errc::out_of_range);
  }

  TEST_CASE("with padding it is black outside, and the same inside") {
    CropRequest padded = request({1, 30});
    padded.pad = true;
    const Bytes out = cropped(padded);
    CHECK(out[128 + 2 * 8 + 4] == 0);
    CHECK(out[128 + 3 * 8 + 4] == 255);
    CHECK(out[64 + 5 * 8 + 4] == 4 * 2);
    padded.centre = {std::numeric_limits<double>::infinity(), -1e300};
    CHECK(cropped(padded) == Bytes(192));
  }

  TEST_CASE("crops of no pixels, and of too many, are refused") {
    CropRequest one = request({20, 30});
    one.pixel_size = 0.01;
    CHECK(
        refusal(one, Errc::invalid_argument) ==
        "aerial image: invalid side of a crop (found 0.0 pixels, expected 1 to 23169)");
    one.pixel_size = 1e9;
    refusal(one, Errc::invalid_argument);
    one.pixel_size = std::nan("");
    refusal(one, Errc::invalid_argument);
  }

  TEST_CASE("the middle of the raster is where the map has it") {
    const auto at = middle(small_render_input({}, {20, -30}), true);
    CHECK(at == std::array<int, 2>{120, 130});
  }

  TEST_CASE("the height of the ego vehicle leads into the image") {
    auto input = small_render_input({}, {20, -30});
    input.ego_z = 50;
    CHECK(middle(input, true)[0] == 125);
  }

  TEST_CASE("ahead is to the right, whatever the heading") {
    auto input = small_render_input({}, {20, -30});
    input.yaw_rad = 1.5707963267948966;
    const std::size_t size = 40 * 30;
    std::vector<std::uint8_t> out(3 * size);
    auto frame = small_frame();
    frame.set_origin_to_bottom = true;
    AerialLayer(image(), frame, {})
        .draw(input, {out.data(), out.data() + size, out.data() + 2 * size});
    const auto green = [&](std::size_t x) { return int{out[size + 15 * 40 + x]}; };
    CHECK(green(36) < green(20));  // further north: a smaller row
    CHECK(green(4) > green(20));
    CHECK(out[15 * 40 + 36] == out[15 * 40 + 4]);
  }

  TEST_CASE("an agent's heading is a float32") {
    auto input = small_render_input({}, {20, -30}, 5);
    input.yaw_rad = static_cast<double>(0.3F);
    CHECK(middle(input, true)[0] == doctest::Approx(120).epsilon(0.02));
  }

  TEST_CASE("where y counts from the top, rows are reversed") {
    const std::size_t size = 40 * 30;
    std::vector<std::uint8_t> up(3 * size), down(3 * size);
    auto frame = small_frame();
    const auto input = small_render_input({}, {20, -30});
    AerialLayer(image(), frame, {})
        .draw(input, {up.data(), up.data() + size, up.data() + 2 * size});
    frame.set_origin_to_bottom = true;
    AerialLayer(image(), frame, {})
        .draw(input, {down.data(), down.data() + size, down.data() + 2 * size});
    for (std::size_t y = 0; y < 30; ++y) {
      CHECK(up[size + y * 40] == down[size + (29 - y) * 40]);
    }
  }

  TEST_CASE("near the border it is an error, or padded") {
    const auto corner = small_render_input({}, {-95, 95});
    CHECK_THROWS_AS(middle(corner, true), Error);
    CHECK(middle(corner, true, {.pad = true}) == std::array<int, 2>{5, 5});
  }
}

}  // namespace aerial_layer_test
