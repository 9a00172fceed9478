#include "core/futures/scores.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/waymo_futures.hpp"

namespace futures_scores_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using doctest::Approx;
using nlohmann::json;

constexpr float kConfidences[] = {0.3F, 0.25F, 0.2F, 0.1F, 0.1F, 0.05F};

/// The first six rollouts of the real submission as motion predictions, agent by agent.
std::vector<FuturesData> real_motion(const RecordedScenario& scenario) {
  const auto data = futures_of(real_submission());
  std::vector<std::vector<MadeMode>> agents;
  for (const std::uint64_t id : {2320U, 1676U, 1675U}) {
    auto& modes = agents.emplace_back();
    for (std::size_t r = 0; r < 6; ++r) {
      modes.push_back(mode_of(data.at(0).view(), r, {id}, kConfidences[r]));
    }
  }
  return futures_of(submission_file({motion_message(scenario.id, agents)}));
}

json vehicles_at_5s(const SubmissionScores& scores) {
  const auto all = json::parse(scores.json());
  for (const auto& one : all["motion"]) {
    if (one["type"] == "vehicle" && one["seconds"] == 5) return one;
  }
  return {};
}

TEST_SUITE("futures/scores") {
  TEST_CASE("the real submission has these scores") {
    BEV_REQUIRE_WAYMO();
    SubmissionScores scores;
    const auto found =
        scores.add(futures_of(real_submission()), SubmissionKind::sim_agents,
                   {real_scenario(), {}}, {});
    CHECK(found.agents == 50);
    CHECK(found.evaluated == 4);
    CHECK(found.rollouts == 32);
    CHECK(found.mismatches == 0);
    CHECK(*found.collision_rate == Approx((24 + 32 + 32) / 128.0));
    CHECK_FALSE(found.off_lane_rate);
    CHECK(*found.min_ade <= *found.ade);
    CHECK(found.by_rollout.at(*found.best_rollout).ade == found.min_ade);
    const auto all = json::parse(scores.json());
    CHECK(all["scenarios"] == 1);
    CHECK(all["rollouts"] == 32);
    CHECK(all["collisionRate"] == Approx(0.6875));
    CHECK(all["offLaneRate"] == nullptr);
    CHECK(all["mismatches"].empty());
    CHECK_FALSE(all.contains("motion"));
  }

  TEST_CASE("the motion metrics are pooled, so that copies of a scenario change none") {
    BEV_REQUIRE_WAYMO();
    const RecordedScene recorded{real_scenario(), {}};
    SubmissionScores once, twice, other;
    const auto one =
        once.add(real_motion(recorded.scenario), SubmissionKind::motion, recorded, {});
    CHECK_FALSE(one.best_rollout);
    CHECK(*one.min_ade <= *one.ade);
    CHECK_FALSE(one.collision_rate);
    twice.add(real_motion(recorded.scenario), SubmissionKind::motion, recorded, {});
    other.add(real_motion(recorded.scenario), SubmissionKind::motion, recorded, {});
    twice.add(other);
    const auto single = vehicles_at_5s(once), pooled = vehicles_at_5s(twice);
    CHECK(single["mAP"] == Approx(0.083333).epsilon(1e-5));
    CHECK(single["minADE"] == Approx(3.219109).epsilon(1e-6));
    CHECK(single["predictions"] == 2);
    CHECK(pooled["predictions"] == 4);
    CHECK(pooled["minADE"] == Approx(3.219109).epsilon(1e-6));
  }

  TEST_CASE("what does not match is counted, and its metrics are left out") {
    BEV_REQUIRE_WAYMO();
    const RecordedScene recorded{real_scenario(), {}};
    auto motion = real_motion(recorded.scenario);
    motion.at(0).ids = {3};
    SubmissionScores scores;
    const auto one =
        scores.add(std::move(motion), SubmissionKind::motion, recorded, {});
    CHECK(one.mismatches == 2);
    const auto all = json::parse(scores.json());
    CHECK(all["mismatches"]["unknown agents"]["first"][0] == "637f20cafde22ff8/3");
    CHECK(all["mismatches"]["agents missing"]["first"][0] == "637f20cafde22ff8/2320");
    CHECK(vehicles_at_5s(scores)["predictions"] == 2);
  }

  TEST_CASE("shares are of the agents that are judged") {
    BEV_REQUIRE_WAYMO();
    const RecordedScene recorded{real_scenario(), {}};
    SubmissionScores scores;
    const auto found =
        scores.add(futures_of(real_submission()), SubmissionKind::sim_agents, recorded,
                   [](bev::geom::Vec2) { return true; });
    CHECK(found.off_lane_rate == 0.0);
    const auto none =
        scores.add(futures_of(real_submission()), SubmissionKind::sim_agents, recorded,
                   [](bev::geom::Vec2) { return false; });
    CHECK_FALSE(none.off_lane_rate);
  }
}

}  // namespace
}  // namespace futures_scores_test
