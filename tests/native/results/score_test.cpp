#include "native/results/score.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "native/convert/scenario_conversion.hpp"
#include "native/results/submission_files.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/nuscenes_files.hpp"
#include "tests/support/nuscenes_futures.hpp"
#include "tests/support/submissions.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/waymo.hpp"
#include "tests/support/waymo_files.hpp"

namespace score_command_test {
namespace {

using namespace bev;
using namespace bev::native;
using nlohmann::json;

/// A scenario of 91 steps in which vehicles 1 (the ego vehicle) and 2 stand 10 m apart.
std::string record(const std::string& id) {
  convert::waymo::Message out;
  out.id = id;
  out.ego_index = 0;
  out.current_time_index = 10;
  for (int i = 0; i < 91; ++i) out.times_s.push_back(i / 10.0);
  out.lane_states.resize(91);
  for (const int track : {1, 2}) {
    auto& one = out.tracks.emplace_back();
    one.id = track;
    one.type = 1;
    for (int i = 0; i < 91; ++i) {
      one.states.push_back({{0, 10.0 * track, 0}, 4, 2, 1, 0, 0, 0, true});
    }
  }
  out.predictions.push_back({1, 0});
  return test::tfrecord(test::encoded(out));
}

/// 32 rollouts of both: the ego vehicle stands, vehicle 2 is `off` metres away.
std::string message(const std::string& id, float off) {
  test::MadeScene scene{test::trajectory_along(1, 0, 10),
                        test::trajectory_along(2, off, 20)};
  for (auto& one : scene) one.x.assign(80, one.x.front());
  return test::rollouts_message(id, std::vector<test::MadeScene>(32, scene));
}

struct Scored {
  std::string rows;
  json summary;
};

Scored scored(const std::vector<std::string>& files, ScoreOptions options) {
  Scored out;
  const SubmissionFiles submission(files);
  out.summary = json::parse(
      score_submission(submission, options, [&](std::span<const std::byte> bytes) {
        out.rows.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      }));
  return out;
}

TEST_SUITE("results/score") {
  TEST_CASE("scenarios of several files are joined by id, whatever their order") {
    const test::TempFolder folder;
    folder.write("in/m.binproto-00000-of-00002",
                 test::submission_file({message("b", 3), message("x", 0)}));
    folder.write("in/m.binproto-00001-of-00002",
                 test::submission_file({message("a", 0)}));
    const auto data =
        folder.write("d.tfrecord", record("a") + record("c") + record("b"));
    ScoreOptions options;
    options.data = {data};
    for (const std::size_t jobs : {1U, 2U, 5U}) {
      options.jobs = jobs;
      const auto found = scored({(folder.path() / "in").string()}, options);
      CHECK(found.rows ==
            "scenario_id,agents,evaluated,rollouts,mismatches,ade,min_ade,fde,min_fde,"
            "collision_rate,off_lane_rate,best_rollout\n"
            "a,2,2,32,0,0.0,0.0,0.0,0.0,0.0,NaN,0.0\n"
            "b,2,2,32,0,1.5,1.5,1.5,1.5,0.0,NaN,0.0\n");
      CHECK(found.summary["scenarios"] == 2);
      CHECK(found.summary["ADE"] == 0.75);
      const auto& mismatches = found.summary["mismatches"];
      CHECK(mismatches["scenarios missing"]["first"] == json{"c"});
      CHECK(mismatches["unknown scenarios"]["first"] == json{"x"});
      CHECK(mismatches.size() == 2);
    }
  }

  TEST_CASE("converted data sets give the same scores, also joined in a map") {
    const test::TempFolder folder;
    const auto shard = folder.write(
        "m.binproto", test::submission_file({message("a", 0), message("b", 3)}));
    const auto data = folder.write("d.tfrecord", record("a") + record("b"));
    ScenarioConversion conversion;
    conversion.files = {data};
    ScoreOptions options;
    options.by_rollout = true;
    options.data = {data};
    const auto expected = scored({shard}, options).rows;
    for (const bool with_map : {false, true}) {
      conversion.with_map = with_map;
      const auto converted =
          (folder.path() / (with_map ? "m.zarr" : "p.zarr")).string();
      convert_scenarios(conversion, converted, {});
      options.data = {converted};
      const auto found = scored({shard}, options).rows;
      CHECK(found.find("b,31,1.5,1.5,0.0,") != std::string::npos);
      if (!with_map) CHECK(found == expected);
    }
  }

  TEST_CASE("predictions of nuScenes are scored beside its tables, converted or not") {
    const test::TempFolder folder;
    const auto version = test::write_nuscenes(folder);
    const auto file = folder.write(
        "p.json", json({test::nuscenes_prediction("i00", "f01", {412, 413}, 1),
                        test::nuscenes_prediction("i10", "f10", {420}, 1),
                        test::nuscenes_prediction("i00", "f10", {420}, 1)})
                      .dump());
    ScenarioConversion conversion;
    conversion.format = ScenarioFormat::nuscenes;
    conversion.files = {version};
    conversion.tables = convert::nuscenes_tables();
    const auto converted = (folder.path() / "n.zarr").string();
    convert_scenarios(conversion, converted, {});
    for (const auto& data : {converted, version}) {
      CAPTURE(data);
      ScoreOptions options;
      options.data = {data};
      const auto found = scored({file}, options);
      CHECK(found.rows ==
            "scenario_id,agents,evaluated,rollouts,mismatches,ade,min_ade,fde,min_fde,"
            "collision_rate,off_lane_rate,best_rollout\n"
            "i00_f01,1,1,2,1,0.5,0.0,0.5,0.0,NaN,NaN,NaN\n"
            "i10_f10,1,1,1,1,9.0,9.0,9.0,9.0,NaN,NaN,NaN\n");
      CHECK(found.summary["nuscenes"][0]["minADE"] == 5.0);  // the later of equal ones
      CHECK(found.summary["nuscenes"][1]["minADE"] == 4.5);
      CHECK(found.summary["nuscenes"][1]["missRate"] == 0.5);
      const auto& mismatches = found.summary["mismatches"];
      CHECK(mismatches["agents missing"]["first"] == json{"s0/i00_f02"});
      CHECK(mismatches["unknown scenarios"]["first"] == json{"i00_f10"});
    }
  }

  TEST_CASE("formats are those of other commands") {
    const test::TempFolder folder;
    const auto shard =
        folder.write("m.binproto", test::submission_file({message("a", 0)}));
    ScoreOptions options;
    options.data = {folder.write("d.tfrecord", record("a"))};
    options.format = "json";
    const auto rows = json::parse(scored({shard}, options).rows);
    CHECK(rows.at(0)["scenario_id"] == "a");
    CHECK(rows.at(0)["agents"] == 2);
    options.format = "npy";
    CHECK(scored({shard}, options).rows.starts_with("\x93NUMPY"));
  }

  TEST_CASE("files that are no submission or have nothing in common are refused") {
    const test::TempFolder folder;
    const auto shard =
        folder.write("m.binproto", test::submission_file({message("a", 0)}));
    ScoreOptions options;
    options.data = {folder.write("d.tfrecord", record("b"))};
    const auto code = [&](const std::vector<std::string>& files) {
      return test::error_code([&] { scored(files, options); });
    };
    CHECK(code({shard}) == Errc::not_found);
    CHECK(code({(folder.path() / "absent").string()}) == Errc::not_found);
    CHECK(code({folder.write("a.tar.gz", "")}) == Errc::unsupported);
    CHECK(code({folder.write("damaged.binproto", "\x0a\x7f\x0a")}) ==
          Errc::corrupt_chunk);
    CHECK(code({shard, shard}) == Errc::invalid_metadata);
    std::filesystem::create_directory((folder.path() / "empty").string());
    CHECK(code({(folder.path() / "empty").string()}) == Errc::not_found);
    options.data = {(folder.path() / "empty").string()};
    CHECK(code({shard}) == Errc::not_found);
  }

  TEST_CASE("the real submission has the collisions of an independent computation") {
    BEV_REQUIRE_WAYMO();
    ScoreOptions options;
    options.data = {test::waymo_files() + "/testdata"};
    const auto found =
        scored({test::waymo_files() + "/sim_agents/testdata/test_submission.binproto"},
               options);
    CHECK(found.summary["collisionRate"] == 0.6875);
    CHECK(found.summary["mismatches"].empty());
  }
}

}  // namespace
}  // namespace score_command_test
