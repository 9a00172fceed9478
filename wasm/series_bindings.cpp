#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <optional>
#include <string>
#include <vector>

#include "core/series/scene_series.hpp"
#include "wasm/guard.hpp"
#include "wasm/records.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp. Quantities of
// a scene's tracks over time.

namespace bev::wasm {
namespace {

using emscripten::val;
using series::SceneSeries;

SceneSeries* series_of(val rows) {
  return new SceneSeries(
      {integers_of<std::int64_t>(rows["timestamps"]),
       numbers_from(rows["ego_translation"]), numbers_from(rows["ego_rotation"]),
       integers_of<scene::Interval>(rows["agent_index_interval"]),
       integers_of<std::uint64_t>(rows["track_ids"]), numbers_from(rows["centroids"]),
       integers_of<float>(rows["yaws"]), integers_of<float>(rows["extents"]),
       integers_of<float>(rows["label_probabilities"]),
       integers_of<std::uint8_t>(rows["absent"])});
}

series::FlatLines lines_from(const val& lines) {
  return {numbers_from(lines["points"]), counts_from(lines["offsets"])};
}

void set_lanes(SceneSeries& series, val left, val right) {
  series.set_lanes({lines_from(left), lines_from(right)});
}

void set_threshold(SceneSeries& series, double threshold) {
  series.set_threshold(static_cast<float>(threshold));
}

/// @param track  undefined: the ego vehicle
series::Subject subject_from(const val& track) {
  if (track.isUndefined()) return std::nullopt;
  return track.as<std::uint64_t>();
}

val values(SceneSeries& series, val track, std::string quantity) {
  return copy_of(series.values(subject_from(track), series::quantity_from(quantity)));
}

val rows_of(SceneSeries& series, val track) {
  const auto rows = series.rows_of(subject_from(track));
  return copy_of(std::vector<double>(rows.begin(), rows.end()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_series) {
  emscripten::class_<SceneSeries>("SceneSeries")
      .function("setLanes", &Guarded<&set_lanes>::call)
      .function("setThreshold", &Guarded<&set_threshold>::call)
      .function("values", &Guarded<&values>::call)
      .function("rows", &Guarded<&rows_of>::call);
  emscripten::function("seriesOf", &Guarded<&series_of>::call,
                       emscripten::allow_raw_pointers());
}

}  // namespace bev::wasm
