#include "core/futures/join.hpp"

#include <doctest/doctest.h>

#include "core/convert/tfrecord.hpp"
#include "core/futures/own_form.hpp"
#include "core/futures/submission.hpp"
#include "tests/support/files.hpp"
#include "tests/support/submissions.hpp"
#include "tests/support/waymo_files.hpp"

namespace join_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::convert::waymo::Message;
using Names = std::vector<std::string>;

/// Tracks 3 and 5, valid at the current step, 7, which is not, and 9, to be predicted
/// with 3.
Message recorded() {
  Message out;
  out.id = "a";
  out.times_s.resize(91);
  out.current_time_index = 10;
  for (const int id : {3, 5, 7, 9}) {
    bev::convert::waymo::Track track;
    track.id = id;
    track.type = 1;
    track.states.resize(91);
    for (auto& state : track.states) state.is_valid = id != 7;
    out.tracks.push_back(track);
  }
  out.predictions = {{0, 1}, {3, 1}};
  return out;
}

FuturesData simulated(std::vector<std::uint64_t> ids, std::size_t steps = 80,
                      std::size_t rollouts = 32) {
  FuturesData out;
  out.scenario_id = "a";
  out.ids = std::move(ids);
  out.rollouts = rollouts;
  out.steps = steps;
  out.first_step = 11;
  out.poses.resize(rollouts * out.ids.size() * steps * 4);
  return out;
}

FuturesData predicted(std::vector<std::uint64_t> ids, std::size_t modes = 6) {
  auto out = simulated(std::move(ids), 16, modes);
  out.first_step = 15;
  out.step_stride = 5;
  out.pose_values = 2;
  return out;
}

JoinReport report_of(const std::vector<FuturesData>& list, const JoinRules& rules,
                     const Message& scenario = recorded()) {
  std::vector<Futures> views;
  for (const auto& one : list) views.push_back(one.view());
  JoinReport out;
  joined_agents(views, scenario, rules, out);
  return out;
}

/// Checks that a report has one kind of mismatch, with these names.
void check_only(const JoinReport& report, Mismatch mismatch, const Names& names) {
  CHECK(report.of(mismatch).names == names);
  CHECK(report.of(mismatch).count == names.size());
  CHECK(report.count() == names.size());
}

}  // namespace

TEST_SUITE("futures/join") {
  TEST_CASE("agents are joined by id in any order, and all are there") {
    const auto data = simulated({9, 3, 5});
    const Futures views[] = {data.view()};
    JoinReport report;
    const auto rows = joined_agents(views, recorded(), sim_agents_rules(), report);
    CHECK(report.count() == 0);
    CHECK(report.text().empty());
    CHECK(rows == std::vector<TrackRows>{{3, 0, 1}});
  }

  TEST_CASE("a motion prediction joins each of its agents") {
    CHECK(report_of({predicted({9}), predicted({3})}, motion_rules()).count() == 0);
    CHECK(report_of({predicted({9, 3}, 4)}, interaction_rules()).count() == 0);
  }

  TEST_CASE("1: a scenario that the submission lacks") {
    const std::string_view submitted[] = {"b"}, expected[] = {"a", "b", "c"};
    JoinReport report;
    const auto rows = joined_scenarios(submitted, expected, report);
    CHECK(rows == TrackRows{1});
    check_only(report, Mismatch::scenario_missing, {"a", "c"});
  }

  TEST_CASE("2: a scenario that the data lack") {
    const std::string_view submitted[] = {"x", "a"}, expected[] = {"a"};
    JoinReport report;
    CHECK(joined_scenarios(submitted, expected, report) == TrackRows{std::nullopt, 0});
    check_only(report, Mismatch::scenario_unknown, {"x"});
  }

  TEST_CASE("3: a scenario twice") {
    const std::string_view submitted[] = {"a", "a"}, expected[] = {"a"};
    JoinReport report;
    CHECK(joined_scenarios(submitted, expected, report) == TrackRows{0, std::nullopt});
    check_only(report, Mismatch::scenario_repeated, {"a"});
  }

  TEST_CASE("4: an agent that is missing") {
    check_only(report_of({simulated({3})}, sim_agents_rules()), Mismatch::agent_missing,
               {"a/5", "a/9"});
    check_only(report_of({predicted({3})}, motion_rules()), Mismatch::agent_missing,
               {"a/9"});
    check_only(report_of({}, motion_rules()), Mismatch::agent_missing, {"a/3", "a/9"});
  }

  TEST_CASE("5: an agent that is no track") {
    check_only(report_of({simulated({3, 5, 9, 1})}, sim_agents_rules()),
               Mismatch::agent_unknown, {"a/1"});
  }

  TEST_CASE("6: an agent that may not be simulated or is not to be predicted") {
    check_only(report_of({simulated({3, 5, 9, 7})}, sim_agents_rules()),
               Mismatch::agent_not_allowed, {"a/7"});
    check_only(
        report_of({predicted({3}), predicted({9}), predicted({5})}, motion_rules()),
        Mismatch::agent_not_allowed, {"a/5"});
  }

  TEST_CASE("7: an agent twice") {
    check_only(report_of({simulated({3, 5, 9, 5})}, sim_agents_rules()),
               Mismatch::agent_repeated, {"a/5"});
    check_only(
        report_of({predicted({3}), predicted({9}), predicted({3})}, motion_rules()),
        Mismatch::agent_repeated, {"a/3"});
  }

  TEST_CASE("8: another number of steps") {
    check_only(report_of({simulated({3, 5, 9}, 79)}, sim_agents_rules()),
               Mismatch::wrong_steps, {"a: found 79, expected 80"});
    auto generated = simulated({3, 5, 9}, 80);
    generated.first_step = 0;
    check_only(report_of({generated}, scenario_generation_rules()),
               Mismatch::wrong_steps, {"a: found 80, expected 91"});
  }

  TEST_CASE("9: another first step or stride") {
    auto data = simulated({3, 5, 9});
    data.first_step = 10;
    check_only(report_of({data}, sim_agents_rules()), Mismatch::wrong_frames,
               {"a: found 10, expected 11"});
    auto path = predicted({3, 9});
    path.step_stride = 1;
    check_only(report_of({path}, interaction_rules()), Mismatch::wrong_frames,
               {"a: found 1, expected 5"});
  }

  TEST_CASE("10: another number of rollouts, or too many modes") {
    check_only(report_of({simulated({3, 5, 9}, 80, 31)}, sim_agents_rules()),
               Mismatch::wrong_rollouts, {"a: found 31, expected 32"});
    check_only(report_of({predicted({3, 9}, 7)}, interaction_rules()),
               Mismatch::wrong_rollouts, {"a: found 7, expected 6"});
  }

  TEST_CASE("11: a joint prediction of another number of agents") {
    check_only(report_of({predicted({3}), predicted({9})}, interaction_rules()),
               Mismatch::wrong_agents,
               {"a: found 1, expected 2", "a: found 1, expected 2"});
  }

  TEST_CASE("our own form: any number of rollouts, steps and valid agents") {
    auto one = simulated({3, 5, 9}, 3, 2);
    CHECK(report_of({one}, own_rules(true)).count() == 0);
    one.first_step = 88;
    CHECK(report_of({one}, own_rules(false)).count() == 0);
  }

  TEST_CASE("our own form: agents to predict should be there, unknown ones not") {
    check_only(report_of({simulated({3, 5}, 3, 2)}, own_rules(true)),
               Mismatch::agent_missing, {"a/9"});
    check_only(report_of({simulated({3, 9, 4}, 3, 2)}, own_rules(true)),
               Mismatch::agent_unknown, {"a/4"});
    check_only(report_of({simulated({3, 9, 7}, 3, 2)}, own_rules(false)),
               Mismatch::agent_not_allowed, {"a/7"});
    check_only(report_of({simulated({3, 9, 9}, 3, 2)}, own_rules(false)),
               Mismatch::agent_repeated, {"a/9"});
  }

  TEST_CASE("our own form: steps beyond the recording") {
    auto one = simulated({3, 9}, 3, 2);
    one.first_step = 89;
    check_only(report_of({one}, own_rules(true)), Mismatch::wrong_frames,
               {"a: found 91, expected 90"});
    one.first_step = -1;
    check_only(report_of({one}, own_rules(true)), Mismatch::wrong_frames,
               {"a: found -1, expected 0"});
  }

  TEST_CASE("our own form: AV is the ego vehicle, and its id again is a repetition") {
    auto scenario = recorded();
    scenario.ego_index = 1;
    const auto one = simulated({kEgoId, 3, 9}, 3, 2);
    CHECK(report_of({one}, own_rules(true), scenario).count() == 0);
    check_only(
        report_of({simulated({kEgoId, 3, 9, 5}, 3, 2)}, own_rules(true), scenario),
        Mismatch::agent_repeated, {"a/5"});
    CHECK(recorded_id(kEgoId, scenario) == 5);
    CHECK(recorded_id(3, scenario) == 3);
    CHECK(recorded_id(kEgoId, recorded()) == kEgoId);
  }

  TEST_CASE("a report counts all and keeps the first names") {
    JoinReport one, all;
    for (std::size_t i = 0; i < 150; ++i) {
      one.add(Mismatch::agent_missing, "a/" + std::to_string(i));
    }
    all.add(Mismatch::agent_missing, "b/1");
    all.add(one);
    CHECK(all.of(Mismatch::agent_missing).count == 151);
    CHECK(all.of(Mismatch::agent_missing).names.size() == kMaxNames);
    CHECK(all.of(Mismatch::agent_missing).names.back() == "a/98");
    all.add(Mismatch::scenario_unknown, "x");
    CHECK(all.text(2) ==
          "unknown scenarios: 1 (x)\nagents missing: 151 (b/1, a/0, ...)\n");
    CHECK(all.text(0) == "unknown scenarios: 1 (...)\nagents missing: 151 (...)\n");
  }

  TEST_CASE("a scenario whose tracks do not fit is refused") {
    auto scenario = recorded();
    scenario.tracks[1].states.pop_back();
    CHECK_THROWS_WITH_AS(report_of({}, motion_rules(), scenario),
                         "scenario a: track 5: wrong number of states (found 90, "
                         "expected 91)",
                         bev::Error);
    scenario = recorded();
    scenario.tracks[1].id = 3;
    CHECK_THROWS_WITH_AS(report_of({}, motion_rules(), scenario),
                         "scenario a: track id is negative or not unique (found 3)",
                         bev::Error);
    scenario = recorded();
    scenario.predictions = {{4, 1}};
    CHECK_THROWS_WITH_AS(report_of({}, motion_rules(), scenario),
                         "scenario a: track_index is outside (found 4, count 4)",
                         bev::Error);
    scenario.current_time_index = -1;
    CHECK_THROWS_AS(report_of({}, motion_rules(), scenario), bev::Error);
  }

  TEST_CASE("the real submission matches the real scenario") {
    BEV_REQUIRE_WAYMO();
    const auto record =
        read_file(waymo_files() + "/testdata/motion_data_one_scenario.tfrecord");
    const auto content = bev::convert::record_content(record, 0);
    const auto scenario = bev::convert::waymo::parse_message(
        {reinterpret_cast<const char*>(content.data()), content.size()});
    const auto file =
        read_text(waymo_files() + "/sim_agents/testdata/test_submission.binproto");
    const auto shard = indexed("real", file);
    auto data = read_scenario(message_of(file, shard.scenarios[0]), shard.scenarios[0],
                              shard.kind, "real");
    CHECK(data[0].scenario_id == scenario.id);
    CHECK(report_of(data, sim_agents_rules(), scenario).count() == 0);
    data[0].ids[0] = 1;
    const auto report = report_of(data, sim_agents_rules(), scenario);
    CHECK(report.text() ==
          "agents missing: 1 (637f20cafde22ff8/1580)\n"
          "unknown agents: 1 (637f20cafde22ff8/1)\n");
  }
}

}  // namespace join_test
