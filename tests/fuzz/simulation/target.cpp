#include "tests/fuzz/simulation/target.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/error.hpp"
#include "core/simulation/measures.hpp"
#include "core/simulation/reader.hpp"
#include "core/simulation/scenario.hpp"
#include "tests/support/simulation_logs.hpp"

namespace bev::test {
namespace {

using namespace bev::simulation;

void require_simulation(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

bool is_refused_simulation(const Error& error) {
  return error.code() == Errc::corrupt_chunk ||
         error.code() == Errc::invalid_metadata ||
         error.code() == Errc::invalid_argument ||
         error.code() == Errc::limit_exceeded || error.code() == Errc::unsupported;
}

void check_pose(const Pose& pose) {
  require_simulation(std::isfinite(pose.x + pose.y + pose.yaw), "a pose is finite");
}

void check_frames(const Simulation& found) {
  const auto* before = &found.frames.front();
  for (const auto& frame : found.frames) {
    require_simulation(&frame == before || before->time_us < frame.time_us,
                       "times ascend");
    before = &frame;
    check_pose(frame.ego);
    for (const auto& box : frame.boxes) {
      require_simulation(box.track < found.tracks.size(), "boxes have tracks");
      check_pose(box.pose);
    }
    for (const auto& state : frame.plan) check_pose(state.pose);
  }
}

void check_measures(const Simulation& found) {
  const auto values = measures(found);
  require_simulation(values.time_to_collision_ahead.empty() ||
                         values.time_to_collision_ahead.size() == found.frames.size(),
                     "a time to collision per frame");
  require_simulation(values.collisions.size() <= found.tracks.size(),
                     "a collision per track");
  if (values.comfort) {
    require_simulation(values.comfort->jerk.size() == found.frames.size(),
                       "a jerk per frame");
  }
}

}  // namespace

void simulation_target(std::span<const std::byte> input) {
  try {
    Reader reader;
    reader.add(input, "f", input.size());
    const auto found = reader.finish();
    check_frames(found);
    if (found.frames.size() * found.tracks.size() < 10'000) check_measures(found);
    scenario_of(found, convert::nuplan_tables());
  } catch (const Error& error) {
    require_simulation(is_refused_simulation(error), "a refusal has a code for files");
  }
}

std::vector<SimulationSeed> simulation_seeds() {
  auto samples = straight_samples(4);
  for (auto& sample : samples) {
    sample.boxes = {{"0a", 0, {5, 0, 0.5}, 2}, {"", 3, {9, 9, 0}, 0, 1, 1, true}};
    sample.plan = {{sample.time_us, sample.centre}};
  }
  const auto log = pickled_log(samples);
  const auto size = static_cast<std::uint32_t>(log.size());
  using nlohmann::json;
  const auto scene = json::parse(R"({
    "timestamp_us": 100, "map_name": "m", "ego": {"pose": [100000.5, 2.5, 0.1]},
    "world": {
      "vehicles": [{"id": "0a", "speed": 1.5,
                    "box": {"pose": [1, 2, 0.5], "size": [2, 4]}}],
      "barrier": [{"id": 7, "box": {"pose": [1, 2, 0.5]}}]},
    "trajectories": {
      "ego_predicted_trajectory": {"states": [{"pose": [1.5, 2, 0]}]},
      "ego_expert_trajectory": {"states": [{"pose": [1.5, 2, 0]}]}},
    "traffic_light_status": [{"status": "RED", "lane_connector_id": 7}]
  })");
  const auto packed = json::to_msgpack(json::array({scene}));
  return {{"log.pkl", log},
          {"log.msgpack", "\xc6" + pickled::stored(size, std::endian::big) + log},
          {"scene.json", scene.dump()},
          {"scenes.json", json::array({scene}).dump()},
          {"scenes.msgpack", {packed.begin(), packed.end()}}};
}

}  // namespace bev::test
