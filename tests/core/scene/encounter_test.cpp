#include "core/scene/encounter.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

using namespace bev::scene;

namespace {

/// A path along x at 10 Hz in these frames.
Path path_in(const std::vector<std::uint32_t>& frames, double metres_per_frame) {
  Path path;
  for (const auto frame : frames) {
    path.steps.push_back(
        {frame, frame * 100'000'000LL, {metres_per_frame * frame, 0}, 0, 0});
  }
  path.rebuild();
  return path;
}

}  // namespace

TEST_SUITE("scene/encounter") {
  TEST_CASE("two paths meet in the frames that both have") {
    const auto ego = path_in({1, 2, 4, 5, 9}, 1), track = path_in({0, 2, 3, 5, 7}, 1);
    std::vector<std::pair<std::size_t, std::size_t>> seen;
    for_each_encounter(ego, track, [&](const Encounter& at) {
      seen.push_back({at.ego, at.track});
    });
    CHECK(seen == std::vector<std::pair<std::size_t, std::size_t>>{{1, 1}, {3, 3}});
    for_each_encounter(ego, Path{}, [](const Encounter&) { CHECK(false); });
    for_each_encounter(Path{}, track, [](const Encounter&) { CHECK(false); });
  }

  TEST_CASE("the relative velocity is the track's minus that of the ego vehicle") {
    const auto ego = path_in({0, 1, 2, 3, 4}, 1), track = path_in({0, 1, 2, 3, 4}, 0.5);
    CHECK(relative_velocity(ego, track, {2, 2}).x == doctest::Approx(-5));
    const auto brief = path_in({2, 3}, 1);  // too short for a velocity
    CHECK(std::isnan(relative_velocity(ego, brief, {2, 0}).x));
  }

  TEST_CASE("rectangles have the size of the record, or of L5Kit's ego vehicle") {
    const Step step{0, 0, {3, 4}, 0, 0};
    CHECK(rectangle(step, {4, 2, 9}).half_length == 2);
    CHECK(rectangle(step, {4, 2, 9}).half_width == 1);
    CHECK(ego_rectangle(step).half_length == doctest::Approx(2.435));
    CHECK(ego_rectangle(step).half_width == doctest::Approx(0.925));
    CHECK(ego_rectangle(step).centre == bev::geom::Vec2{3, 4});
  }
}
