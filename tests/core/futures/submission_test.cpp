#include "core/futures/submission.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/sha256.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"
#include "tests/support/submissions.hpp"
#include "tests/support/waymo_files.hpp"

namespace submission_test {
namespace {

using namespace bev::test;
using bev::Errc;
using bev::Error;
using bev::futures::FuturesData;
using bev::futures::Limits;
using bev::futures::read_scenario;
using bev::futures::ScenarioRange;
using bev::futures::SubmissionKind;
namespace wire = bev::test::submission_wire;

constexpr auto kSimAgents = SubmissionKind::sim_agents;
constexpr auto kMotion = SubmissionKind::motion;
constexpr auto kInteraction = SubmissionKind::interaction;

std::vector<FuturesData> read(const std::string& bytes, SubmissionKind kind,
                              const Limits& limits = {}) {
  const ScenarioRange scenario{"a", {0, bytes.size()}};
  return read_scenario(bytes, scenario, kind, "s", limits);
}

/// A trajectory whose values tell scene, field and step: 7.125 is field 1, step 25.
MadeTrajectory numbered(std::int32_t id, float scene, std::size_t steps = 80) {
  MadeTrajectory out;
  out.id = id;
  std::vector<float>* const fields[] = {&out.x, &out.y, &out.z, &out.yaw};
  for (std::size_t f = 0; f < 4; ++f) {
    for (std::size_t t = 0; t < steps; ++t) {
      fields[f]->push_back(scene * 1000 + static_cast<float>(id * 10) +
                           static_cast<float>(f) + static_cast<float>(t) / 128);
    }
  }
  return out;
}

void check_refused(const std::string& bytes, SubmissionKind kind, Errc code,
                   const char* message) {
  CHECK(error_code([&] { read(bytes, kind); }) == code);
  CHECK_THROWS_WITH_AS(read(bytes, kind), message, Error);
}

std::string one_agent(const MadeTrajectory& trajectory) {
  return rollouts_message("a", {{trajectory}});
}

constexpr Encoding kEncodings[] = {
    {false, true}, {false, false}, {true, true}, {true, false}};

}  // namespace

TEST_SUITE("futures/submission") {
  TEST_CASE("a joint scene is a rollout; agents may be in any order") {
    for (const auto encoding : kEncodings) {
      const auto list = read(
          rollouts_message(
              "a", {{numbered(3, 0), numbered(5, 0)}, {numbered(5, 1), numbered(3, 1)}},
              encoding),
          kSimAgents);
      REQUIRE(list.size() == 1);
      const auto& data = list[0];
      const auto view = data.view();
      CHECK_NOTHROW(check(view, "s"));
      CHECK(view.scenario_id == "a");
      CHECK(view.rollouts == 2);
      CHECK(view.steps == 80);
      CHECK(view.first_step == 11);
      CHECK(view.is_joint);
      CHECK(view.sizes.empty());
      CHECK(view.valid.empty());
      CHECK(view.scores.empty());
      CHECK(data.ids == std::vector<std::uint64_t>{3, 5});
      for (std::size_t r = 0; r < 2; ++r) {
        const auto scene = static_cast<float>(r);
        for (const int id : {3, 5}) {
          const auto row = view.row_of(static_cast<std::uint64_t>(id)).value();
          const auto first = scene * 1000 + static_cast<float>(id * 10);
          CHECK(view.poses.at(r, row, 79, 0) == first + 79.F / 128);
          CHECK(view.poses.at(r, row, 0, 3) == first + 3);
        }
      }
    }
  }

  TEST_CASE("scenario generation has 91 steps from step 0, and sizes per step") {
    auto made = numbered(3, 0, 91);
    for (int t = 0; t < 91; ++t) {
      made.length.push_back(static_cast<float>(t));
      made.width.push_back(2);
      made.height.push_back(1.5F);
    }
    for (const auto encoding : kEncodings) {
      const auto data = read(rollouts_message("a", {{made}}, encoding), kSimAgents);
      const auto view = data.at(0).view();
      CHECK(view.first_step == 0);
      CHECK(view.steps == 91);
      CHECK(view.sizes.at(0, 0, 90, bev::futures::kLength) == 90);
      CHECK(view.sizes.at(0, 0, 90, bev::futures::kWidth) == 2);
      CHECK(view.sizes.at(0, 0, 0, bev::futures::kHeight) == 1.5F);
    }
  }

  TEST_CASE("validity is kept if given") {
    const auto valid = wire::number(11, 1) + wire::message(11, std::string(79, '\0'));
    auto scene = wire::message(1, wire::message(2, std::string(320, '\0')) +
                                      wire::message(3, std::string(320, '\0')) +
                                      wire::message(4, std::string(320, '\0')) +
                                      wire::message(5, std::string(320, '\0')) +
                                      wire::number(6, 3) + valid);
    auto other = one_agent(numbered(3, 1));
    const auto bytes = wire::message(1, "a") + wire::message(2, scene) +
                       other.substr(wire::message(1, "a").size());
    const auto data = read(bytes, kSimAgents);
    const auto view = data.at(0).view();
    CHECK(view.is_valid(0, 0, 0));
    CHECK_FALSE(view.is_valid(0, 0, 1));
    CHECK(view.is_valid(1, 0, 79));
  }

  TEST_CASE("a motion prediction is per agent, with its own modes and raw scores") {
    for (const auto encoding : kEncodings) {
      const auto list = read(
          motion_message("a",
                         {{{-0.5F, {numbered(3, 0, 16)}}, {2.5F, {numbered(3, 1, 16)}}},
                          {{0, {numbered(5, 0, 16)}}}},
                         encoding),
          kMotion);
      REQUIRE(list.size() == 2);
      const auto view = list[0].view();
      CHECK_NOTHROW(check(view, "s"));
      CHECK(view.rollouts == 2);
      CHECK(list[0].ids == std::vector<std::uint64_t>{3});
      CHECK_FALSE(view.is_joint);
      CHECK_FALSE(view.has_yaw());
      CHECK(view.frame(0) == 15);
      CHECK(view.frame(15) == 90);
      CHECK(view.scores.at(0, 0) == -0.5F);
      CHECK(view.scores.at(1, 0) == 2.5F);
      CHECK(view.poses.at(1, 0, 15, 1) == 1031 + 15.F / 128);
      CHECK(list[1].rollouts == 1);
      CHECK(list[1].ids == std::vector<std::uint64_t>{5});
    }
  }

  TEST_CASE("an interaction prediction has joint modes of its agents") {
    for (const auto encoding : kEncodings) {
      const auto list =
          read(interaction_message("a",
                                   {{0.75F, {numbered(3, 0, 16), numbered(5, 0, 16)}},
                                    {0.25F, {numbered(5, 1, 16), numbered(3, 1, 16)}}},
                                   encoding),
               kInteraction);
      REQUIRE(list.size() == 1);
      const auto view = list[0].view();
      CHECK(view.is_joint);
      CHECK(list[0].ids == std::vector<std::uint64_t>{3, 5});
      CHECK(view.scores.at(1, 1) == 0.25F);
      CHECK(view.poses.at(1, 0, 0, 0) == 1030);
      CHECK(view.poses.at(1, 1, 0, 0) == 1050);
    }
  }

  TEST_CASE(
      "scenes with other agents than the first are refused with scene and agent") {
    const auto a = numbered(3, 0), b = numbered(5, 0), c = numbered(7, 0);
    check_refused(rollouts_message("a", {{a, b}, {b}}), kSimAgents,
                  Errc::invalid_metadata,
                  "s: scenario a: scene 1: agent 3 is missing, which scene 0 has");
    check_refused(rollouts_message("a", {{a, b}, {a}}), kSimAgents,
                  Errc::invalid_metadata,
                  "s: scenario a: scene 1: agent 5 is missing, which scene 0 has");
    check_refused(rollouts_message("a", {{a, b}, {a, b}, {a, c, b}}), kSimAgents,
                  Errc::invalid_metadata,
                  "s: scenario a: scene 2: agent 7 is not in scene 0");
    check_refused(rollouts_message("a", {{a, b, a}}), kSimAgents,
                  Errc::invalid_metadata,
                  "s: scenario a: scene 0: agent 3 occurs twice");
    check_refused(
        motion_message("a", {{{1, {numbered(3, 0, 16)}}}, {{1, {numbered(3, 0, 16)}}}}),
        kMotion, Errc::invalid_metadata, "s: scenario a: agent 3 is predicted twice");
  }

  TEST_CASE("arrays of unequal lengths are refused with agent and field") {
    auto made = numbered(3, 0);
    made.y.pop_back();
    check_refused(one_agent(made), kSimAgents, Errc::invalid_metadata,
                  "s: scenario a: scene 0: center_y: wrong number of values (found 79, "
                  "expected 80)");
    made = numbered(3, 0);
    made.yaw.clear();
    check_refused(one_agent(made), kSimAgents, Errc::invalid_metadata,
                  "s: scenario a: scene 0: heading: wrong number of values (found 0, "
                  "expected 80)");
    made = numbered(3, 0);
    made.length = {4};
    check_refused(one_agent(made), kSimAgents, Errc::invalid_metadata,
                  "s: scenario a: scene 0: length: wrong number of values (found 1, "
                  "expected 80)");
    check_refused(rollouts_message("a", {{numbered(3, 0), numbered(5, 0, 79)}}),
                  kSimAgents, Errc::invalid_metadata,
                  "s: scenario a: scene 0, agent 5: another number of steps than the "
                  "first agent (found 79, expected 80)");
    check_refused(one_agent({}), kSimAgents, Errc::invalid_metadata,
                  "s: scenario a: scene 0: center_x: no values");
    check_refused(
        wire::message(1, "a") +
            wire::message(2, wire::message(1, wire::message(2, "abcde"))),
        kSimAgents, Errc::corrupt_chunk,
        "s: scenario a: scene 0: center_x: not whole numbers (found 5 bytes)");
  }

  TEST_CASE("values that are not finite are refused with scene, agent and field") {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity(), 2e9F}) {
      auto made = numbered(3, 0);
      made.z[40] = value;
      check_refused(
          rollouts_message("a", {{numbered(3, 0)}, {made}}), kSimAgents,
          Errc::invalid_metadata,
          "s: scenario a: scene 1, agent 3: center_z: a value is not a number "
          "between -1e9 and 1e9");
    }
    check_refused(
        motion_message(
            "a", {{{1, {numbered(3, 0, 16)}},
                   {std::numeric_limits<float>::infinity(), {numbered(3, 0, 16)}}}}),
        kMotion, Errc::invalid_metadata,
        "s: scenario a: mode 1: confidence is not a finite number");
  }

  TEST_CASE("other ids and kinds than the index tells are refused") {
    check_refused(rollouts_message("b", {{numbered(3, 0)}}), kSimAgents,
                  Errc::invalid_metadata,
                  "s: scenario a: another scenario_id than in the index: b");
    const std::vector<MadeMode> mode = {{1, {numbered(3, 0, 16)}}};
    check_refused(interaction_message("a", mode), kMotion, Errc::invalid_metadata,
                  "s: scenario a: joint predictions in a submission of kind motion "
                  "prediction");
    check_refused(
        motion_message("a", {mode}), kInteraction, Errc::invalid_metadata,
        "s: scenario a: single predictions in a submission of kind interaction "
        "prediction");
    check_refused(wire::message(1, "a"), kSimAgents, Errc::invalid_metadata,
                  "s: scenario a: no scenes");
    check_refused(rollouts_message("a", {{}, {}}), kSimAgents, Errc::invalid_metadata,
                  "s: scenario a: scene 1: no agents");
    check_refused(one_agent(numbered(-3, 0)), kSimAgents, Errc::invalid_metadata,
                  "s: scenario a: scene 0: object_id is negative (found -3)");
    check_refused(
        wire::message(1, "a") +
            wire::message(2, wire::message(1, wire::real(2, 1) + wire::real(3, 1) +
                                                  wire::real(4, 1) + wire::real(5, 1))),
        kSimAgents, Errc::invalid_metadata,
        "s: scenario a: scene 0: agent 0: no object_id");
  }

  TEST_CASE("limits are checked before memory is allocated") {
    const auto bytes = rollouts_message(
        "a", {{numbered(3, 0), numbered(5, 0)}, {numbered(3, 0), numbered(5, 0)}});
    const std::pair<Limits, const char*> cases[] = {
        {{1, 2, 80, 1'280}, "joint scenes (found 2, expected at most 1)"},
        {{2, 1, 80, 1'280}, "agents (found 2, expected at most 1)"},
        {{2, 2, 79, 1'280}, "steps (found 80, expected at most 79)"},
        {{2, 2, 80, 1'279}, "values (found 1280, expected at most 1279)"}};
    CHECK_NOTHROW(read(bytes, kSimAgents, {2, 2, 80, 1'280}));
    for (const auto& one : cases) {
      const auto& limits = one.first;
      const std::string message = one.second;
      CAPTURE(message);
      try {
        read(bytes, kSimAgents, limits);
        FAIL("accepted");
      } catch (const Error& error) {
        CHECK(error.code() == Errc::limit_exceeded);
        CHECK(std::string(error.what()).find(message) != std::string::npos);
      }
    }
  }

  TEST_CASE("every truncation is refused") {
    const std::pair<SubmissionKind, std::string> kinds[] = {
        {kSimAgents, rollouts_message("a", {{numbered(3, 0, 2)}, {numbered(3, 1, 2)}})},
        {kMotion, motion_message("a", {{{1, {numbered(3, 0, 2)}}}})},
        {kInteraction, interaction_message("a", {{1, {numbered(3, 0, 2)}}})}};
    for (const auto& one : kinds) {
      const auto kind = one.first;
      const auto& bytes = one.second;
      for (std::size_t size = 0; size < bytes.size(); ++size) {
        CAPTURE(size);
        const auto code = error_code([&] { read(bytes.substr(0, size), kind); });
        const bool is_whole_scene =
            kind == kSimAgents && size == 3 + (bytes.size() - 3) / 2;
        const bool is_empty = kind == kMotion && size == 3;  // an id alone
        REQUIRE((code.has_value() || is_whole_scene || is_empty));
      }
    }
  }

  TEST_CASE("the real submission has the values that Waymo's protobufs have") {
    BEV_REQUIRE_WAYMO();
    const auto file =
        read_text(waymo_files() + "/sim_agents/testdata/test_submission.binproto");
    const auto shard = indexed("real", file);
    const auto list = read_scenario(message_of(file, shard.scenarios[0]),
                                    shard.scenarios[0], shard.kind, "real");
    REQUIRE(list.size() == 1);
    const auto& data = list[0];
    CHECK(data.rollouts == 32);
    CHECK(data.steps == 80);
    CHECK(data.first_step == 11);
    CHECK(data.ids == std::vector<std::uint64_t>{
                          1580, 1584, 1587, 1588, 1594, 1602, 1603, 1604, 1605, 1606,
                          1609, 1610, 1611, 1612, 1623, 1625, 1627, 1629, 1630, 1639,
                          1641, 1644, 1645, 1646, 1647, 1650, 1652, 1653, 1654, 1655,
                          1657, 1659, 1662, 1663, 1666, 1668, 1669, 1670, 1674, 1675,
                          1676, 1677, 1678, 1684, 2313, 2315, 2320, 2401, 2402, 2406});
    REQUIRE(data.poses.size() == 32 * 50 * 4 * 80);
    CHECK(bev::sha256_hex(std::as_bytes(std::span(data.poses))) ==
          "431e86743ef4361ee5197c70b9970bd1fa34218e4b313e1393aa8fd4b040b079");
    const double expected[] = {-998381224, -857492320, -23573847.3, -110205.430};
    const auto view = data.view();
    for (std::size_t v = 0; v < 4; ++v) {
      double sum = 0;
      for (std::size_t r = 0; r < 32; ++r) {
        for (std::size_t a = 0; a < 50; ++a) {
          for (std::size_t t = 0; t < 80; ++t) sum += double{view.poses.at(r, a, t, v)};
        }
      }
      CHECK(std::fabs(sum - expected[v]) < (v < 2 ? 0.5 : v == 2 ? 0.05 : 0.0005));
    }
    CHECK(view.poses.at(0, 0, 0, 0) == -7792.2216796875F);
    CHECK(view.poses.at(31, 0, 79, 0) == -7790.81640625F);
    CHECK(view.poses.at(0, 0, 79, 2) == -184.5219268798828F);
  }

  TEST_CASE("the real submission encoded otherwise has the same values") {
    BEV_REQUIRE_WAYMO();
    const auto file =
        read_text(waymo_files() + "/sim_agents/testdata/test_submission.binproto");
    const auto shard = indexed("real", file);
    const auto data = read_scenario(message_of(file, shard.scenarios[0]),
                                    shard.scenarios[0], shard.kind, "real")
                          .at(0);
    const auto view = data.view();
    std::vector<MadeScene> scenes(32, MadeScene(50));
    for (std::size_t r = 0; r < 32; ++r) {
      for (std::size_t a = 0; a < 50; ++a) {
        auto& one = scenes[r][a];
        one.id = static_cast<std::int32_t>(data.ids[a]);
        for (std::size_t t = 0; t < 80; ++t) {
          one.x.push_back(view.poses.at(r, a, t, 0));
          one.y.push_back(view.poses.at(r, a, t, 1));
          one.z.push_back(view.poses.at(r, a, t, 2));
          one.yaw.push_back(view.poses.at(r, a, t, 3));
        }
      }
    }
    const auto& id = shard.scenarios[0].id;
    for (const auto encoding : kEncodings) {
      const auto bytes = rollouts_message(id, scenes, encoding);
      const auto again =
          read_scenario(bytes, {id, {0, bytes.size()}}, kSimAgents, "again").at(0);
      CHECK(again.poses == data.poses);
    }
  }
}

}  // namespace submission_test
