#include "native/town/sensor.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace bev::town;

namespace {

// Cars on a line, ten metres apart, starting at 10 m.
std::vector<WorldObject> cars(std::size_t count) {
  std::vector<WorldObject> out;
  for (std::size_t i = 0; i < count; ++i) {
    WorldObject object;
    object.identity = i;
    object.label = Label::car;
    object.at = {10.0 * static_cast<double>(i + 1), 0};
    object.velocity = {3, 4};
    object.length = 4.5;
    out.push_back(object);
  }
  return out;
}

}  // namespace

TEST_SUITE("town/sensor") {
  TEST_CASE("objects out of range are recorded only up to the minimum") {
    const auto all = cars(12);
    Sensor sharp(Random(1), {.metres = 55, .min_objects = 0, .max_objects = 100});
    CHECK(sharp.look({0, 0}, all).size() == 5);
    Sensor eager(Random(1), {.metres = 55, .min_objects = 8, .max_objects = 100});
    CHECK(eager.look({0, 0}, all).size() == 8);
    Sensor full(Random(1), {.metres = 55, .min_objects = 0, .max_objects = 3});
    CHECK(full.look({0, 0}, all).size() == 3);
  }

  TEST_CASE("a record is near the truth and sums to one") {
    Sensor sensor(Random(2), {.metres = 100, .min_objects = 0, .max_objects = 100});
    const auto all = cars(5);
    for (int frame = 0; frame < 50; ++frame) {
      for (const auto& agent : sensor.look({0, 0}, all)) {
        const double nearest = std::round(agent.centroid[0] / 10) * 10;
        CHECK(std::fabs(agent.centroid[0] - nearest) < 0.3);
        CHECK(std::fabs(agent.centroid[1]) < 0.3);
        CHECK(agent.extent[0] == doctest::Approx(4.5).epsilon(0.2));
        CHECK(agent.velocity[1] == 4.0F);
        float sum = 0;
        for (const float share : agent.label_probabilities) sum += share;
        CHECK(sum == doctest::Approx(1));
        CHECK(agent.label_probabilities[3] > 0.5F);
      }
    }
  }

  TEST_CASE("a track keeps its number while it is seen, and gets another after a gap") {
    Sensor sensor(Random(3), {.metres = 55, .min_objects = 0, .max_objects = 100});
    auto one = cars(1);
    const auto first = sensor.look({0, 0}, one).at(0).track_id;
    CHECK(first == 1);
    CHECK(sensor.look({0, 0}, one).at(0).track_id == first);
    one[0].at = {80, 0};
    CHECK(sensor.look({0, 0}, one).empty());
    one[0].at = {40, 0};
    CHECK(sensor.look({0, 0}, one).at(0).track_id == 2);
  }

  TEST_CASE("numbers of a frame ascend and differ") {
    Sensor sensor(Random(4), {.metres = 500, .min_objects = 0, .max_objects = 100});
    const auto agents = sensor.look({0, 0}, cars(30));
    for (std::size_t i = 1; i < agents.size(); ++i) {
      CHECK(agents[i - 1].track_id < agents[i].track_id);
    }
  }

  TEST_CASE("unknown objects are below the usual threshold") {
    Sensor sensor(Random(5), {.metres = 100, .min_objects = 0, .max_objects = 100});
    auto one = cars(1);
    one[0].label = Label::unknown;
    const auto agent = sensor.look({0, 0}, one).at(0);
    float kept = 0;
    for (std::size_t i = 3; i < 16; ++i) kept += agent.label_probabilities[i];
    CHECK(kept < 0.5F);
  }
}
