#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/rollout/report.hpp"
#include "core/rollout/rollout.hpp"
#include "wasm/guard.hpp"
#include "wasm/records.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp. Simulated
// scenes.

namespace bev::wasm {
namespace {

using emscripten::val;
using rollout::Recorded;
using rollout::Roads;
using rollout::Rollout;
using rollout::SceneRollout;

Rollout* read(val text, std::string where) {
  const auto bytes = bytes_from(text);
  return new Rollout(rollout::read_rollout(
      {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, where));
}

/// Returns a rollout of one scene from arrays.
Rollout* scene_of(val from) {
  SceneRollout scene;
  scene.scene = from["scene"].as<std::uint32_t>();
  scene.first_frame = from["first_frame"].as<std::uint32_t>();
  scene.timestamps = integers_of<std::int64_t>(from["timestamps"]);
  scene.ego_x = numbers_from(from["ego_x"]);
  scene.ego_y = numbers_from(from["ego_y"]);
  scene.ego_yaw = numbers_from(from["ego_yaw"]);
  scene.counts = counts_from(from["counts"]);
  scene.track_id = integers_of<std::uint64_t>(from["track_id"]);
  scene.x = numbers_from(from["x"]);
  scene.y = numbers_from(from["y"]);
  scene.yaw = numbers_from(from["yaw"]);
  scene.length = numbers_from(from["length"]);
  scene.width = numbers_from(from["width"]);
  rollout::check(scene, "rollout");
  return new Rollout{"", {std::move(scene)}};
}

std::string name(Rollout& rollout) {
  return rollout.name;
}

val scenes(Rollout& rollout) {
  std::vector<double> out;
  for (const auto& scene : rollout.scenes) out.push_back(scene.scene);
  return copy_of(out);
}

Roads::Lines lines_from(const val& lines) {
  return {numbers_from(lines["points"]), counts_from(lines["offsets"])};
}

/// @param lanes  undefined without a map
val compare(Rollout& rollout, double number, val rows, val lanes) {
  const auto found =
      std::find_if(rollout.scenes.begin(), rollout.scenes.end(),
                   [&](const SceneRollout& one) { return one.scene == number; });
  if (found == rollout.scenes.end())
    fail(Errc::out_of_range, {"rollout: no scene ", std::to_string(number)});
  const Recorded recorded{integers_of<std::int64_t>(rows["timestamps"]),
                          numbers_from(rows["ego_translation"]),
                          numbers_from(rows["ego_rotation"]),
                          integers_of<scene::Interval>(rows["agent_index_interval"]),
                          integers_of<std::uint64_t>(rows["track_ids"]),
                          numbers_from(rows["centroids"])};
  const auto roads = lanes.isUndefined()
                         ? Roads()
                         : Roads(lines_from(lanes["left"]), lines_from(lanes["right"]));
  const auto report = rollout::compare(*found, recorded, roads);
  const auto outlines = rollout::outlines(*found);
  const std::vector<std::uint32_t> first{report.first_frame};
  const std::array arrays{
      array_of("first_frame", "<u4", first),
      array_of("counts", "<u4", found->counts),
      array_of("track_id", "<u8", found->track_id),
      array_of("moved", "|u1", report.moved),
      array_of("displacement", "<f8", report.displacement),
      array_of("reference_distance", "<f8", report.reference_distance),
      array_of("yaw_error", "<f8", report.yaw_error),
      array_of("speed_difference", "<f8", report.speed_difference),
      array_of("simulated_miles", "<f8", report.simulated_miles),
      array_of("recorded_miles", "<f8", report.recorded_miles),
      array_of("collision", "|u1", report.collision),
      array_of("collision_track", "<u8", report.collision_track),
      array_of("off_road", "|u1", report.off_road),
      array_of("agents_displacement", "<f8", report.agents_displacement),
      ResultArray{"outlines",
                  "<f8",
                  {2 * outlines.size()},
                  std::as_bytes(std::span(outlines))}};
  return copies_of(arrays);
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_rollout) {
  emscripten::class_<Rollout>("Rollout")
      .function("name", &Guarded<&name>::call)
      .function("scenes", &Guarded<&scenes>::call)
      .function("compare", &Guarded<&compare>::call);
  emscripten::function("readRollout", &Guarded<&read>::call,
                       emscripten::allow_raw_pointers());
  emscripten::function("rolloutOf", &Guarded<&scene_of>::call,
                       emscripten::allow_raw_pointers());
}

}  // namespace bev::wasm
