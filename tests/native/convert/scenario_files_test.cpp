#include "native/convert/scenario_files.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "core/convert/pickled_values.hpp"
#include "core/convert/scenarionet_pickle.hpp"
#include "native/source/source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/waymo.hpp"

namespace scenario_files_test {

namespace fs = std::filesystem;

using namespace bev;
using namespace bev::native;

namespace {

std::string problem(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Returns the greatest distance of a lane's points from those of its centre line, which
/// it has in the same order.
double farthest(const std::vector<geom::Vec3>& points,
                const std::vector<geom::Vec3>& centre, bool has_height) {
  double out = 0;
  std::size_t at = 0;
  for (const auto& p : points) {
    const auto distance = [&](std::size_t i) {
      return std::hypot(centre[i].x - p.x, centre[i].y - p.y,
                        has_height ? centre[i].z - p.z : 0);
    };
    // A joint that the file repeats is one point.
    if (at + 1 < centre.size() && distance(at + 1) < distance(at)) ++at;
    out = std::max(out, distance(at));
  }
  return out;
}

/// Compares the lanes of a pickle with those of its scenario; returns their number.
std::size_t check_lanes(const fs::path& path) {
  const auto bytes = *test::find_file(path.string());
  const auto pickle = convert::read_scenarionet_pickle(bytes);
  const auto features = pickle.root().find("map_features");
  if (!features) return 0;
  const auto dataset = pickle.root().find("metadata").find("dataset").text();
  const bool has_height = dataset != "nuscenes";
  LocalScenarios files(ScenarioFormat::scenarionet, {path.string()},
                       tables_of(ScenarioFormat::scenarionet));
  const auto scenario = files.read(files.find().front(), {});
  std::map<std::string, const convert::SourceLane*> lanes;
  for (const auto& lane : scenario.map->lanes) lanes[lane.id] = &lane;
  convert::PickledValues values("pickle", 10'000'000);
  std::size_t count = 0;
  for (auto item = features.items().begin(); item != features.items().end(); ++item) {
    const std::string name(*(*item).text());
    ++item;
    const auto points = values.points((*item).find("polyline"), has_height);
    const auto lane = lanes.find(name);
    if (lane == lanes.end()) continue;
    REQUIRE(points.has_value());
    CHECK(farthest(*points, lane->second->centre, has_height) <= 1e-6);
    ++count;
  }
  CHECK(count == lanes.size());
  return count;
}

}  // namespace

TEST_SUITE("convert/scenario_files") {
  TEST_CASE("formats are known by names, and folders have one") {
    const test::TempFolder folder;
    const auto format = [&](const std::string& path) {
      const auto found = scenario_format(folder.at(path));
      return found ? std::string(name_of(*found)) : "none";
    };
    folder.write("w/deep/a.tfrecord-00000-of-00002", "");
    folder.write("s/dataset_mapping.pkl", "");
    folder.write("p/x.pkl", "");
    folder.write("a/0a1e/scenario_0a1e.parquet", "");
    folder.write("n/deep/log.db", "");
    folder.write("t/part.parquet", "");
    folder.write("c/deep/a.xml", "<?xml version='1.0'?>\n<commonRoad>");
    folder.write("c/deep/b.xml", "<project/>");
    folder.write("x.xml", "<project/>");
    folder.write("z/.zgroup", "{}");
    folder.write("z/x.pkl", "");
    folder.write("both/a.tfrecord", "");
    folder.write("both/b.pkl", "");
    folder.write("stores/z/.zgroup", "{}");
    folder.write("stores/z/x.pkl", "");
    folder.write("x.tfrecord.zip", "");
    CHECK(format("w") == "waymo");
    CHECK(format("w/deep/a.tfrecord-00000-of-00002") == "waymo");
    CHECK(format("s") == "scenarionet");
    CHECK(format("s/dataset_mapping.pkl") == "none");
    CHECK(format("p/x.pkl") == "scenarionet");
    CHECK(format("a") == "argoverse2");
    CHECK(format("a/0a1e/scenario_0a1e.parquet") == "argoverse2");
    CHECK(format("n") == "nuplan");
    CHECK(format("n/deep/log.db") == "nuplan");
    CHECK(format("c") == "commonroad");
    CHECK(format("c/deep/a.xml") == "commonroad");
    CHECK(format("x.xml") == "none");
    CHECK(find_scenarios(ScenarioFormat::commonroad, {folder.at("c")}) ==
          std::vector<std::string>{folder.at("c/deep/a.xml")});
    CHECK(format("t") == "none");
    CHECK(format("z") == "none");
    CHECK(format("stores") == "none");
    CHECK(format("x.tfrecord.zip") == "none");
    CHECK(format("absent") == "none");
    CHECK(problem([&] { format("both"); }).find("and of ") != std::string::npos);
    CHECK(test::error_code([&] { open_source(folder.at("a")); }) == Errc::unsupported);
    CHECK(scenario_format_of_address("https://h/a/x.tfrecord-00000-of-01000?k=1") ==
          ScenarioFormat::waymo);
    CHECK(scenario_format_of_address("s3://b/x.pkl") == ScenarioFormat::scenarionet);
    CHECK(scenario_format_of_address("https://h/a.db#x") == ScenarioFormat::nuplan);
    CHECK(scenario_format_of_address("https://h/a.xml") == ScenarioFormat::commonroad);
    CHECK(!scenario_format_of_address("https://h/x.tfrecord.zarr").has_value());
    CHECK(!scenario_format_of_address("https://h/dataset_summary.pkl").has_value());
  }

  TEST_CASE("files are read in the state that is expected") {
    const test::TempFolder folder;
    const auto content = test::tfrecord(test::encoded(test::small_waymo()));
    const auto path = folder.write("x.tfrecord", content);
    LocalScenarios files(ScenarioFormat::waymo, {path},
                         tables_of(ScenarioFormat::waymo));
    const auto item = files.find().front();
    CHECK(files.read(item, {}).file == "x.tfrecord");
    CHECK(files.read(item, {}).record == 0);
    const auto states = files.states();
    files.expect(states);
    CHECK(files.read(item, {}).id == "made-up");
    folder.write("x.tfrecord", content + content);
    CHECK(files.states() != states);
    CHECK(problem([&] { files.read(item, {}); }) ==
          path + ": changed while the data set was read; open it again");
    fs::remove(path);
    CHECK(test::error_code([&] { files.read(item, {}); }) == Errc::changed);
    CHECK(test::error_code([&] { files.states(); }) == Errc::not_found);
  }

  TEST_CASE("lanes of ScenarioNet's own files keep their points") {
    const char* const folder = std::getenv("BEV_SCENARIONET");
    if (folder == nullptr) {
      std::printf("[skipped] lanes of ScenarioNet's own files keep their points\n");
      return;
    }
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".pkl") count += check_lanes(entry.path());
    }
    CHECK(count > 1'000);
  }
}

}  // namespace scenario_files_test
