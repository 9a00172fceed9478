#include "core/futures/nuscenes_metrics.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"

namespace nuscenes_metrics_test {
namespace {

using namespace bev::futures;
using bev::Errc;
using bev::geom::Vec2;
using doctest::Approx;

/// Modes that stay at (0, 0), (1, 1), (2, 2) for five steps.
FuturesData three_modes() {
  FuturesData out;
  out.ids = {7};
  out.rollouts = 3;
  out.steps = 5;
  out.pose_values = 2;
  out.scores = {0.2F, 0.5F, 0.3F};
  out.is_joint = false;
  out.first_step = 1;
  for (int mode = 0; mode < 3; ++mode) {
    out.poses.insert(out.poses.end(), 10, static_cast<float>(mode));
  }
  return out;
}

/// (0, 1), (2, 3), ... (8, 9).
std::vector<Vec2> truth() {
  std::vector<Vec2> out;
  for (int t = 0; t < 5; ++t) out.push_back({2.0 * t, 2.0 * t + 1});
  return out;
}

TEST_SUITE("futures/nuscenes_metrics") {
  // Values of the devkit's own tests.
  TEST_CASE("the most probable modes are measured as the devkit measures them") {
    const auto modes = three_modes();
    const auto score = [&](std::size_t count) {
      return score_top_modes(modes.view(), truth(), count, 10);
    };
    CHECK(score(1).min_ade == Approx(5.33529).epsilon(1e-6));
    CHECK(score(2).min_ade == Approx(4.49286).epsilon(1e-6));
    CHECK(score(3).min_ade == Approx(4.49286).epsilon(1e-6));
    CHECK(score(1).min_fde == Approx(10.63014).epsilon(1e-6));
    CHECK(score(2).min_fde == Approx(9.21954).epsilon(1e-6));
    CHECK(score(3).min_fde == Approx(9.21954).epsilon(1e-6));
    CHECK(score(1).is_missed);
    CHECK_FALSE(score(2).is_missed);
    CHECK_FALSE(score(3).is_missed);
  }

  TEST_CASE("a single mode has the devkit's mean distance") {
    for (const auto& [mode, ade] :
         {std::pair(0, 6.45396), std::pair(1, 5.33529), std::pair(2, 4.49286)}) {
      auto modes = three_modes();
      modes.scores = {0, 0, 0};
      modes.scores[static_cast<std::size_t>(mode)] = 1;
      CHECK(score_top_modes(modes.view(), truth(), 1).min_ade ==
            Approx(ade).epsilon(1e-6));
    }
  }

  TEST_CASE("of equal probabilities the later comes first") {
    auto modes = three_modes();
    modes.scores = {0.5F, 0.5F, 0.5F};
    CHECK(score_top_modes(modes.view(), truth(), 1).min_ade ==
          Approx(4.49286).epsilon(1e-6));
    modes.scores = {0.5F, 0.5F, 0};
    CHECK(score_top_modes(modes.view(), truth(), 1).min_ade ==
          Approx(5.33529).epsilon(1e-6));
  }

  TEST_CASE("more modes than there are, are all") {
    const auto modes = three_modes();
    CHECK(score_top_modes(modes.view(), truth(), 10).min_ade ==
          score_top_modes(modes.view(), truth(), 3).min_ade);
  }

  TEST_CASE("a miss is by the farthest step, not the last") {
    auto modes = three_modes();
    modes.rollouts = 1;
    modes.scores = {1};
    modes.poses = {0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
    const std::vector<Vec2> still(5);
    CHECK(score_top_modes(modes.view(), still, 1).is_missed);
    modes.poses[2] = 1.99F;
    CHECK_FALSE(score_top_modes(modes.view(), still, 1).is_missed);
  }

  TEST_CASE("predictions without scores, truth or a single agent are refused") {
    auto modes = three_modes();
    const auto refused = [&](std::vector<Vec2> of) {
      return bev::test::error_code([&] { score_top_modes(modes.view(), of, 1); }) ==
             Errc::invalid_argument;
    };
    CHECK(refused({}));
    CHECK(refused({{0, 0}}));
    modes.scores.clear();
    CHECK(refused(truth()));
  }

  TEST_CASE("means are of the predictions whose steps are all recorded") {
    RecordedScenario recorded;
    auto& track = recorded.tracks.emplace_back();
    for (int t = 0; t < 7; ++t) {
      auto& state = track.states.emplace_back();
      state.is_valid = true;
      state.centre = {2.0 * (t - 1), 2.0 * (t - 1) + 1, 0};
    }
    NuscenesTotals one, other, all;
    auto modes = three_modes();
    one.add(modes.view(), {0}, recorded);
    CHECK(one.of(0).min_ade == Approx(5.33529).epsilon(1e-6));
    CHECK(one.of(1).min_ade == Approx(4.49286).epsilon(1e-6));
    CHECK(one.of(2).miss_rate == 1);
    modes.first_step = 3;  // ends after the recording
    other.add(modes.view(), {0}, recorded);
    other.add(modes.view(), {std::nullopt}, recorded);
    modes.first_step = 1;
    track.states[3].is_valid = false;
    other.add(modes.view(), {0}, recorded);
    CHECK(other.predictions() == 0);
    all.add(one);
    all.add(other);
    CHECK(all.predictions() == 1);
    CHECK(all.not_recorded() == 3);
    CHECK(all.of(0).min_fde == one.of(0).min_fde);
  }
}

}  // namespace
}  // namespace nuscenes_metrics_test
