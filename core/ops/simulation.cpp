#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/simulation_files.hpp"
#include "core/ops/tables.hpp"
#include "core/simulation/measures.hpp"
#include "core/simulation/scene_run.hpp"

// Simulations of nuPlan's planners: their files, their measures, and recorded scenes beside
// them.

namespace bev::ops {
namespace {

/// A simulation, and its measures once they are asked for.
struct PlannerRun {
  simulation::Simulation simulation;
  std::optional<simulation::Measures> found{};

  const simulation::Measures& measures() {
    if (!found) found = simulation::measures(simulation);
    return *found;
  }
};

}  // namespace

template <>
inline constexpr const char* kObjectName<PlannerRun> = "PlannerRun";

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

template <class T>
double number_or_unknown(const std::optional<T>& value) {
  return value ? static_cast<double>(*value) : kUnknown;
}

std::unique_ptr<SimulationFiles> simulation_files() {
  return std::make_unique<SimulationFiles>();
}

void simulation_begin(SimulationFiles& files, const std::string& name) {
  files.name = name;
  files.file = simulation::Inflated(name);
}

void simulation_push(SimulationFiles& files, const RawBytes& bytes, Index read) {
  files.file.add(bytes, read);
}

void simulation_end(SimulationFiles& files) {
  files.reader.add(files.file.take(), files.name, files.file.read());
}

std::unique_ptr<PlannerRun> planner_run(SimulationFiles& files,
                                        const std::string& folder) {
  auto out = std::make_unique<PlannerRun>(PlannerRun{files.reader.finish()});
  simulation::name_by_folder(out->simulation, folder);
  return out;
}

/// Returns scenario, log, type, map and planner.
std::vector<std::string> run_names(PlannerRun& run) {
  const auto& from = run.simulation;
  return {from.scenario, from.log, from.type, from.map, from.planner};
}

std::vector<std::uint32_t> run_scenes(PlannerRun& run,
                                      const std::vector<std::int64_t>& times,
                                      const std::vector<std::string>& logs) {
  return simulation::scenes_of(run.simulation, times, logs);
}

Outcome run_in_scene(PlannerRun& run, const std::vector<std::int64_t>& timestamps,
                     const std::string& attributes) {
  auto found = simulation::scene_run(run.simulation, timestamps, attributes);
  auto& rollout = found.rollout;
  Outcome out;
  out.add("first_frame", std::vector<std::uint32_t>{rollout.first_frame})
      .add("timestamps", std::move(rollout.timestamps))
      .add("ego_x", std::move(rollout.ego_x))
      .add("ego_y", std::move(rollout.ego_y))
      .add("ego_yaw", std::move(rollout.ego_yaw))
      .add("counts", std::move(rollout.counts))
      .add("track_id", std::move(rollout.track_id))
      .add("x", std::move(rollout.x))
      .add("y", std::move(rollout.y))
      .add("yaw", std::move(rollout.yaw))
      .add("length", std::move(rollout.length))
      .add("width", std::move(rollout.width))
      .add("ego_box", std::move(rollout.ego_box))
      .add("plan_first", std::move(found.plan_first))
      .add("plan", std::move(found.plan))
      .add("expert", std::move(found.expert))
      .add("frames", std::move(found.frames))
      .add("interpolated", static_cast<double>(found.interpolated));
  return out;
}

Outcome run_collisions(PlannerRun& run) {
  const auto& found = run.measures();
  constexpr std::uint8_t kUnknownType = 255;
  std::vector<std::uint32_t> frames;
  std::vector<std::uint64_t> tracks;
  std::vector<std::uint8_t> types;
  for (const auto& one : found.collisions) {
    frames.push_back(static_cast<std::uint32_t>(one.frame));
    tracks.push_back(simulation::track_id(run.simulation.tracks[one.track], one.track));
    types.push_back(one.type ? static_cast<std::uint8_t>(*one.type) : kUnknownType);
  }
  return Outcome()
      .add("frames", std::move(frames))
      .add("track_id", std::move(tracks))
      .add("type", std::move(types))
      .add("no_ego_at_fault_collisions",
           number_or_unknown(found.no_ego_at_fault_collisions));
}

Outcome run_times_to_collision(PlannerRun& run,
                               const std::vector<std::uint32_t>& frames) {
  const auto& found = run.measures();
  const auto& times = found.time_to_collision_ahead;
  std::vector<double> out;
  for (const auto frame : frames) {
    if (frame >= run.simulation.frames.size()) {
      fail_index({"frame "}, frame, run.simulation.frames.size());
    }
    out.push_back(times.empty() ? kUnknown : times[frame]);
  }
  const double least =
      times.empty() ? kUnknown : *std::min_element(times.begin(), times.end());
  return Outcome()
      .add("ahead", std::move(out))
      .add("least", least)
      .add("time_to_collision_within_bound",
           number_or_unknown(found.time_to_collision_within_bound));
}

Outcome run_comfort(PlannerRun& run) {
  const auto& found = run.measures();
  const auto comfort = found.comfort.value_or(simulation::Comfort{});
  return Outcome()
      .add("lon_acceleration", comfort.lon_acceleration)
      .add("lat_acceleration", comfort.lat_acceleration)
      .add("lon_jerk", comfort.lon_jerk)
      .add("jerk", comfort.jerk)
      .add("yaw_rate", comfort.yaw_rate)
      .add("yaw_acceleration", comfort.yaw_acceleration)
      .add("ego_is_comfortable", number_or_unknown(found.ego_is_comfortable));
}

constexpr std::array kSimulationOperations{
    operation<&simulation_files>("simulation_files", "",
                                 "files of a simulation of nuPlan"),
    operation<&simulation_begin, "files", "name">("simulation_begin", "",
                                                  "begins a file"),
    operation<&simulation_push, "files", "bytes", "read">(
        "simulation_push", "",
        "passes its next bytes, inflated; those of the file that were read so far"),
    operation<&simulation_end, "files">("simulation_end", "", "reads the file"),
    operation<&planner_run, "files", "folder">(
        "planner_run", "",
        "the simulation; the folder PLANNER/TYPE/LOG/NAME names scenes"),
    operation<&run_names, "run">("run_names", "",
                                 "scenario, log, type, map and planner; \"\": unknown"),
    operation<&run_scenes, "run", "times", "logs">(
        "run_scenes", "",
        "scenes that it may have frames of, by begin, end and log of each"),
    operation<&run_in_scene, "run", "timestamps", "attributes">(
        "run_in_scene",
        "first_frame <u4 (1); timestamps <i8 (n); ego_x <f8 (n) m; ego_y <f8 (n) m; "
        "ego_yaw <f8 (n) rad; counts <u4 (n); track_id <u8 (m); x <f8 (m) m; y <f8 (m) "
        "m; yaw <f8 (m) rad; length <f8 (m) m; width <f8 (m) m; ego_box <f8 (3) m; "
        "plan_first <u4 (n + 1); plan <f8 (p, 2) m; expert <f8 (e, 2) m; frames <u4 "
        "(n); "
        "interpolated <f8",
        "its frames of a recorded scene, as rollout_of takes them, plans and expert"),
    operation<&run_collisions, "run">(
        "run_collisions",
        "frames <u4 (c); track_id <u8 (c); type |u1 (c); no_ego_at_fault_collisions "
        "<f8",
        "nuPlan's collisions, each track once; type 255 and NaN are unknown"),
    operation<&run_times_to_collision, "run", "frames">(
        "run_times_to_collision",
        "ahead <f8 (n) s; least <f8; time_to_collision_within_bound <f8",
        "nuPlan's time to collision ahead in some frames; NaN is unknown"),
    operation<&run_comfort, "run">(
        "run_comfort",
        "lon_acceleration <f8 (f) m/s2; lat_acceleration <f8 (f) m/s2; lon_jerk <f8 "
        "(f) "
        "m/s3; jerk <f8 (f) m/s3; yaw_rate <f8 (f) rad/s; yaw_acceleration <f8 (f) "
        "rad/s2; ego_is_comfortable <f8",
        "nuPlan's dynamics of all frames, smoothed; empty and NaN if unknown"),
};

}  // namespace

std::span<const Operation> simulation_operations() {
  return kSimulationOperations;
}

}  // namespace bev::ops
