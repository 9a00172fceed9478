#include "core/rollout/rollout.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/recorded_columns.hpp"
#include "core/ops/tables.hpp"
#include "core/rollout/report.hpp"

// Simulated scenes.

namespace bev::ops {

template <>
inline constexpr const char* kObjectName<rollout::Rollout> = "Rollout";

template <>
struct Members<rollout::SceneRollout> {
  static void visit(const auto& visitor, auto& scene) {
    visitor("scene", scene.scene);
    visitor("first_frame", scene.first_frame);
    visitor("timestamps", scene.timestamps);
    visitor("ego_x", scene.ego_x);
    visitor("ego_y", scene.ego_y);
    visitor("ego_yaw", scene.ego_yaw);
    visitor("counts", scene.counts);
    visitor("track_id", scene.track_id);
    visitor("x", scene.x);
    visitor("y", scene.y);
    visitor("yaw", scene.yaw);
    visitor("length", scene.length);
    visitor("width", scene.width);
    visitor("ego_box", scene.ego_box);
  }
};

namespace {

using rollout::Roads;
using rollout::Rollout;
using rollout::SceneRollout;
using Offsets = std::vector<std::uint32_t>;

std::unique_ptr<Rollout> read_rollout(const RawBytes& json, const std::string& where) {
  return std::make_unique<Rollout>(rollout::read_rollout(
      {reinterpret_cast<const char*>(json.data()), json.size()}, where));
}

std::unique_ptr<Rollout> rollout_of(SceneRollout scene) {
  auto out = std::make_unique<Rollout>();
  rollout::add_scene(*out, std::move(scene), "rollout");
  return out;
}

void add_simulated(Rollout& rollout, SceneRollout scene) {
  rollout::add_scene(rollout, std::move(scene), "rollout");
}

std::string write_rollout(Rollout& rollout, const std::optional<std::string>& name) {
  if (name) rollout.name = *name;
  return rollout::write_rollout(rollout);
}

std::string rollout_name(Rollout& rollout) {
  return rollout.name;
}

std::vector<double> rollout_scenes(Rollout& rollout) {
  std::vector<double> out;
  for (const auto& scene : rollout.scenes) out.push_back(scene.scene);
  return out;
}

const SceneRollout& scene_of(const Rollout& rollout, std::uint32_t number) {
  const auto found =
      std::find_if(rollout.scenes.begin(), rollout.scenes.end(),
                   [&](const SceneRollout& one) { return one.scene == number; });
  if (found == rollout.scenes.end())
    fail(Errc::out_of_range, {"rollout: no scene ", number});
  return *found;
}

Outcome compare_rollout(Rollout& rollout, std::uint32_t scene,
                        const rollout::Recorded& recorded,
                        std::optional<std::vector<double>> left,
                        std::optional<Offsets> left_offsets,
                        std::optional<std::vector<double>> right,
                        std::optional<Offsets> right_offsets) {
  const auto& simulated = scene_of(rollout, scene);
  const bool has_map = left && left_offsets && right && right_offsets;
  const auto roads = has_map ? Roads({*std::move(left), *std::move(left_offsets)},
                                     {*std::move(right), *std::move(right_offsets)})
                             : Roads();
  auto report = rollout::compare(simulated, recorded, roads);
  std::vector<double> outlines;
  for (const auto& point : rollout::outlines(simulated)) {
    outlines.push_back(point.x);
    outlines.push_back(point.y);
  }
  Outcome out;
  out.add("first_frame", std::vector<std::uint32_t>{report.first_frame})
      .add("counts", simulated.counts)
      .add("track_id", simulated.track_id)
      .add("moved", std::move(report.moved))
      .add("displacement", std::move(report.displacement))
      .add("reference_distance", std::move(report.reference_distance))
      .add("yaw_error", std::move(report.yaw_error))
      .add("speed_difference", std::move(report.speed_difference))
      .add("simulated_miles", std::move(report.simulated_miles))
      .add("recorded_miles", std::move(report.recorded_miles))
      .add("collision", std::move(report.collision))
      .add("collision_track", std::move(report.collision_track))
      .add("off_road", std::move(report.off_road))
      .add("agents_displacement", std::move(report.agents_displacement))
      .add("outlines", std::move(outlines));
  return out;
}

constexpr std::array kRolloutOperations{
    operation<&read_rollout, "json", "where">("read_rollout", "",
                                              "a file of simulated scenes"),
    operation<&rollout_of>("rollout_of", "", "one simulated scene from arrays"),
    operation<&add_simulated, "rollout">("add_simulated", "", "adds a simulated scene"),
    operation<&write_rollout, "rollout", "name">("write_rollout", "",
                                                 "a file of the scenes, as JSON"),
    operation<&rollout_name, "rollout">("rollout_name", "",
                                        "name in the file, or none"),
    operation<&rollout_scenes, "rollout">("rollout_scenes", "",
                                          "numbers of the scenes, ascending"),
    operation<&compare_rollout, "rollout", "scene", "left", "left_offsets", "right",
              "right_offsets">(
        "compare_rollout",
        "first_frame <u4 (1); counts <u4 (n); track_id <u8 (m); moved |u1 (m); "
        "displacement <f8 (n) m; reference_distance <f8 (n) m; yaw_error <f8 (n) rad; "
        "speed_difference <f8 (n) m/s; simulated_miles <f8 (n); recorded_miles <f8 "
        "(n); "
        "collision |u1 (n); collision_track <u8 (n); off_road |u1 (n); "
        "agents_displacement <f8 (n) m; outlines <f8 (n + m, 7, 2) m",
        "compares a simulated scene with the recorded one: docs/rollouts.md"),
};

}  // namespace

std::span<const Operation> rollout_operations() {
  return kRolloutOperations;
}

}  // namespace bev::ops
