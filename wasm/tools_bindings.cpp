#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/eval/csv.hpp"
#include "core/eval/metrics.hpp"
#include "core/eval/records.hpp"
#include "core/geom/arrays.hpp"
#include "core/map/area.hpp"
#include "core/sample/agent_filters.hpp"
#include "wasm/guard.hpp"
#include "wasm/options.hpp"
#include "wasm/records.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp. Functions
// that need no data set.

namespace bev::wasm {
namespace {

using emscripten::val;
using geom::Numbers;
using geom::NumberSpan;

/// Wire type of a core function's parameter.
template <class T>
struct Wire;
template <>
struct Wire<NumberSpan> {
  using Type = val;
  static Numbers from(const val& numbers) { return numbers_from(numbers); }
};
template <>
struct Wire<double> {
  using Type = double;
  static double from(double number) { return number; }
};

/// `Computed<&f>::call` calls `f` on typed arrays.
template <auto Fn>
struct Computed;
template <class... A, Numbers (*Fn)(A...)>
struct Computed<Fn> {
  static val call(typename Wire<A>::Type... args) {
    return copy_of(Fn(Wire<A>::from(args)...));
  }
};

template <auto Fn>
void compute(const char* name) {
  emscripten::function(name, &Guarded<&Computed<Fn>::call>::call);
}

Numbers numbers_of(const std::vector<std::uint32_t>& rows) {
  return {rows.begin(), rows.end()};
}

Numbers rows_above_threshold(NumberSpan probabilities, double threshold) {
  const auto rows =
      geom::rows_of<scene::kLabelCount, float>(probabilities, "label_probabilities");
  return numbers_of(sample::rows_above_threshold(rows, static_cast<float>(threshold)));
}

Numbers rows_within(NumberSpan centroids, double x, double y, double max_distance) {
  const auto rows = geom::rows_of<2>(centroids, "centroids");
  return numbers_of(sample::rows_within(rows, {x, y}, max_distance));
}

Numbers rows_with_state(NumberSpan statuses, double state) {
  const auto rows = geom::rows_of<3, float>(statuses, "traffic_light_face_status");
  const auto which = count_from(state, "state");
  if (which > 2) fail(Errc::invalid_argument, {"state: expected 0, 1 or 2"});
  return numbers_of(
      sample::rows_with_state(rows, static_cast<scene::FaceState>(which)));
}

val rows_of_track(val track_ids, std::uint64_t track_id) {
  return copy_of(numbers_of(
      sample::rows_of_track(integers_of<std::uint64_t>(track_ids), track_id)));
}

/// @param selected  may be undefined
val other_track_ids(val all, val priority, val selected, double most) {
  const auto ids = sample::other_track_ids(
      integers_of<std::uint64_t>(all), integers_of<std::uint64_t>(priority),
      selected.isUndefined() ? std::nullopt
                             : std::optional(selected.as<std::uint64_t>()),
      count_from(most, "most"));
  const auto array = array_of("track_ids", "<u8", ids);
  return copies_of({&array, 1});
}

val lanes_behind(val ahead, val first, double lane) {
  return copy_of(numbers_of(map::lanes_behind(counts_from(ahead), counts_from(first),
                                              count_from(lane, "lane"))));
}

val to_js(const eval::Columns& columns) {
  const std::array<ResultArray, 4> arrays{
      array_of("timestamps", "<i8", columns.timestamps),
      array_of("track_ids", "<i8", columns.track_ids),
      array_of("weights", "<f8", columns.weights),
      array_of("coords", "<f8", columns.coords)};
  return copies_of(arrays);
}

val read_truths(std::string csv) {
  return to_js(eval::columns_of(eval::read_gt_csv(csv)));
}

std::string write_truths(val table, double steps) {
  return eval::write_gt_csv(eval::truths_of(columns_from(table)),
                            count_from(steps, "steps"));
}

val read_predictions(std::string csv, double modes) {
  return to_js(eval::columns_of(
      eval::read_pred_csv(csv, "prediction", count_from(modes, "modes"))));
}

std::string write_predictions(val table, double steps, double modes) {
  return eval::write_pred_csv(eval::predictions_of(columns_from(table)),
                              count_from(steps, "steps"), count_from(modes, "modes"));
}

val metrics(std::string truths, std::string predictions, double modes) {
  const auto means = eval::compute_means(
      eval::kMetrics, eval::read_gt_csv(truths),
      eval::read_pred_csv(predictions, "prediction", count_from(modes, "modes")));
  val out = val::object();
  for (std::size_t i = 0; i < means.size(); ++i) {
    out.set(std::string(eval::to_string(eval::kMetrics[i])), copy_of(means[i]));
  }
  return out;
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_tools) {
  compute<&geom::transform_points>("transformPoints");
  compute<&geom::angular_distances>("angularDistances");
  compute<&geom::yaws_of_rotations>("yawsOfRotations");
  compute<&geom::rotations_of_yaws>("rotationsOfYaws");
  compute<&geom::agent_poses>("agentPoses");
  compute<&geom::vertical_flips>("verticalFlips");
  compute<&geom::angles_between>("anglesBetween");
  compute<&geom::yaws_around_north>("yawsAroundNorth");
  compute<&geom::geodetic_of_ecef>("geodeticOfEcef");
  compute<&geom::ecef_of_geodetic>("ecefOfGeodetic");
  compute<&geom::points_within_bounds>("pointsWithinBounds");
  compute<&geom::intensity_grid>("intensityGrid");
  compute<&geom::normalized_intensity>("normalizedIntensity");
  compute<&map::points_on_lane>("pointsOnLane");
  compute<&map::points_in_outline>("pointsInOutline");
  emscripten::function("lanesBehind", &Guarded<&lanes_behind>::call);
  compute<&rows_above_threshold>("rowsKept");
  compute<&rows_within>("rowsWithin");
  compute<&rows_with_state>("rowsWithState");
  emscripten::function("rowsOfTrack", &Guarded<&rows_of_track>::call);
  emscripten::function("otherTrackIds", &Guarded<&other_track_ids>::call);
  emscripten::function("readTruths", &Guarded<&read_truths>::call);
  emscripten::function("writeTruths", &Guarded<&write_truths>::call);
  emscripten::function("readPredictions", &Guarded<&read_predictions>::call);
  emscripten::function("writePredictions", &Guarded<&write_predictions>::call);
  emscripten::function("metrics", &Guarded<&metrics>::call);
}

}  // namespace bev::wasm
