#include "core/futures/scene_futures.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/futures/own_form.hpp"
#include "core/futures/scores.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/waymo_futures.hpp"

namespace scene_futures_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;

/// The modes of one agent, of 16 steps along x.
FuturesData modes_of(std::uint64_t id, std::size_t modes, std::size_t steps = 16) {
  FuturesData out;
  out.scenario_id = "a";
  out.ids = {id};
  out.rollouts = modes;
  out.steps = steps;
  out.first_step = 15;
  out.step_stride = 5;
  out.pose_values = 2;
  out.is_joint = false;
  for (std::size_t r = 0; r < modes; ++r) {
    for (std::size_t t = 0; t < steps; ++t) out.poses.push_back(static_cast<float>(t));
    out.poses.insert(out.poses.end(), steps, static_cast<float>(id));
    out.scores.push_back(0.5F + static_cast<float>(r));
  }
  return out;
}

/// A scenario of two vehicles and a pedestrian at (0, 0), (0, 10) and (0, 20).
RecordedScenario recorded() {
  RecordedScenario out;
  out.id = "a";
  for (int i = 0; i < 91; ++i) out.times_s.push_back(i / 10.0 + (i % 2) / 1e5);
  out.current_time_index = 10;
  out.ego_index = 0;
  for (std::int64_t i = 0; i < 3; ++i) {
    auto& track = out.tracks.emplace_back();
    track.id = i + 1;
    track.type = i < 2 ? 1 : 2;
    track.states.resize(91);
    for (auto& state : track.states) {
      state.is_valid = true;
      state.centre = {0, 10.0 * static_cast<double>(i), 0};
      state.length = 4;
      state.width = 2;
      state.height = 1;
    }
  }
  out.predictions.push_back({1, 0});
  return out;
}

/// Two rollouts of the three: all stand, but agent 1 drives along x in the second.
FuturesData rollouts() {
  MadeScene standing, driving;
  for (const int id : {1, 2, 3}) {
    auto path = trajectory_along(id, 0, 10.0F * static_cast<float>(id - 1));
    if (id == 1) driving.push_back(path);
    path.x.assign(80, 0);
    standing.push_back(path);
    if (id != 1) driving.push_back(path);
  }
  return futures_of(submission_file({rollouts_message("a", {standing, driving})}))
      .at(0);
}

TEST_SUITE("futures/scene_futures") {
  TEST_CASE("futures of single agents are merged side by side") {
    const auto found = merged({modes_of(7, 2), modes_of(8, 1, 15)});
    CHECK(found.ids == std::vector<std::uint64_t>{7, 8});
    CHECK(found.rollouts == 2);
    CHECK(found.steps == 16);
    CHECK_FALSE(found.is_joint);
    const auto view = found.view();
    check(view, "merged");
    CHECK(view.poses.at(1, 0, 15, kX) == 15);
    CHECK(view.poses.at(0, 1, 14, kY) == 8);
    CHECK(view.is_valid(0, 1, 14));
    CHECK_FALSE(view.is_valid(0, 1, 15));
    CHECK_FALSE(view.is_valid(1, 1, 0));
    CHECK(view.scores.at(1, 0) == 1.5F);
    CHECK(view.scores.at(1, 1) == 0);
    CHECK(merged({modes_of(7, 3)}).valid.empty());
    CHECK(merged({modes_of(7, 2), modes_of(8, 2)}).valid.empty());
  }

  TEST_CASE("futures that do not match are not merged") {
    auto other = modes_of(8, 1);
    other.first_step = 11;
    CHECK(error_code([&] {
            merged({modes_of(7, 1), other});
          }) == Errc::invalid_metadata);
    CHECK(error_code([] { merged({}); }) == Errc::invalid_argument);
  }

  TEST_CASE("agents leave the lanes if they were on one") {
    const auto scenario = recorded();
    const auto joined =
        join_futures({rollouts()}, SubmissionKind::sim_agents, scenario);
    // Lanes are x below 5 m: agent 1 of the second rollout is beyond from step 40 on.
    const auto found =
        lane_departures(joined.futures.view(), joined.rows, scenario,
                        [](bev::geom::Vec2 at) { return at.x < 5 && at.y < 5; });
    const std::vector<std::int32_t> expected{-1, kNotJudged, kNotJudged,
                                             40, kNotJudged, kNotJudged};
    CHECK(found.step == expected);
  }

  TEST_CASE(
      "joined futures have recorded sizes, measures and the number of mismatches") {
    const auto joined =
        join_futures({rollouts()}, SubmissionKind::sim_agents, recorded(), {1, 2, 0});
    CHECK(joined.report.text() ==
          "wrong number of rollouts or modes: 1 (a: found 2, expected 32)\n");
    CHECK(joined.futures.sizes == std::vector<float>{4, 2, 1, 4, 2, 1, 4, 2, 1});
    CHECK(joined.futures.origin.x == 1);
    CHECK(joined.evaluated == std::vector<std::size_t>{0, 1});
    REQUIRE(joined.collisions);
    CHECK(joined.collisions->step == std::vector<std::int32_t>(6, -1));
    const LaneDepartures left{{-1, -1, -1, 40, -1, kNotJudged}};
    const auto found = summaries(joined, &left);
    REQUIRE(found.size() == 2);
    CHECK(found[0].ade == doctest::Approx(std::sqrt(5.0)));  // moved by (1, 2)
    CHECK(found[0].leaving_lanes == 0);
    CHECK(found[1].leaving_lanes == 1);
    CHECK(*found[1].ade > *found[0].ade);
  }

  TEST_CASE("measures end so many seconds after the current step") {
    const auto scenario = recorded();
    auto joined = join_futures({rollouts()}, SubmissionKind::sim_agents, scenario);
    const auto whole = summaries(joined, nullptr);
    const auto x_at = [&](std::size_t step) {
      return joined.futures.view().position(1, 0, step).x;
    };
    const LaneDepartures left{{-1, -1, -1, 40, -1, kNotJudged}};
    measure_until(joined, scenario, 1);  // steps 0 to 9 are frames 11 to 20
    CHECK(joined.measured_steps == 10);
    auto found = summaries(joined, &left);
    CHECK(found[1].fde == doctest::Approx(x_at(9) / 2));
    CHECK(found[1].leaving_lanes == 0);
    CHECK(score_of(joined, &left).off_lane_rate == 0.0);
    measure_until(joined, scenario, 5.1);
    found = summaries(joined, &left);
    CHECK(found[1].fde == doctest::Approx(x_at(50) / 2));
    CHECK(found[1].leaving_lanes == 1);
    CHECK(score_of(joined, &left).off_lane_rate == doctest::Approx(1.0 / 4));
    measure_until(joined, scenario, std::nullopt);
    CHECK(summaries(joined, nullptr)[1].ade == whole[1].ade);
  }

  TEST_CASE("measures follow the recorded times, also at another rate") {
    auto scenario = recorded();
    for (auto& time : scenario.times_s) time *= 5;  // 2 frames per second
    auto joined = join_futures({rollouts()}, SubmissionKind::sim_agents, scenario);
    CHECK(seconds_ahead(joined, scenario) == doctest::Approx(40));
    measure_until(joined, scenario, 3);
    CHECK(joined.measured_steps == 6);
  }

  TEST_CASE("nothing is measured beyond the end of the futures") {
    const auto scenario = recorded();
    auto joined = join_futures({rollouts()}, SubmissionKind::sim_agents, scenario);
    const LaneDepartures left{{-1, -1, -1, 40, -1, kNotJudged}};
    CHECK(seconds_ahead(joined, scenario) == doctest::Approx(8));
    measure_until(joined, scenario, 8);
    CHECK(joined.measured_steps == 80);
    measure_until(joined, scenario, 9);
    CHECK_FALSE(joined.has_measures());
    const auto score = score_of(joined, &left);
    CHECK_FALSE(score.ade);
    CHECK_FALSE(score.collision_rate);
    CHECK_FALSE(score.off_lane_rate);
    // At two steps per second, 1 s is the second step.
    auto modes = join_futures({modes_of(2, 1)}, SubmissionKind::motion, scenario);
    measure_until(modes, scenario, 1);
    CHECK(modes.measured_steps == 2);
  }

  TEST_CASE("displacement curves are means of the evaluated agents, and the least") {
    auto scenario = recorded();
    auto& truth = scenario.tracks[1].states;
    truth[30].is_valid = false;  // step 19 of agent 2
    const auto joined =
        join_futures({rollouts()}, SubmissionKind::sim_agents, scenario);
    const auto found = displacement_curves(joined, scenario);
    REQUIRE(found.mean.size() == 2 * 80);
    REQUIRE(found.least.size() == 80);
    const auto x_at = [&](std::size_t step) {
      return joined.futures.view().position(1, 0, step).x;
    };
    CHECK(found.mean[18] == 0);
    CHECK(found.mean[80 + 18] == doctest::Approx(x_at(18) / 2));
    CHECK(found.mean[80 + 19] == doctest::Approx(x_at(19)));
    CHECK(found.least[79] == 0);
    // Of single agents the least is each agent's own: modes 1 m apart.
    auto modes = modes_of(2, 2);
    for (std::size_t t = 0; t < 16; ++t) modes.poses[t] += 1;
    const auto single = join_futures({modes}, SubmissionKind::motion, recorded());
    const auto curves = displacement_curves(single, recorded());
    CHECK(curves.least[4] ==
          doctest::Approx(std::fmin(curves.mean[4], curves.mean[16 + 4])));
    CHECK(curves.least[4] < curves.mean[4]);
  }

  TEST_CASE("collisions are found when they are asked for") {
    const auto scenario = recorded();
    auto joined = join_unmeasured({rollouts()}, SubmissionKind::sim_agents, scenario);
    CHECK_FALSE(joined.collisions);
    CHECK(joined.evaluated == std::vector<std::size_t>{0, 1});
    find_collisions(joined);
    REQUIRE(joined.collisions);
    CHECK(joined.collisions->step == std::vector<std::int32_t>(6, -1));
  }

  TEST_CASE(
      "motion predictions have no collisions, and all their agents are measured") {
    const auto joined =
        join_futures({modes_of(2, 3)}, SubmissionKind::motion, recorded());
    CHECK_FALSE(joined.collisions);
    CHECK(joined.evaluated == std::vector<std::size_t>{0});
    CHECK(joined.report.text() == "");
    CHECK(joined.futures.sizes.empty());
  }

  TEST_CASE("our own form is joined, and AV has the number of the ego vehicle") {
    auto data = rollouts();
    data.ids[0] = kEgoId;
    const auto found =
        join_futures({data}, SubmissionKind::futures, recorded(), {0, 0, 0});
    CHECK(found.futures.ids[0] == 1);
    CHECK(found.report.count() == 0);
    CHECK(found.evaluated == std::vector<std::size_t>{0, 1});
  }

  TEST_CASE("sizes without headings make no boxes") {
    auto data = modes_of(2, 3);
    data.sizes = {4, 2, 1};
    const auto found = join_futures({data}, SubmissionKind::predictions, recorded());
    CHECK(found.futures.sizes.empty());
  }

  TEST_CASE("without evaluated agents, all agents of our own form are measured") {
    auto scenario = recorded();
    scenario.predictions.clear();
    scenario.ego_index = -1;
    const auto found = join_futures({rollouts()}, SubmissionKind::futures, scenario);
    CHECK(found.evaluated == std::vector<std::size_t>{0, 1, 2});
  }
}

}  // namespace
}  // namespace scene_futures_test
