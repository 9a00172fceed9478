#include "core/futures/submitted_parts.hpp"

#include <doctest/doctest.h>

#include "core/convert/interaction.hpp"
#include "core/futures/scores.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/interaction.hpp"
#include "tests/support/nuscenes_futures.hpp"
#include "tests/support/own_futures.hpp"

namespace submitted_parts_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;
using nlohmann::json;

struct PartScores {
  std::vector<ScenarioScore> rows;
  std::string report;
  json summary;
};

/// Scores all that a submission has of a scene.
PartScores scored(const std::string& file, RecordedScene scene) {
  const auto all = joined_shards({indexed("made", file)});
  PartScores out;
  SubmissionScores scores;
  for (const auto& part : submitted_parts(all, scene, scores.report())) {
    const auto& scenario = all.at(part.place);
    auto futures = read_shard(message_of(file, scenario), all.shards[0], scenario);
    begin_part(part, scene, futures);
    out.rows.push_back(scores.add(std::move(futures), all.kind, scene, {}));
  }
  out.report = scores.report().text();
  out.summary = json::parse(scores.json());
  return out;
}

/// One step from each sample on, which is recorded; instance 0 is at 410 + frame.
json one_step(const std::string& instance, const std::string& sample, double x) {
  return nuscenes_prediction(instance, sample, {x}, 1);
}

/// Case 1 of DR_A: car 7, 14 frames, and pedestrian P1 in the first 12.
RecordedScene interaction_scene(const std::string& ego = "") {
  auto rows = car_rows("7", 14, 1, 2, 1, "1.0,");
  for (int i = 1; i <= 12; ++i) {
    const auto frame = std::to_string(i);
    rows += "1.0,P1," + frame + "," + frame + "00,pedestrian/bicycle,53,1,0,1,,,\n";
  }
  const auto header = "case_id," + kTrackHeader;
  bev::convert::InteractionTracks tracks;
  tracks.header = header;
  tracks.rows = rows;
  tracks.name = "DR_A_val";
  tracks.location = "DR_A";
  bev::convert::InteractionOptions options;
  options.ego = ego;
  const auto scenario = bev::convert::import_interaction(
      tracks, bev::convert::interaction_tables(), options);
  return recorded_scene(columns_of(bev::convert::records_of(scenario)),
                        scenario.attributes);
}

/// Scores a file of the INTERPRET challenge.
PartScores interpreted(const std::string& rows, RecordedScene scene) {
  const auto file = "case_id,track_id,frame_id,x1,y1\n" + rows;
  const auto all = joined_shards({indexed("DR_A_sub.csv", file)});
  PartScores out;
  SubmissionScores scores;
  for (const auto& part : submitted_parts(all, scene, scores.report())) {
    const auto& scenario = all.at(part.place);
    auto futures = read_shard(message_of(file, scenario), all.shards[0], scenario);
    begin_part(part, scene, futures);
    out.rows.push_back(scores.add(std::move(futures), all.kind, scene, {}));
  }
  out.report = scores.report().text();
  return out;
}

TEST_SUITE("futures/submitted_parts") {
  TEST_CASE("cases of INTERACTION are found by file and case, tracks by their ids") {
    // Frame 11 is 10 in the scene, where the car is at 11.
    const auto found = interpreted("1.0,7,11,14,2\n1.0,7,12,15,2\n1.0,P1,11,53,1\n",
                                   interaction_scene());
    CHECK(found.report.empty());
    REQUIRE(found.rows.size() == 1);
    CHECK(found.rows[0].scenario_id == "DR_A/1");
    CHECK(found.rows[0].evaluated == 2);
    CHECK(found.rows[0].ade == doctest::Approx(1.5));  // 3 of the car, 0
    const auto with_ego = interpreted("1,7,11,11,2\n", interaction_scene("7"));
    CHECK(with_ego.report.empty());
    CHECK(with_ego.rows.at(0).ade == doctest::Approx(0));
  }

  TEST_CASE("other cases, tracks and frames of INTERACTION are named") {
    const auto scene = interaction_scene();
    CHECK(scene.scenario.current_time_index == 9);
    CHECK(interpreted("2,7,11,14,2\n", scene).report ==
          "scenarios missing: 1 (DR_A_val_1)\n");
    const auto report = interpreted("1,7,15,14,2\n1,P2,11,1,1\n", scene).report;
    CHECK(report.find("unknown agents: 1 (DR_A_val_1/") != std::string::npos);
    CHECK(report.find("wrong first step or stride: 1 (DR_A_val_1: found 14, expected "
                      "13)") != std::string::npos);
  }

  TEST_CASE("predictions of one sample are joined together") {
    const auto read = [](const json& one) {
      return own_futures(
          json::array({one}).dump(),
          one["instance"].get<std::string>() + "_" + one["sample"].get<std::string>());
    };
    auto scene = nuscenes_scene();
    std::vector<FuturesData> both{read(one_step("i00", "f01", 412)),
                                  read(one_step("i01", "f01", 412))};
    begin_parts(SubmissionKind::nuscenes, scene, both);
    CHECK(scene.scenario.current_time_index == 1);
    CHECK(both[1].first_step == 2);
    CHECK(both[1].ids == std::vector<std::uint64_t>{2});
    // The challenge asks for the first one only.
    REQUIRE(scene.scenario.predictions.size() == 1);
    const auto row = scene.scenario.predictions[0].track_index;
    CHECK(scene.scenario.tracks.at(static_cast<std::size_t>(row)).id == 1);
    both = {read(one_step("i00", "f01", 412)), read(one_step("i00", "f00", 412))};
    CHECK(error_code([&] { begin_parts(SubmissionKind::nuscenes, scene, both); }) ==
          Errc::invalid_argument);
    both = {read(one_step("i10", "f10", 412))};
    CHECK(error_code([&] { begin_parts(SubmissionKind::nuscenes, scene, both); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("a scenario is found by its id") {
    const auto file =
        submission_file({rollouts_message("s0", {{trajectory_along(1, 0, 0, 3)}})});
    const auto all = joined_shards({indexed("made", file)});
    JoinReport report;
    const auto parts = submitted_parts(all, nuscenes_scene(), report);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].instance.empty());
    CHECK(report.count() == 0);
    CHECK(submitted_parts(all, nuscenes_scene({}, 1), report).empty());
    CHECK(report.text() == "scenarios missing: 1 (s1)\n");
  }

  TEST_CASE("predictions of nuScenes are found by instance and sample") {
    const json file = {one_step("i00", "f01", 412), one_step("i00", "f00", 414),
                       one_step("i10", "f10", 411)};
    const auto found = scored(file.dump(), nuscenes_scene());
    REQUIRE(found.rows.size() == 2);
    CHECK(found.rows[0].scenario_id == "i00_f00");
    CHECK(found.rows[0].ade == doctest::Approx(3));  // at 411 one step later
    CHECK(found.rows[1].scenario_id == "i00_f01");
    CHECK(found.rows[1].ade == doctest::Approx(0));
    CHECK(found.rows[1].agents == 1);
    CHECK(found.rows[1].evaluated == 1);
    const auto& metrics = found.summary["nuscenes"];
    REQUIRE(metrics.size() == 3);
    CHECK(metrics[0]["k"] == 1);
    CHECK(metrics[0]["predictions"] == 2);
    CHECK(metrics[0]["minADE"] == doctest::Approx(1.5));
    CHECK(metrics[2]["missRate"] == 0.5);
  }

  TEST_CASE("what the challenge asks for and what it does not ask for is named") {
    const json file = {one_step("i00", "f01", 412), one_step("i01", "f00", 412)};
    const auto found = scored(file.dump(), nuscenes_scene());
    CHECK(found.report ==
          "agents missing: 1 (s0/i00_f02)\n"
          "agents that may not be simulated or predicted: 1 (s0/2)\n"
          "wrong number of steps: 2 (s0: found 1, expected 12, s0: found 1, expected "
          "12)\n");
  }

  TEST_CASE("without the challenge's list any instance may be predicted") {
    NuscenesTables tables;
    tables.prediction = nullptr;
    const auto file = json::array({nuscenes_prediction("i01", "f00", {1, 2})}).dump();
    const auto found = scored(file, nuscenes_scene(tables));
    CHECK(found.report.empty());
    CHECK(found.rows.at(0).rollouts == 2);
    CHECK(found.summary["notRecorded"] == 1);  // 12 steps of three frames
    CHECK(found.summary["nuscenes"].empty());
    CHECK(scored(file, nuscenes_scene(tables, 1)).report ==
          "scenarios missing: 1 (s1)\n");
  }

  TEST_CASE("more than 25 modes, or none at a sample, are mismatches") {
    NuscenesTables tables;
    tables.prediction = nullptr;
    const auto file =
        json::array({nuscenes_prediction("i01", "f00", std::vector<double>(26, 1))})
            .dump();
    CHECK(scored(file, nuscenes_scene(tables)).report ==
          "wrong number of rollouts or modes: 1 (s0: found 26, expected 25)\n");
  }

  TEST_CASE("a scene that was converted without tokens is refused") {
    auto scene = nuscenes_scene();
    scene.samples.clear();
    const auto all = joined_shards(
        {indexed("made", json::array({one_step("i00", "f01", 0)}).dump())});
    JoinReport report;
    CHECK(error_code([&] { submitted_parts(all, scene, report); }) ==
          Errc::invalid_metadata);
  }

  TEST_CASE("agents with names that the scene lacks are unknown") {
    auto scene = nuscenes_scene();
    std::vector<FuturesData> futures(1);
    futures[0].ids = {0, 1};
    futures[0].names = {"i01", "absent"};
    begin_part({{}}, scene, futures);
    CHECK(futures[0].ids ==
          std::vector<std::uint64_t>{2, (std::uint64_t{1} << 63U) + 1});
  }
}

}  // namespace
}  // namespace submitted_parts_test
