#include "core/raster/aerial_crop.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/base/error.hpp"

using bev::Errc;
using bev::Error;
using bev::raster::AerialCropper;
using bev::raster::CropRequest;
using Bytes = std::vector<std::uint8_t>;

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
          .picture_pixel_size = 1};
}

Bytes cropped(const CropRequest& request) {
  const Bytes picture = places();
  const auto size = static_cast<std::size_t>(request.size.width) *
                    static_cast<std::size_t>(request.size.height);
  Bytes out(3 * size);
  AerialCropper().crop({picture, kWidth, kHeight}, request,
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

}  // namespace

TEST_SUITE("raster/aerial_crop") {
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
    CHECK(refusal(one, Errc::invalid_argument) ==
          "aerial image: a crop of 0.0 pixels, expected 1 to 23169");
    one.pixel_size = 1e9;
    refusal(one, Errc::invalid_argument);
    one.pixel_size = std::nan("");
    refusal(one, Errc::invalid_argument);
  }
}
