#include "core/raster/scene_picture.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <set>
#include <span>
#include <vector>

namespace scene_picture_test {

using bev::raster::PicturedMoment;
using bev::raster::ScenePicture;

namespace {

constexpr double kPi = 3.14159265358979323846;

std::vector<double> box_at(double x, double y, double half) {
  return {x - half, y - half, x + half, y - half,
          x + half, y + half, x - half, y + half};
}

/// The picture of an agent `ahead` and `left` of an ego vehicle with this heading.
std::vector<std::uint8_t> picture(double ahead, double left, std::uint8_t kind) {
  const auto ego = box_at(100, 50, 1);
  // The ego vehicle heads along world y.
  const auto agent = box_at(100 - left, 50 + ahead, 2);
  ScenePicture drawing(nullptr);
  const auto codes = drawing.draw({.ego = {100, 50},
                                   .yaw = kPi / 2,
                                   .ego_corners = ego,
                                   .corners = agent,
                                   .classes = {&kind, 1}});
  return {codes.begin(), codes.end()};
}

std::uint8_t at(const std::vector<std::uint8_t>& codes, int x, int y) {
  return codes[static_cast<std::size_t>(y) * 160 + static_cast<std::size_t>(x)];
}

}  // namespace

TEST_SUITE("raster/scene_picture") {
  TEST_CASE("the ego vehicle heads to the right, and what is left of it is above it") {
    const auto codes = picture(20, 10, 2);
    CHECK(codes.size() == 160 * 90);
    CHECK(at(codes, 56, 45) == 3 * 4 + 3);  // the ego vehicle
    CHECK(at(codes, 96, 25) == 3 * 2 + 3);  // a pedestrian
    CHECK(at(codes, 10, 10) == 0);
    CHECK(at(codes, 96, 65) == 0);
  }

  TEST_CASE("unknown classes are others; coordinates far away are not drawn") {
    CHECK(at(picture(20, 10, 77), 96, 25) == 3 * 3 + 3);
    for (const double far : {1e300, -1e12, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
      const auto codes = picture(far, 0, 0);
      CHECK(at(codes, 10, 10) == 0);
      CHECK(at(codes, 56, 45) == 3 * 4 + 3);
    }
  }

  TEST_CASE("without an ego vehicle, whose corners are not numbers, none is drawn") {
    const std::vector<double> none(8, std::numeric_limits<double>::quiet_NaN());
    ScenePicture drawing(nullptr);
    for (const auto code : drawing.draw({.ego = {100, 50}, .ego_corners = none})) {
      CHECK(code == 0);
    }
  }

  TEST_CASE("colours tell their codes, and are all different") {
    const auto palette = ScenePicture::palette();
    std::set<std::array<std::uint8_t, 3>> all;
    for (std::size_t code = 0; code < palette.size(); ++code) {
      const auto& [red, green, blue] = palette[code];
      CHECK(((red & 3) << 4 | (green & 3) << 2 | (blue & 3)) == code);
      all.insert(palette[code]);
    }
    CHECK(all.size() == ScenePicture::kCodes);
  }
}

}  // namespace scene_picture_test
