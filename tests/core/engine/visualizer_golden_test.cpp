#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/map_query.hpp"
#include "core/scene/labels.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"

namespace visualizer_golden_test {

// A frame query and a map query return what the reference's visualizer draws: boxes,
// labels, colours, lanes, crosswalks and lines.

using bev::Engine;
using bev::MapQuery;
using bev::ResultArray;
using bev::test::FolderStore;
using bev::test::goldens;
using bev::test::Run;
using nlohmann::json;

namespace {

constexpr double kBoxes = 1e-5;  // metres; sizes and headings are float32
constexpr double kLines = 1e-4;  // the reference's are float32
constexpr double kMap = 1e-6;

template <class T>
std::vector<T> values(const ResultArray& array) {
  std::vector<T> out(array.bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), array.bytes.data(), array.bytes.size());
  return out;
}

/// Returns the largest distance along x or y from n points, starting at `first`, to
/// "xs" and "ys"; infinite if the counts differ.
double off(const std::vector<double>& xy, std::size_t first, std::size_t n,
           const json& shape) {
  if (shape["xs"].size() != n || shape["ys"].size() != n) return INFINITY;
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    most = std::max({most, std::abs(xy[2 * (first + i)] - shape["xs"][i].get<double>()),
                     std::abs(xy[2 * (first + i) + 1] - shape["ys"][i].get<double>())});
  }
  return most;
}

/// Returns a box's corners in the reference's order, starting at the rear right.
std::vector<double> its_order(const std::vector<double>& corners, std::size_t box) {
  std::vector<double> out;
  for (const std::size_t corner : {2U, 1U, 0U, 3U}) {
    out.push_back(corners[8 * box + 2 * corner]);
    out.push_back(corners[8 * box + 2 * corner + 1]);
  }
  return out;
}

const char* colour_of(std::string_view label) {
  if (label == "PERCEPTION_LABEL_CYCLIST") return "#CC33FF";
  if (label == "PERCEPTION_LABEL_PEDESTRIAN") return "#66CCFF";
  return "#1F77B4";
}

void compare_agents(const Run& frame, const json& expected) {
  const auto corners = frame.values<double>("agents.corners");
  const auto kept = frame.values<std::uint8_t>("agents.kept");
  const auto label = frame.values<std::uint8_t>("agents.label");
  const auto probability = frame.values<float>("agents.probability");
  const auto track = frame.values<std::uint64_t>("agents.track_id");
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == 0) continue;
    REQUIRE(drawn < expected.size());
    const json& agent = expected[drawn++];
    CAPTURE(track[i]);
    CHECK(agent["track_id"] == track[i]);
    const auto name = bev::scene::kPerceptionLabels[label[i]];
    CHECK(agent["agent_type"] == std::string(name));
    CHECK(agent["color"] == colour_of(name));
    CHECK(std::abs(agent["prob"].get<double>() - probability[i]) < 1e-6);
    CHECK(off(its_order(corners, i), 0, 4, agent) < kBoxes);
  }
  CHECK(drawn == expected.size());
}

/// Compares the lines of the drawn agents, then the ego vehicle's.
void compare_lines(const Run& near, const std::vector<double>& ego_future,
                   const json& expected) {
  const auto points = near.values<double>("futures.points");
  const auto offsets = near.values<std::uint32_t>("futures.offsets");
  const auto kept = near.values<std::uint8_t>("agents.kept");
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == 0) continue;
    REQUIRE(drawn + 1 < expected.size());
    CAPTURE(i);
    CHECK(off(points, offsets[i], offsets[i + 1] - offsets[i], expected[drawn++]) <
          kLines);
  }
  REQUIRE(drawn + 1 == expected.size());
  CHECK(off(ego_future, 0, ego_future.size() / 2, expected[drawn]) < kLines);
}

std::vector<std::string> lit_faces(const Run& frame) {
  const auto text = frame.text("lights.face_id");
  const auto offsets = frame.values<std::uint32_t>("lights.face_id.offsets");
  const auto status = frame.values<float>("lights.status");
  std::vector<std::string> lit;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (status[3 * i] > 0) {
      lit.push_back(text.substr(offsets[i], offsets[i + 1] - offsets[i]));
    }
  }
  return lit;
}

std::vector<double> outline(const bev::map::Lane& lane) {
  std::vector<double> out;
  for (const auto& point : lane.left.points) out.insert(out.end(), {point.x, point.y});
  const auto& right = lane.right.points;
  for (auto point = right.rbegin(); point != right.rend(); ++point) {
    out.insert(out.end(), {point->x, point->y});
  }
  return out;
}

void compare_map(const MapQuery& town, const Run& frame, const json& expected) {
  constexpr const char* kColours[] = {"gray", "#FF3300", "#FFFF66", "#33CC33"};
  const auto ego = frame.values<double>("ego.translation");
  const auto colours = town.lane_colours(lit_faces(frame));
  const auto lanes = town.near(ego[0], ego[1], 50);
  REQUIRE(lanes.size() == expected["lanes"].size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const json& lane = expected["lanes"][i];
    const auto line = outline(town.map().lanes()[lanes[i]]);
    CAPTURE(lanes[i]);
    CHECK(off(line, 0, line.size() / 2, lane) < kMap);
    CHECK(lane["color"] == kColours[colours[lanes[i]]]);
  }
  const auto crosswalks = town.crosswalks_near(ego[0], ego[1], 50);
  REQUIRE(crosswalks.size() == expected["crosswalks"].size());
  for (std::size_t i = 0; i < crosswalks.size(); ++i) {
    std::vector<double> line;
    for (const auto& point : town.map().crosswalks()[crosswalks[i]].outline) {
      line.insert(line.end(), {point.x, point.y});
    }
    CHECK(off(line, 0, line.size() / 2, expected["crosswalks"][i]) < kMap);
  }
}

void compare_scene(const std::string& source, std::uint64_t scene) {
  CAPTURE(source);
  const auto inputs = goldens() + "/inputs/";
  const FolderStore store(inputs + source + "_scene.zarr");
  const MapQuery town(bev::test::read_file(inputs + "town_map.pb"),
                      bev::test::read_file(inputs + "meta.json"));
  const auto expected = json::parse(
      bev::test::read_text(goldens() + "/outputs/visualizer/" + source + ".json"));
  Engine engine;
  CHECK(expected.size() == 3);
  for (const auto& entry : expected.items()) {
    CAPTURE(entry.key());
    const auto number = static_cast<std::uint64_t>(std::stoul(entry.key()));
    Engine::FrameOptions options;
    options.threshold = 0.1F;
    options.future = 99;
    const auto far = engine.frame(scene, number, options);
    const auto ego_future =
        bev::test::run(engine, *far, store).values<double>("ego.future");
    options.future = 19;
    options.across_gaps = true;
    const auto query = engine.frame(scene, number, options);
    const auto frame = bev::test::run(engine, *query, store);
    compare_agents(frame, entry.value()["agents"]);
    compare_lines(frame, ego_future, entry.value()["trajectories"]);
    compare_map(town, frame, entry.value());
    CHECK(off(its_order(frame.values<double>("ego.corners"), 0), 0, 4,
              entry.value()["ego"]) < kBoxes);
  }
}

}  // namespace

TEST_SUITE("engine/visualizer_golden") {
  TEST_CASE("frames and maps match L5Kit's visualizer") {
    BEV_REQUIRE_GOLDENS();
    compare_scene("single", 0);
    compare_scene("multi", 2);
  }
}

}  // namespace visualizer_golden_test
