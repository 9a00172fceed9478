#include "core/futures/motion_metrics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tests/support/waymo_futures.hpp"

namespace motion_metrics_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using Kind = MotionSample::Kind;

constexpr auto kVehicle = AgentType::vehicle;
constexpr auto kPedestrian = AgentType::pedestrian;
constexpr float kConfidences[] = {0.3F, 0.25F, 0.2F, 0.1F, 0.1F, 0.05F};

/// The vehicle 1, which goes straight at 10 m/s, and the pedestrian 2, far away, which
/// stands; both always valid.
RecordedScenario two_agents() {
  RecordedScenario out;
  out.id = "two";
  out.times_s.resize(91);
  out.current_time_index = 10;
  out.tracks.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    auto& track = out.tracks[i];
    track.id = static_cast<int>(i + 1);
    track.type = i + 1;
    for (int step = 0; step < 91; ++step) {
      bev::convert::waymo::State state;
      state.is_valid = true;
      state.length = i == 0 ? 4.F : 1.F;
      state.width = i == 0 ? 2.F : 1.F;
      state.centre = {i == 0 ? step : 0.0, i == 0 ? 0.0 : 500.0, 0};
      state.velocity_x = i == 0 ? 10.F : 0.F;
      track.states.push_back(state);
    }
  }
  out.predictions = {{0, 1}, {1, 1}};
  return out;
}

/// A mode of both agents as recorded, moved by (x, y).
MadeMode recorded_mode(const RecordedScenario& scenario, float confidence, float x = 0,
                       float y = 0) {
  MadeMode out{confidence, {}};
  for (const auto& track : scenario.tracks) {
    auto& path = out.agents.emplace_back();
    path.id = static_cast<std::int32_t>(track.id);
    for (std::size_t step = 15; step <= 90; step += 5) {
      path.x.push_back(static_cast<float>(track.states[step].centre.x) + x);
      path.y.push_back(static_cast<float>(track.states[step].centre.y) + y);
    }
  }
  return out;
}

/// Returns the mode of one agent of a joint mode.
std::vector<MadeMode> only(std::vector<MadeMode> modes, std::size_t agent) {
  for (auto& mode : modes) mode.agents = {mode.agents[agent]};
  return modes;
}

std::vector<MotionScore> scores_of(const std::string& message,
                                   const RecordedScenario& scenario,
                                   const JoinRules& rules) {
  const auto list = futures_of(submission_file({message}));
  std::vector<Futures> views;
  for (const auto& one : list) views.push_back(one.view());
  JoinReport report;
  const auto rows = joined_agents(views, scenario, rules, report);
  REQUIRE(report.text() == "");
  std::vector<MotionScore> out;
  for (std::size_t i = 0; i < views.size(); ++i) {
    out.push_back(score_motion(views[i], rows[i], scenario));
  }
  return out;
}

MotionScore joint_score(const std::vector<MadeMode>& modes,
                        const RecordedScenario& scenario) {
  return scores_of(interaction_message(scenario.id, modes), scenario,
                   interaction_rules())
      .at(0);
}

MotionTotals totals_of(const std::vector<MotionScore>& scores) {
  MotionTotals out;
  for (const auto& one : scores) out.add(one);
  return out;
}

/// The modes that the first six rollouts of the real submission are.
std::vector<MadeMode> real_modes(const std::vector<std::uint64_t>& ids) {
  const auto data = futures_of(real_submission());
  std::vector<MadeMode> out;
  for (std::size_t r = 0; r < 6; ++r) {
    out.push_back(mode_of(data.at(0).view(), r, ids, kConfidences[r]));
  }
  return out;
}

std::vector<MotionScore> real_scores(const RecordedScenario& scenario) {
  const auto modes = real_modes({2320, 1676, 1675});
  return scores_of(
      motion_message(scenario.id, {only(modes, 0), only(modes, 1), only(modes, 2)}),
      scenario, motion_rules());
}

void check_near(std::optional<double> found, double expected) {
  REQUIRE(found);
  CHECK(std::fabs(*found - expected) < 1e-5);
}

}  // namespace

TEST_SUITE("futures/motion_metrics") {
  TEST_CASE("a prediction as recorded has no error and is no miss") {
    const auto scenario = two_agents();
    const auto score = joint_score({recorded_mode(scenario, 1)}, scenario);
    CHECK(score.type == kPedestrian);  // comes before a vehicle
    CHECK(score.shape == PathShape::straight);
    for (const auto& one : score.horizons) {
      CHECK(one.min_ade == 0);
      CHECK(one.min_fde == 0);
      CHECK(one.is_missed == false);
      CHECK_FALSE(one.overlaps);
      REQUIRE(one.samples.size() == 1);
      CHECK(one.samples[0].kind == Kind::match);
    }
  }

  TEST_CASE("the least of the modes' mean errors counts, of the first six") {
    const auto scenario = two_agents();
    std::vector<MadeMode> modes(6, recorded_mode(scenario, 0.1F, 3, 4));
    modes[4] = recorded_mode(scenario, 0.1F, 0, 2);
    const auto score = joint_score(modes, scenario);
    CHECK(score.horizons[0].min_ade == 2);
    CHECK(score.horizons[2].min_fde == 2);
  }

  TEST_CASE("limits are along and across the heading, and half for slow agents") {
    const auto scenario = two_agents();
    // At 10 m/s the limits of 3 s are 0.948 m across and 1.896 m along.
    const auto is_missed = [&](std::size_t agent, float x, float y) {
      const auto modes = only({recorded_mode(scenario, 1, x, y)}, agent);
      const auto other = only({recorded_mode(scenario, 1)}, 1 - agent);
      const auto scores =
          scores_of(motion_message("two", {modes, other}), scenario, motion_rules());
      return scores[0].horizons[0].is_missed.value();
    };
    CHECK_FALSE(is_missed(0, 1.89F, 0.94F));
    CHECK(is_missed(0, 1.9F, 0));
    CHECK(is_missed(0, 0, 0.95F));
    CHECK_FALSE(is_missed(1, 1, 0.5F));  // stands: 0.5 m and 1 m
    CHECK(is_missed(1, 0, 0.51F));
    CHECK(is_missed(1, 1.01F, 0));
  }

  TEST_CASE(
      "of equal modes the first match counts, and soft precision ignores others") {
    const auto scenario = two_agents();
    const auto hit = recorded_mode(scenario, 0.5F),
               miss = recorded_mode(scenario, 0.75F, 9);
    const auto score = joint_score({hit, miss, hit}, scenario);
    const auto& samples = score.horizons[0].samples;
    REQUIRE(samples.size() == 3);
    CHECK(samples[0].kind == Kind::miss);
    CHECK(samples[1].kind == Kind::match);
    CHECK(samples[2].kind == Kind::repeated_match);
    // In the pooled order, misses of equal confidence come first.
    CHECK(average_precision(samples, 1, false) == doctest::Approx(1 / 3.0));
    CHECK(average_precision(samples, 1, true) == doctest::Approx(0.5));
  }

  TEST_CASE(
      "only the likeliest mode's boxes are tested for overlaps, until the horizon") {
    auto scenario = two_agents();
    for (std::size_t step = 0; step < 91; ++step) {
      scenario.tracks[1].states[step].centre = {45, 0,
                                                0};  // the vehicle is there at 45
    }
    const auto near = recorded_mode(scenario, 0.6F);
    const auto far = recorded_mode(scenario, 0.4F, 0, 50);
    const auto single = [&](const std::vector<MadeMode>& modes) {
      return scores_of(motion_message("two", {only(modes, 0), only({near}, 1)}),
                       scenario, motion_rules())
          .at(0);
    };
    const auto score = single({far, near});
    CHECK_FALSE(score.horizons[0].overlaps);  // frame 40
    CHECK(score.horizons[1].overlaps);
    CHECK(score.horizons[2].overlaps);
    auto likely = far;
    likely.confidence = 0.6F;  // equal: the first
    CHECK_FALSE(single({likely, near}).horizons[2].overlaps);
    scenario.tracks[1].states[10].is_valid = false;  // not known when predicting
    CHECK_FALSE(single({far, near}).horizons[2].overlaps);
  }

  TEST_CASE("what is not recorded is not measured") {
    auto scenario = two_agents();
    for (std::size_t step = 41; step < 91; ++step) {
      scenario.tracks[0].states[step].is_valid = false;
    }
    const auto score = joint_score({recorded_mode(scenario, 1)}, scenario);
    CHECK(score.horizons[0].min_fde == 0);
    CHECK(score.horizons[1].min_ade == 0);
    CHECK_FALSE(score.horizons[1].min_fde);
    CHECK_FALSE(score.horizons[1].is_missed);
    CHECK(score.horizons[1].samples.empty());
    const auto totals = totals_of({score});
    CHECK(totals.of(kPedestrian, 1).predictions == 1);
    CHECK_FALSE(totals.of(kPedestrian, 1).min_fde);
    CHECK_FALSE(totals.of(kPedestrian, 1).mean_average_precision);
    CHECK(totals.of(kVehicle, 0).predictions == 0);
    CHECK_FALSE(totals.of(kVehicle, 0).min_ade);
  }

  TEST_CASE("paths have the shapes of the reference") {
    const auto shape = [](double x, double y, float heading, float speed) {
      auto scenario = two_agents();
      auto& states = scenario.tracks[0].states;
      for (auto& state : states) state.velocity_x = speed;
      states[90].centre = {states[10].centre.x + x, y, 0};
      states[90].heading = heading;
      const auto modes = only({recorded_mode(scenario, 1)}, 0);
      const auto other = only({recorded_mode(scenario, 1)}, 1);
      return scores_of(motion_message("two", {modes, other}), scenario, motion_rules())
          .at(0)
          .shape.value();
    };
    CHECK(shape(2, 2, 3, 1) == PathShape::stationary);
    CHECK(shape(2, 2, 0, 2) == PathShape::straight);
    CHECK(shape(50, 2.4, 0.5F, 10) == PathShape::straight);
    CHECK(shape(50, 2.5, 0.5F, 10) == PathShape::straight_left);
    CHECK(shape(50, -9, -0.5F, 10) == PathShape::straight_right);
    CHECK(shape(50, 9, 0.6F, 10) == PathShape::left_turn);
    CHECK(shape(50, -9, -1.5F, 10) == PathShape::right_turn);
    CHECK(shape(-5, 9, 3, 10) == PathShape::left_u_turn);
    CHECK(shape(-5, -9, 3, 10) == PathShape::right_turn);  // counts as one
  }

  TEST_CASE("average precision has the values of Waymo's own tests") {
    const auto samples = [](std::initializer_list<std::pair<float, bool>> list) {
      std::vector<MotionSample> out;
      for (const auto& [confidence, is_match] : list) {
        out.push_back({confidence, is_match ? Kind::match : Kind::miss});
      }
      return out;
    };
    CHECK(average_precision(samples({{0.3F, true},
                                     {0.7F, true},
                                     {0.4F, false},
                                     {0.8F, true},
                                     {0.5F, false},
                                     {0.2F, false}}),
                            4, false) == doctest::Approx(0.65));
    CHECK(average_precision(samples({{0.8F, true},
                                     {0.5F, false},
                                     {0.5F, true},
                                     {0.5F, true},
                                     {0.5F, false},
                                     {0.5F, false}}),
                            6, false) == doctest::Approx(1.0 / 3));
    CHECK(average_precision({}, 3, false) == 0);
  }

  TEST_CASE("other steps, no scores and agents that are not recorded are refused") {
    const auto scenario = two_agents();
    auto data =
        futures_of(
            submission_file({interaction_message("two", {recorded_mode(scenario, 1)})}))
            .at(0);
    const auto score = [&](const TrackRows& rows) {
      return score_motion(data.view(), rows, scenario);
    };
    CHECK_NOTHROW(score({0, 1}));
    CHECK_THROWS_WITH_AS(score({0, std::nullopt}),
                         "motion metrics: scenario two: agent 2 is not recorded",
                         bev::Error);
    CHECK_THROWS_WITH_AS(
        score({0}),
        "motion metrics: scenario two: wrong number of rows (found 1, expected 2)",
        bev::Error);
    data.first_step = 11;
    CHECK_THROWS_WITH_AS(
        score({0, 1}),
        "motion metrics: scenario two: wrong steps (found 16 from 11 by "
        "5, expected 16 from 15 by 5)",
        bev::Error);
    data.first_step = 15;
    data.scores.clear();
    CHECK_THROWS_WITH_AS(score({0, 1}), "motion metrics: scenario two: no scores",
                         bev::Error);
  }

  TEST_CASE("the metrics of the real scenario are those of Waymo's own code") {
    BEV_REQUIRE_WAYMO();
    const auto totals = totals_of(real_scores(real_scenario()));
    const double vehicle[3][5] = {{1.755132, 3.373333, 1, 0, 0},
                                  {3.219109, 5.646343, 0.5, 0, 0.083333},
                                  {4.195988, 9.169712, 1, 0, 0}};
    const double pedestrian[3][5] = {{0.219113, 0.275233, 0, 1, 1},
                                     {0.399712, 0.376362, 0, 1, 1},
                                     {0.608689, 1.222487, 0, 1, 0.2}};
    for (std::size_t i = 0; i < 3; ++i) {
      for (const auto type : {kVehicle, kPedestrian}) {
        const auto* expected = type == kVehicle ? vehicle[i] : pedestrian[i];
        const auto found = totals.of(type, i);
        check_near(found.min_ade, expected[0]);
        check_near(found.min_fde, expected[1]);
        check_near(found.miss_rate, expected[2]);
        check_near(found.overlap_rate, expected[3]);
        check_near(found.mean_average_precision, expected[4]);
      }
      CHECK(totals.of(AgentType::cyclist, i).predictions == 0);
    }
  }

  TEST_CASE(
      "the measures of each agent of the real scenario are those of Waymo's code") {
    BEV_REQUIRE_WAYMO();
    const auto scores = real_scores(real_scenario());  // 2320, 1676, 1675
    CHECK(scores[1].shape == PathShape::straight);
    CHECK(scores[2].shape == PathShape::straight_right);
    const auto& straight = scores[1].horizons;
    check_near(straight[0].min_ade, 0.892963);
    check_near(straight[0].min_fde, 1.208908);
    CHECK(straight[0].is_missed == true);
    check_near(straight[1].min_ade, 1.546862);
    check_near(straight[1].min_fde, 2.294868);
    CHECK(straight[1].is_missed == false);
    check_near(straight[2].min_ade, 1.970544);
    CHECK_FALSE(straight[2].min_fde);  // the recording ends at step 85
    CHECK_FALSE(straight[2].is_missed);
    const auto& right = scores[2].horizons;
    check_near(right[0].min_ade, 2.617300);
    check_near(right[0].min_fde, 5.537759);
    check_near(right[1].min_ade, 4.891355);
    check_near(right[1].min_fde, 8.997818);
    check_near(right[2].min_ade, 6.421431);
    check_near(right[2].min_fde, 9.169712);
    for (const auto& one : right) CHECK(one.is_missed == true);
  }

  TEST_CASE("joint metrics of the real scenario are means over its agents") {
    BEV_REQUIRE_WAYMO();
    auto scenario = real_scenario();
    scenario.predictions = {{43, 1}, {42, 1}};  // 1676 and 1675
    const auto modes = real_modes({1676, 1675});
    const auto joint = joint_score(modes, scenario);
    CHECK(joint.type == kVehicle);
    CHECK(joint.shape == PathShape::straight_right);
    // A mode at a time: the mean of both, then the least.
    for (std::size_t i = 0; i < 3; ++i) {
      std::optional<double> ade, fde;
      for (const auto& mode : modes) {
        const auto singles =
            scores_of(motion_message(scenario.id, {only({mode}, 0), only({mode}, 1)}),
                      scenario, motion_rules());
        const auto &a = singles[0].horizons[i], &b = singles[1].horizons[i];
        const double mean = (*a.min_ade + *b.min_ade) / 2;
        if (!ade || mean < *ade) ade = mean;
        if (!a.min_fde || !b.min_fde) continue;
        const double end = (*a.min_fde + *b.min_fde) / 2;
        if (!fde || end < *fde) fde = end;
      }
      check_near(joint.horizons[i].min_ade, ade.value());
      CHECK(joint.horizons[i].min_fde.has_value() == fde.has_value());
      if (fde) check_near(joint.horizons[i].min_fde, *fde);
    }
    CHECK_FALSE(joint.horizons[2].is_missed);
  }

  TEST_CASE("mean average precision is of all samples, in any order") {
    BEV_REQUIRE_WAYMO();
    const auto scores = real_scores(real_scenario());
    const auto once = totals_of(scores);
    auto twice = scores;
    twice.insert(twice.end(), scores.begin(), scores.end());
    const auto metrics = totals_of(twice).of(kPedestrian, 2);
    // Two equal scenarios: the misses of both come before the matches.
    check_near(metrics.mean_average_precision, 0.2);
    CHECK(metrics.predictions == 2);
    std::mt19937 random(3);
    for (int i = 0; i < 5; ++i) {
      std::shuffle(twice.begin(), twice.end(), random);
      const auto shuffled = totals_of(twice).of(kPedestrian, 2);
      CHECK(shuffled.mean_average_precision == metrics.mean_average_precision);
      CHECK(shuffled.soft_mean_average_precision ==
            metrics.soft_mean_average_precision);
    }
    auto parts = once;
    parts.add(once);
    CHECK(parts.of(kPedestrian, 2).mean_average_precision ==
          metrics.mean_average_precision);
    check_near(parts.of(kVehicle, 1).min_ade, 3.219109);
  }
}

}  // namespace motion_metrics_test
