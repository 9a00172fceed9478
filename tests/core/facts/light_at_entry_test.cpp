#include "core/facts/light_at_entry.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <numbers>
#include <string_view>
#include <vector>

#include "tests/support/small_map.hpp"
#include "tests/support/split_map.hpp"

using namespace bev::facts;
using namespace bev::test;

namespace {

/// Lanes of junctions that go 10 m north: at x = 0 with lights, at x = 20 without, and
/// at x = 40 two on each other. At x = 60 and x = 64, neighbours before a junction.
LightsOfMap lights() {
  const auto one = Message().id(8, "R1").id(8, "Y1").id(8, "G1");
  const auto two = Message().id(8, "R2");
  const auto inside = [](Message lights) { return lights.id(1, "J"); };
  const std::vector<Message> elements = {lane("a", 0, inside(one)),
                                         lane("b", 20),
                                         lane("c", 40, inside(one)),
                                         lane("d", 41, inside(two)),
                                         lane("e", 60, one),
                                         lane("f", 64, two),
                                         control("R1", 11),
                                         control("Y1", 12),
                                         control("G1", 13),
                                         control("R2", 38),
                                         map_element("J", kJunction, Message())};
  return LightsOfMap(std::make_shared<const bev::map::SemanticMap>(
      bev::map::SemanticMap::parse(fragment(elements).span(), equator_meta())));
}

/// A path north at x, from y = -10 in frame 0, 10 m/s and 10 Hz, until frame 30.
Path north(double x, double yaw = std::numbers::pi / 2, std::uint32_t first = 0) {
  Path path;
  for (std::uint32_t k = first; k < 31; ++k) {
    path.steps.push_back(
        {k, std::int64_t{k} * 100'000'000, {x, -10.0 + k + 0.5}, yaw, 0});
  }
  path.rebuild();
  return path;
}

LightAtEntry found(const Path& path, std::vector<std::string_view> active) {
  std::uint32_t asked = 0;
  const auto out = lights().find(path, [&](std::uint32_t frame) {
    asked = frame;
    return active;
  });
  if (out.frame != kNoFrame) CHECK(asked == static_cast<std::uint32_t>(out.frame));
  return out;
}

}  // namespace

TEST_SUITE("facts/light_at_entry") {
  TEST_CASE("the light counts in the frame in which the lane is entered") {
    CHECK(found(north(0), {"R1"}).light == Light::red);
    CHECK(found(north(0), {"Y1"}).light == Light::yellow);
    CHECK(found(north(0), {"G1"}).light == Light::green);
    CHECK(found(north(0), {"G1"}).frame == 10);
    CHECK(found(north(0), {"G1", "R1"}).light == Light::red);
  }

  TEST_CASE("without an active face the light is unknown") {
    CHECK(found(north(0), {}).light == Light::unknown);
    CHECK(found(north(0), {"R2", "no such"}).light == Light::unknown);
    CHECK(found(north(0), {}).frame == 10);
  }

  TEST_CASE("lanes without lights, and lanes that are crossed, are not entered") {
    CHECK(found(north(20), {"R1"}).light == Light::none);
    CHECK(found(north(20), {"R1"}).frame == kNoFrame);
    CHECK(found(north(0, 0), {"R1"}).light == Light::none);
    CHECK(found(Path{}, {"R1"}).light == Light::none);
  }

  TEST_CASE("a path that begins on the lane does not enter it") {
    CHECK(found(north(0, std::numbers::pi / 2, 12), {"R1"}).light == Light::none);
  }

  TEST_CASE("before a junction, the end of the lane is the stop line") {
    CHECK(found(north(60), {"R1"}).light == Light::red);
    CHECK(found(north(60), {"R1"}).frame == 20);
    CHECK(found(north(60, 0), {"R1"}).light == Light::none);
    const auto from_lane = north(60, std::numbers::pi / 2, 12);
    CHECK(found(from_lane, {"Y1"}).frame == 20);
  }

  TEST_CASE("a car that stops at red is not found until it crosses the line") {
    auto path = north(60);
    // It stands before the line for 10 frames, then goes on.
    for (std::size_t k = 18; k < path.size(); ++k)
      path.steps[k].at.y = k < 28 ? 8.5 : 8.5 + static_cast<double>(k - 27);
    path.rebuild();
    CHECK(found(path, {"G1"}).frame == 29);
    path.steps.resize(28);
    path.rebuild();
    CHECK(found(path, {"R1"}).light == Light::none);
  }

  TEST_CASE("a change of lane crosses no stop line; backwards neither") {
    auto path = north(60);
    for (std::size_t k = 15; k < path.size(); ++k) path.steps[k].at.x = 64;
    path.rebuild();
    CHECK(found(path, {"R2"}).light == Light::red);
    CHECK(found(path, {"R1"}).light == Light::unknown);  // the line of lane f
    auto away = north(60);
    for (std::size_t k = 15; k < away.size(); ++k) away.steps[k].at.x = 70;
    away.rebuild();
    CHECK(found(away, {"R1"}).light == Light::none);
    auto back = north(60);
    for (auto& step : back.steps) step.at.y = 15 - step.at.y;
    back.rebuild();
    CHECK(found(back, {"R1"}).light == Light::none);
  }

  TEST_CASE("of several lanes the one that is driven on longest counts") {
    // Both contain x = 41; the path leaves lane c (38 to 42) to the right after 3 m.
    auto path = north(41);
    for (std::size_t k = 13; k < path.size(); ++k) path.steps[k].at.x = 42.5;
    path.rebuild();
    CHECK(found(path, {"R2"}).light == Light::red);
    CHECK(found(path, {"G1"}).light == Light::unknown);
    CHECK(found(north(41), {"G1"}).light == Light::green);  // the first of equals
  }

  TEST_CASE("of a map in parts, the one around the path counts") {
    const auto part = [](std::string_view light, std::int32_t x) {
      return std::make_shared<const bev::map::SemanticMap>(bev::map::SemanticMap::parse(
          fragment({lane("L", x, Message().id(8, light).id(1, "J")), control(light, 11),
                    map_element("J", kJunction, Message())})
              .span(),
          equator_meta()));
    };
    const LightsOfMap of_parts(split_map(
        {{{-50, -50, 50, 50}, part("R1", 0)}, {{50, -50, 150, 50}, part("R2", 100)}}));
    const auto red = [&](double x, std::string_view face) {
      return of_parts.find(north(x), [&](std::uint32_t) { return std::vector{face}; })
          .light;
    };
    CHECK(red(0, "R1") == Light::red);
    CHECK(red(0, "R2") == Light::unknown);
    CHECK(red(100, "R2") == Light::red);
    CHECK(red(300, "R2") == Light::none);
    CHECK(of_parts.find({}, {}).light == Light::none);
  }
}
