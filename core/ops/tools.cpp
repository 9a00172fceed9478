#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/address.hpp"
#include "core/eval/csv.hpp"
#include "core/eval/metrics.hpp"
#include "core/geom/arrays.hpp"
#include "core/map/area.hpp"
#include "core/ops/evaluation_table.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/sample/agent_filters.hpp"

// L5Kit's geometry, filters and evaluation for arrays, and addresses, without a data set.

namespace bev::ops {
namespace {

using geom::Numbers;
using geom::NumberSpan;

/// Rows are numbers in all hosts.
Numbers numbers_of(const std::vector<std::uint32_t>& rows) {
  return {rows.begin(), rows.end()};
}

Numbers rows_above_threshold(NumberSpan probabilities, float threshold) {
  const auto rows =
      geom::rows_of<scene::kLabelCount, float>(probabilities, "label_probabilities");
  return numbers_of(sample::rows_above_threshold(rows, threshold));
}

Numbers rows_within(NumberSpan centroids, double x, double y, double max_distance_m) {
  const auto rows = geom::rows_of<2>(centroids, "centroids");
  return numbers_of(sample::rows_within(rows, {x, y}, max_distance_m));
}

Numbers rows_with_state(NumberSpan statuses, std::uint32_t state) {
  if (state > 2) fail(Errc::invalid_argument, {"state: expected 0, 1 or 2"});
  const auto rows = geom::rows_of<3, float>(statuses, "traffic_light_face_status");
  return numbers_of(
      sample::rows_with_state(rows, static_cast<scene::FaceState>(state)));
}

Numbers rows_of_track(std::span<const std::uint64_t> track_ids,
                      std::uint64_t track_id) {
  return numbers_of(sample::rows_of_track(track_ids, track_id));
}

std::vector<std::uint64_t> other_track_ids(std::span<const std::uint64_t> all,
                                           std::span<const std::uint64_t> priority,
                                           std::optional<std::uint64_t> selected,
                                           std::uint32_t most) {
  return sample::other_track_ids(all, priority, selected, most);
}

std::string address_url(const std::string& address,
                        const std::optional<std::string>& s3_endpoint,
                        const std::optional<std::string>& s3_region,
                        const std::optional<std::string>& hf_endpoint) {
  return url_of_address(address, {s3_endpoint.value_or(""), s3_region.value_or(""),
                                  !s3_endpoint, hf_endpoint.value_or("")});
}

Numbers lanes_behind(std::span<const std::uint32_t> ahead,
                     std::span<const std::uint32_t> first, std::uint32_t lane) {
  return numbers_of(map::lanes_behind(ahead, first, lane));
}

Outcome read_truths(const std::string& csv) {
  return outcome_of_table(eval::columns_of(eval::read_gt_csv(csv)));
}

std::string write_truths(eval::Columns table, std::uint32_t steps) {
  return eval::write_gt_csv(eval::truths_of(table), steps);
}

Outcome read_predictions(const std::string& csv, std::uint32_t modes) {
  return outcome_of_table(
      eval::columns_of(eval::read_pred_csv(csv, "prediction", modes)));
}

std::string write_predictions(eval::Columns table, std::uint32_t steps,
                              std::uint32_t modes) {
  return eval::write_pred_csv(eval::predictions_of(table), steps, modes);
}

Outcome metrics(const std::string& truths, const std::string& predictions,
                std::uint32_t modes) {
  auto means =
      eval::compute_means(eval::kMetrics, eval::read_gt_csv(truths),
                          eval::read_pred_csv(predictions, "prediction", modes));
  Outcome out;
  for (std::size_t i = 0; i < means.size(); ++i) {
    out.add(std::string(eval::to_string(eval::kMetrics[i])), std::move(means[i]));
  }
  return out;
}

constexpr const char* kTable =
    "timestamps <i8 (n) ns; track_ids <i8 (n); weights <f8 (n, w); coords <f8 (n, c) m";

constexpr std::array kToolOperations{
    operation<&geom::transform_points, "points", "matrices", "dims">(
        "transform_points", "", "L5Kit's transform_points: (N, dims)"),
    operation<&geom::angular_distances, "a", "b">("angular_distances", "",
                                                  "L5Kit's angular_distance: (N)"),
    operation<&geom::yaws_of_rotations, "rotations">("yaws_of_rotations", "",
                                                     "L5Kit's rotation33_as_yaw: (N)"),
    operation<&geom::rotations_of_yaws, "yaws">("rotations_of_yaws", "",
                                                "L5Kit's yaw_as_rotation33: (N, 3, 3)"),
    operation<&geom::agent_poses, "centroids", "yaws">(
        "agent_poses", "", "L5Kit's compute_agent_pose: (N, 3, 3)"),
    operation<&geom::vertical_flips, "matrices", "height">(
        "vertical_flips", "", "L5Kit's vertical_flip: (N, 3, 3)"),
    operation<&geom::angles_between, "a", "b", "dims">(
        "angles_between", "", "L5Kit's angle_between_vectors: (N)"),
    operation<&geom::yaws_around_north, "directions">(
        "yaws_around_north", "",
        "L5Kit's compute_yaw_around_north_from_direction: (N)"),
    operation<&geom::geodetic_of_ecef, "points">("geodetic_of_ecef", "",
                                                 "L5Kit's ecef_to_geodetic: (N, 3)"),
    operation<&geom::ecef_of_geodetic, "places">("ecef_of_geodetic", "",
                                                 "L5Kit's geodetic_to_ecef: (N, 3)"),
    operation<&geom::points_within_bounds, "points", "shape">(
        "points_within_bounds", "", "L5Kit's points_within_bounds: 1 or 0 (N)"),
    operation<&geom::intensity_grid, "cells", "shape">(
        "intensity_grid", "", "L5Kit's voxel_coords_to_intensity_grid, in C order"),
    operation<&geom::normalized_intensity, "values", "greatest">(
        "normalized_intensity", "", "L5Kit's normalize_intensity: (N)"),
    operation<&map::points_on_lane, "left", "right", "points">(
        "points_on_lane", "", "rows of the points (N, 2) on a lane"),
    operation<&map::points_in_outline, "outline", "points">(
        "points_in_outline", "", "rows of the points (N, 2) in an outline"),
    operation<&lanes_behind, "ahead", "ahead_first", "lane">(
        "lanes_behind", "", "lanes whose lanes ahead include this one"),
    operation<&rows_above_threshold, "probabilities", "threshold">(
        "rows_above_threshold", "", "L5Kit's filter_agents_by_labels"),
    operation<&rows_within, "centroids", "x", "y", "max_distance">(
        "rows_within", "", "L5Kit's filter_agents_by_distance, nearest first"),
    operation<&rows_with_state, "statuses", "state">(
        "rows_with_state", "", "L5Kit's filter_tl_faces_by_status"),
    operation<&rows_of_track, "track_ids", "track_id">(
        "rows_of_track", "", "L5Kit's filter_agents_by_track_id"),
    operation<&other_track_ids, "all", "priority", "selected", "most">(
        "other_track_ids", "", "L5Kit's get_other_agents_ids"),
    operation<&read_truths, "csv">("read_truths", kTable, "L5Kit's read_gt_csv"),
    operation<&write_truths, "steps">("write_truths", "", "L5Kit's write_gt_csv"),
    operation<&read_predictions, "csv", "modes">("read_predictions", kTable,
                                                 "L5Kit's read_pred_csv"),
    operation<&write_predictions, "steps", "modes">("write_predictions", "",
                                                    "L5Kit's write_pred_csv"),
    operation<&metrics, "truths", "predictions", "modes">(
        "metrics", "*",
        "L5Kit's compute_metrics_csv: means over the records, by metric"),
    operation<&address_url, "address", "s3_endpoint", "s3_region", "hf_endpoint">(
        "address_url", "",
        "the URL of an address hf://, s3:// or gs://; of other servers than the public "
        "ones"),
};

}  // namespace

std::span<const Operation> tool_operations() {
  return kToolOperations;
}

}  // namespace bev::ops
