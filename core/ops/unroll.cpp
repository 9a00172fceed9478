#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/scene_arrays.hpp"
#include "core/ops/tables.hpp"
#include "core/sample/config.hpp"
#include "core/scene/nearest_agents.hpp"
#include "core/scene/overlay.hpp"
#include "core/unroll/loop.hpp"

// Closed loops: scenes in memory that models drive through. Agents that models predict.

namespace bev::ops {

namespace {

/// The scenes that a simulation will have. Queries that read scenes share it.
class Starts {
 public:
  void add(unroll::Start start) {
    if (begun_) {
      fail(Errc::invalid_argument,
           {"simulation: has begun; scenes must be added before"});
    }
    scenes_.push_back(std::move(start));
  }

  std::vector<unroll::Start> take() {
    begun_ = true;
    return std::exchange(scenes_, {});
  }

 private:
  std::vector<unroll::Start> scenes_;
  bool begun_ = false;
};

/// A simulation; it begins with the first question.
struct Simulation {
  unroll::Config config;
  std::shared_ptr<Starts> starts = std::make_shared<Starts>();
  std::optional<unroll::Loop> made;

  unroll::Loop& loop() {
    if (!made) made.emplace(config, starts->take());
    return *made;
  }
};

/// Which agents a model predicts, in the scene that was read last.
struct Subjects {
  scene::SubjectRules rules;
  std::shared_ptr<scene::SceneArrays> scene = std::make_shared<scene::SceneArrays>();
};

}  // namespace

template <>
inline constexpr const char* kObjectName<Simulation> = "Simulation";
template <>
inline constexpr const char* kObjectName<Subjects> = "Subjects";

template <>
struct Members<unroll::Config> {
  static void visit(const auto& visitor, auto& config) {
    visitor("use_ego_gt", config.use_ego_gt);
    visitor("use_agents_gt", config.use_agents_gt);
    visitor("disable_new_agents", config.disable_new_agents);
    visitor("distance_th_far", config.distance_th_far);
    visitor("distance_th_close", config.distance_th_close);
    visitor("filter_agents_threshold", config.filter_agents_threshold);
  }
};

namespace {

using Ids = std::vector<std::uint64_t>;
using Numbers = std::vector<std::uint32_t>;

std::unique_ptr<SceneArraysQuery> scene_arrays(Engine& engine, Index scene) {
  return engine.scene_arrays(scene);
}

/// Returns the threshold of the agents in the samples of a config.
float threshold_of(const std::string& config) {
  const auto read = sample::Config::parse(config);
  return static_cast<float>(read.number("raster_params.filter_agents_threshold"));
}

std::unique_ptr<Simulation> make_simulation(unroll::Config config,
                                            std::optional<Index> start_frame_index,
                                            std::optional<Index> num_simulation_steps,
                                            const std::optional<std::string>& samples) {
  if (samples) config.filter_agents_threshold = threshold_of(*samples);
  if (start_frame_index) config.start_frame_index = *start_frame_index;
  if (num_simulation_steps) config.num_simulation_steps = *num_simulation_steps;
  auto out = std::make_unique<Simulation>();
  out->config = config;
  return out;
}

void add_scene(Simulation& simulation, SceneArraysQuery& arrays) {
  simulation.starts->add({arrays.scene(), arrays.take()});
}

std::unique_ptr<SceneArraysQuery> simulated_scene(Simulation& simulation,
                                                  Engine& engine, Index scene) {
  auto out = engine.scene_arrays(scene);
  out->give_to([starts = simulation.starts,
                number = std::uint64_t{scene}](scene::SceneArrays arrays) {
    starts->add({number, std::move(arrays)});
  });
  return out;
}

double simulation_frames(Simulation& simulation) {
  return static_cast<double>(simulation.loop().size());
}

std::unique_ptr<Engine> simulation_engine(Simulation& simulation, Engine& engine,
                                          bool recorded) {
  auto& loop = simulation.loop();
  return std::make_unique<Engine>(
      engine.with(recorded ? loop.recorded() : loop.overlay()));
}

Numbers scenes_of(const std::vector<sample::SampleId>& ids) {
  Numbers out;
  for (const auto& id : ids) out.push_back(static_cast<std::uint32_t>(id.scene));
  return out;
}

Outcome controlled_agents(Simulation& simulation, Index frame) {
  const auto found = simulation.loop().agents(frame);
  Ids tracks;
  for (const auto& id : found) tracks.push_back(id.track_id.value_or(0));
  Outcome out;
  out.add("scenes", scenes_of(found)).add("tracks", std::move(tracks));
  return out;
}

Outcome controlled_egos(Simulation& simulation, Index frame) {
  Outcome out;
  out.add("scenes", scenes_of(simulation.loop().ego(frame)));
  return out;
}

void take_steps(Simulation& simulation, Index frame, const Numbers& scenes,
                const std::optional<Ids>& tracks, const std::vector<double>& positions,
                const std::vector<double>& yaws, std::uint32_t steps) {
  if (tracks && tracks->size() != scenes.size()) {
    fail(Errc::invalid_argument, {"tracks: wrong length (found ", tracks->size(),
                                  ", expected ", scenes.size(), ")"});
  }
  std::vector<sample::SampleId> ids;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    ids.push_back({scenes[i], frame,
                   tracks ? std::optional<std::uint64_t>((*tracks)[i]) : std::nullopt});
  }
  simulation.loop().take(ids, {positions, yaws, steps});
}

Outcome simulation_rollout(Simulation& simulation, Index scene,
                           std::optional<std::uint32_t> begin,
                           std::optional<std::uint32_t> end) {
  auto made = simulation.loop().rollout(scene, begin.value_or(0), end);
  Outcome out;
  out.add("first_frame", Numbers{made.first_frame})
      .add("timestamps", std::move(made.timestamps))
      .add("ego_x", std::move(made.ego_x))
      .add("ego_y", std::move(made.ego_y))
      .add("ego_yaw", std::move(made.ego_yaw))
      .add("counts", std::move(made.counts))
      .add("track_id", std::move(made.track_id))
      .add("x", std::move(made.x))
      .add("y", std::move(made.y))
      .add("yaw", std::move(made.yaw))
      .add("length", std::move(made.length))
      .add("width", std::move(made.width));
  return out;
}

std::unique_ptr<Subjects> make_subjects(
    const std::string& config, const std::optional<std::vector<std::string>>& labels,
    std::optional<std::uint32_t> most) {
  auto out = std::make_unique<Subjects>();
  out->rules.threshold = threshold_of(config);
  if (labels) out->rules.set_labels(*labels);
  if (most) out->rules.most = *most;
  return out;
}

std::unique_ptr<SceneArraysQuery> scene_of_subjects(Subjects& subjects, Engine& engine,
                                                    Index scene) {
  auto out = engine.scene_arrays(scene);
  out->give_to(
      [to = subjects.scene, number = std::uint64_t{scene}](scene::SceneArrays arrays) {
        scene::check_arrays(number, arrays);
        *to = std::move(arrays);
      });
  return out;
}

Outcome subjects_of_frame(Subjects& subjects, Index frame) {
  Outcome out;
  out.add("tracks", scene::nearest_agents(*subjects.scene, frame, subjects.rules));
  return out;
}

constexpr std::array kUnrollOperations{
    operation<&scene_arrays, "engine", "scene">(
        "scene_arrays", "", "reads a scene, to be changed, or for its columns"),
    operation<&make_simulation, "start_frame_index", "num_simulation_steps", "config">(
        "simulate", "",
        "a simulation by L5Kit's SimulationConfig, without scenes yet; the samples' "
        "config has the threshold of agents"),
    operation<&add_scene, "simulation", "arrays">(
        "add_scene", "", "adds a scene that was read, before all other questions"),
    operation<&simulated_scene, "simulation", "engine", "scene">(
        "simulated_scene", "", "reads a scene, and adds it with its build"),
    operation<&simulation_frames, "simulation">("simulation_frames", "",
                                                "number of simulated frames"),
    operation<&simulation_engine, "simulation", "engine", "recorded">(
        "simulation_engine", "",
        "the data set with simulated scenes, or with those before the simulation"),
    operation<&controlled_agents, "simulation", "frame">(
        "controlled_agents", "scenes <u4 (n); tracks <u8 (n)",
        "agents that are controlled in a frame, and then up to distance_th_far"),
    operation<&controlled_egos, "simulation", "frame">(
        "controlled_egos", "scenes <u4 (n)",
        "scenes whose ego vehicle is controlled in a frame"),
    operation<&take_steps, "simulation", "frame", "scenes", "tracks", "positions",
              "yaws", "steps">("take_steps", "",
                               "moves tracks, or ego vehicles, by the first of (n, "
                               "steps, 2) positions and (n, "
                               "steps) yaws relative to their poses"),
    operation<&simulation_rollout, "simulation", "scene", "begin", "end">(
        "simulation_rollout",
        "first_frame <u4 (1); timestamps <i8 (n); ego_x <f8 (n) m; ego_y <f8 (n) m; "
        "ego_yaw <f8 (n) rad; counts <u4 (n); track_id <u8 (m); x <f8 (m) m; y <f8 (m) "
        "m; yaw <f8 (m) rad; length <f8 (m) m; width <f8 (m) m",
        "a simulated scene, or frames of it, as rollout_of takes it"),
    operation<&make_subjects, "config", "labels", "most">(
        "subjects", "",
        "agents that a model predicts: above the config's threshold, of some labels, "
        "the "
        "nearest to the ego vehicle"),
    operation<&scene_of_subjects, "subjects", "engine", "scene">(
        "scene_of_subjects", "", "reads the scene of the subjects, with its build"),
    operation<&subjects_of_frame, "subjects", "frame">(
        "subjects_of_frame", "tracks <u8 (n)",
        "the subjects in a frame of the scene, the nearest first"),
};

}  // namespace

std::span<const Operation> unroll_operations() {
  return kUnrollOperations;
}

}  // namespace bev::ops
