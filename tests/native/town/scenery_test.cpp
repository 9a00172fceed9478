#include "native/town/scenery.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "native/town/aerial.hpp"
#include "tests/native/town/town_plan.hpp"

using namespace bev::town;

namespace {

/// The nearest road, and the distance from its centre line.
struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  const Road* road = nullptr;
};

Nearest nearest_road(Vec2 at) {
  Nearest found;
  for (const Road& road : town_plan().roads) {
    for (const Vec2& point : road.centre.points()) {
      const double distance = length(point - at);
      if (distance < found.distance) found = {distance, &road};
    }
  }
  return found;
}

}  // namespace

TEST_SUITE("town/scenery") {
  TEST_CASE("cars are parked along streets with parking, parallel to them") {
    Random random(5);
    const auto cars = park_cars(town_plan(), random, 1);
    REQUIRE(cars.size() > 100);
    for (const auto& car : cars) {
      const auto [distance, road] = nearest_road(car.at);
      REQUIRE(road != nullptr);
      CHECK_FALSE(road->avenue);
      const double lane_edge = widths(false).lane + widths(false).bicycle;
      CHECK(distance > lane_edge);
      CHECK(distance < road->half_width);
      CHECK(length(car.direction) == doctest::Approx(1));
      CHECK(car.length > car.width);
    }
  }

  TEST_CASE("the number of parked cars follows the density") {
    const auto count = [](double density) {
      Random random(5);
      return park_cars(town_plan(), random, density).size();
    };
    CHECK(count(0) == 0);
    CHECK(count(0.5) < count(1));
  }

  TEST_CASE("houses and clutter are off the roads") {
    Random random(6);
    const auto houses = build_houses(town_plan(), random);
    CHECK(houses.size() > 100);
    for (const auto& house : houses) {
      const auto found = nearest_road(house.at);
      CHECK(found.distance > found.road->half_width + kSidewalk);
    }
    const auto clutter = place_clutter(town_plan(), random);
    CHECK(clutter.size() > 50);
    for (const auto& thing : clutter) {
      CHECK(thing.length <= 1.8);
      const auto found = nearest_road(thing.at);
      CHECK(found.distance > found.road->half_width);
    }
  }

  TEST_CASE("parks have trees and no houses") {
    Random random(7);
    const auto trees = plant_trees(town_plan(), random);
    const auto houses = build_houses(town_plan(), random);
    const auto in_block = [](Vec2 at, const std::array<Vec2, 4>& block) {
      for (std::size_t i = 0; i < 4; ++i) {
        const Vec2 side = block[(i + 1) % 4] - block[i];
        if (cross(side, at - block[i]) < 0) return false;
      }
      return true;
    };
    const auto count_in = [&](const std::vector<StaticObject>& all, std::size_t block) {
      return std::count_if(all.begin(), all.end(), [&](const StaticObject& object) {
        return in_block(object.at, town_plan().blocks[block]);
      });
    };
    CHECK(std::count(town_plan().parks.begin(), town_plan().parks.end(), true) == 4);
    for (std::size_t i = 0; i < town_plan().blocks.size(); ++i) {
      if (!town_plan().parks[i]) continue;
      CHECK(count_in(houses, i) == 0);
      CHECK(count_in(trees, i) >= 90);
    }
  }

  TEST_CASE("the aerial image covers the town, with a margin") {
    const auto frame = aerial_frame(town_plan(), 2);
    const double right = frame.top_left.x + frame.columns * frame.metres_per_pixel;
    const double bottom = frame.top_left.y - frame.rows * frame.metres_per_pixel;
    for (const Node& node : town_plan().nodes) {
      CHECK(node.at.x - frame.top_left.x >= 90);
      CHECK(frame.top_left.y - node.at.y >= 90);
      CHECK(right - node.at.x >= 90);
      CHECK(node.at.y - bottom >= 90);
    }
  }

  TEST_CASE("the aerial image depends on the seed only") {
    const auto frame = aerial_frame(town_plan(), 4);
    const auto pixels = [&](std::uint64_t seed) {
      const Canvas canvas = paint_aerial(town_plan(), frame, seed);
      return std::vector<std::uint8_t>(canvas.pixels().begin(), canvas.pixels().end());
    };
    CHECK(pixels(1) == pixels(1));
    CHECK(pixels(1) != pixels(2));
  }
}
