#include "core/series/scene_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/encounter.hpp"
#include "core/scene/intervals.hpp"
#include "core/scene/labels.hpp"

namespace bev::series {
namespace {

using geom::Vec2;
using scene::PoseAt;

constexpr auto kUnknown = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<std::string_view, 12> kNames{"x",
                                                  "y",
                                                  "speed",
                                                  "acceleration",
                                                  "jerk",
                                                  "yaw",
                                                  "yaw_rate",
                                                  "curvature",
                                                  "ego_distance",
                                                  "lead_gap",
                                                  "time_to_collision",
                                                  "lane_offset"};

std::size_t agent_count(const SceneRows& rows) {
  const auto first = rows.frames.empty() ? 0 : rows.frames.front().begin;
  const auto length = static_cast<std::uint64_t>(first) + rows.track_ids.size();
  const auto span = scene::check_intervals(
      rows.frames, 0, {"frames", "agent_index_interval", "agents", length});
  return static_cast<std::size_t>(span.end - span.begin);
}

/// Gives absent frames, whose intervals are fill values, the rows between their stored
/// neighbours; of frames at an end, none.
void close_absent(SceneRows& rows) {
  if (rows.absent.size() != rows.frames.size()) return;
  const auto is_stored = [&](std::size_t k) {
    return rows.absent[k] < static_cast<std::uint8_t>(AbsentRows::frame);
  };
  const auto count = rows.frames.size();
  std::int64_t next = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (is_stored(k)) next = rows.frames[k].end;
  }
  for (std::size_t k = count; k-- > 0;) {
    if (is_stored(k))
      next = rows.frames[k].begin;
    else
      rows.frames[k].end = next;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_stored(k)) rows.frames[k].begin = next;
    next = rows.frames[k].end;
  }
}

void check_lengths(const SceneRows& rows) {
  struct Column {
    const char* name;
    std::size_t found, expected;
  };
  const auto frames = rows.timestamps.size(), agents = agent_count(rows);
  const auto labels = rows.label_probabilities.size();
  const auto absent = rows.absent.size();
  const std::array<Column, 9> columns{{
      {"agent_index_interval", rows.frames.size(), frames},
      {"ego_translation", rows.ego_translation.size(), 3 * frames},
      {"ego_rotation", rows.ego_rotation.size(), 9 * frames},
      {"track_id", rows.track_ids.size(), agents},
      {"centroid", rows.centroids.size(), 2 * agents},
      {"yaw", rows.yaws.size(), agents},
      {"extent", rows.extents.size(), 3 * agents},
      {"absent", absent, absent == 0 ? 0 : frames},
      {"label_probabilities", labels, labels == 0 ? 0 : scene::kLabelCount * agents},
  }};
  for (const auto& [name, found, expected] : columns) {
    if (found == expected) continue;
    fail(Errc::invalid_argument, {"series: ", name, ": wrong length (found ", found,
                                  " values, expected ", expected, ")"});
  }
}

bool is_seen(const PoseAt& pose) {
  return !std::isnan(pose.at.x) && !std::isnan(pose.at.y);
}

bool is_finite(Vec2 at) {
  return std::isfinite(at.x) && std::isfinite(at.y);
}

/// Returns `value` in the axes (cos, sin): forward, left.
Vec2 turned(Vec2 value, double cos, double sin) {
  return {cos * value.x + sin * value.y, cos * value.y - sin * value.x};
}

}  // namespace

Quantity quantity_from(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end())
    fail(Errc::invalid_argument, {"series: unknown quantity ", name});
  return static_cast<Quantity>(at - kNames.begin());
}

SceneSeries::SceneSeries(SceneRows rows)
    : rows_(std::move(rows)), index_(std::make_unique<scene::TrackIndex>()) {
  close_absent(rows_);
  check_lengths(rows_);
  if (rows_.ego_is_virtual) {
    std::fill(rows_.ego_translation.begin(), rows_.ego_translation.end(), kUnknown);
    std::fill(rows_.ego_rotation.begin(), rows_.ego_rotation.end(), kUnknown);
  }
  first_ = rows_.frames.empty() ? 0 : rows_.frames.front().begin;
  index_->rebuild(rows_.frames, first_, rows_.track_ids);
  for (std::size_t k = 0; k < size(); ++k) {
    const auto* r = &rows_.ego_rotation[9 * k];
    ego_yaws_.push_back(geom::rotation33_as_yaw(
        {{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}}}));
  }
}

/// Returns whether at least that much of the frame is absent.
bool SceneSeries::has(std::size_t frame, AbsentRows absent) const {
  return !rows_.absent.empty() &&
         rows_.absent[frame] >= static_cast<std::uint8_t>(absent);
}

std::optional<std::size_t> SceneSeries::row_in(std::size_t frame,
                                               std::uint64_t track) const {
  if (has(frame, AbsentRows::agents)) return std::nullopt;
  const auto row = index_->find(frame, track);
  if (row == scene::TrackIndex::kNone) return std::nullopt;
  return row;
}

SceneSeries::Body SceneSeries::body_of_row(std::size_t row) const {
  return {{{rows_.centroids[2 * row], rows_.centroids[2 * row + 1]},
           static_cast<double>(rows_.yaws[row])},
          static_cast<double>(rows_.extents[3 * row]),
          static_cast<double>(rows_.extents[3 * row + 1])};
}

SceneSeries::Body SceneSeries::body(std::size_t frame, const Subject& subject) const {
  if (!subject) {
    if (has(frame, AbsentRows::frame)) return {};
    const auto* at = &rows_.ego_translation[3 * frame];
    return {{{at[0], at[1]}, ego_yaws_[frame]}, scene::kEgoLength, scene::kEgoWidth};
  }
  const auto row = row_in(frame, *subject);
  return row ? body_of_row(*row) : Body{};
}

std::vector<PoseAt> SceneSeries::poses(const Subject& subject) const {
  std::vector<PoseAt> out;
  for (std::size_t k = 0; k < size(); ++k) out.push_back(body(k, subject).pose);
  return out;
}

bool SceneSeries::passes(std::size_t row) const {
  if (rows_.label_probabilities.empty()) return true;
  return scene::keeps(
      scene::LabelProbabilities(&rows_.label_probabilities[scene::kLabelCount * row],
                                scene::kLabelCount),
      threshold_);
}

double SceneSeries::lead_gap(std::size_t frame, const Subject& subject) const {
  const auto own = body(frame, subject);
  const bool is_known = is_seen(own.pose) && !std::isnan(own.pose.yaw);
  if (!is_known || has(frame, AbsentRows::agents)) return kUnknown;
  const auto [sin, cos] = geom::sincos(own.pose.yaw);
  double best = std::numeric_limits<double>::infinity();
  const auto consider = [&, cos = cos, sin = sin](const Body& other) {
    const Vec2 away{other.pose.at.x - own.pose.at.x, other.pose.at.y - own.pose.at.y};
    const auto at = turned(away, cos, sin);
    const auto [turn_sin, turn_cos] = geom::sincos(other.pose.yaw - own.pose.yaw);
    const double c = std::abs(turn_cos), s = std::abs(turn_sin);
    const double along = (c * other.length + s * other.width) / 2;
    const double across = (s * other.length + c * other.width) / 2;
    if (!(at.x > 0) || !(std::abs(at.y) < own.width / 2 + across)) return;
    best = std::min(best, std::max(0.0, at.x - own.length / 2 - along));
  };
  const auto [begin, end] = rows_.frames[frame];
  for (auto row = begin; row < end; ++row) {
    const auto at = static_cast<std::size_t>(row - first_);
    if (rows_.track_ids[at] != subject && passes(at)) consider(body_of_row(at));
  }
  if (subject) consider(body(frame, std::nullopt));
  return best > kMaxLeadGapM ? kUnknown : best;
}

std::vector<double> SceneSeries::gaps(const Subject& subject) const {
  std::vector<double> out;
  for (std::size_t k = 0; k < size(); ++k) {
    out.push_back(lead_gap(k, subject));
  }
  return out;
}

scene::Path SceneSeries::ego_path() const {
  scene::Path path;
  for (std::size_t k = 0; k < size(); ++k) {
    const auto pose = body(k, std::nullopt).pose;
    if (has(k, AbsentRows::frame) || !is_finite(pose.at)) continue;
    path.steps.push_back(
        {static_cast<std::uint32_t>(k), rows_.timestamps[k], pose.at, pose.yaw, 0});
  }
  path.rebuild();
  return path;
}

/// Returns the paths of one or all tracks, of the rows that pass the threshold; of a
/// frame that has a track twice, the first row.
std::vector<scene::Path> SceneSeries::paths(const Subject& subject) const {
  std::map<std::uint64_t, scene::Path> paths;
  for (std::size_t k = 0; k < size(); ++k) {
    if (has(k, AbsentRows::agents)) continue;
    const auto frame = static_cast<std::uint32_t>(k);
    for (auto at = rows_.frames[k].begin; at < rows_.frames[k].end; ++at) {
      const auto row = static_cast<std::size_t>(at - first_);
      const auto track = rows_.track_ids[row];
      if ((subject && track != *subject) || !passes(row)) continue;
      const auto pose = body_of_row(row).pose;
      if (!is_finite(pose.at)) continue;
      auto& steps = paths[track].steps;
      if (!steps.empty() && steps.back().frame == frame) continue;
      steps.push_back({frame, rows_.timestamps[k], pose.at, pose.yaw, row});
    }
  }
  std::vector<scene::Path> out;
  for (auto& [track, path] : paths) {
    path.rebuild();
    out.push_back(std::move(path));
  }
  return out;
}

std::vector<double> SceneSeries::collision_times(const Subject& subject) const {
  std::vector<double> out(size(), kUnknown);
  const auto ego = ego_path();
  for (const auto& path : paths(subject)) {
    scene::for_each_encounter(ego, path, [&](const scene::Encounter& at) {
      const auto& step = path.steps[at.track];
      const auto* extent = &rows_.extents[3 * step.row];
      const double time = geom::time_to_collision(
          scene::ego_rectangle(ego.steps[at.ego]),
          scene::rectangle(step, {extent[0], extent[1], extent[2]}),
          scene::relative_velocity(ego, path, at));
      out[step.frame] = std::fmin(out[step.frame], time);
    });
  }
  return out;
}

std::vector<double> SceneSeries::lane_offsets(const Subject& subject) {
  std::vector<double> out;
  for (std::size_t k = 0; k < size(); ++k) {
    const auto pose = body(k, subject).pose;
    const auto found = lanes_.nearest(pose.at, pose.yaw);
    out.push_back(found ? found->metres : kUnknown);
  }
  return out;
}

std::vector<double> SceneSeries::ego_distances(const Subject& subject) const {
  std::vector<double> out(size(), kUnknown);
  if (!subject) return out;
  for (std::size_t k = 0; k < size(); ++k) {
    const auto a = body(k, subject).pose.at, b = body(k, std::nullopt).pose.at;
    out[k] = geom::hypot(a.x - b.x, a.y - b.y);
  }
  return out;
}

std::vector<double> SceneSeries::values(const Subject& subject, Quantity quantity) {
  if (quantity == Quantity::lead_gap) return gaps(subject);
  if (quantity == Quantity::time_to_collision) return collision_times(subject);
  if (quantity == Quantity::lane_offset) return lane_offsets(subject);
  if (quantity == Quantity::ego_distance) return ego_distances(subject);
  const auto all = poses(subject);
  std::vector<double> out;
  if (quantity == Quantity::x || quantity == Quantity::y) {
    for (const auto& pose : all)
      out.push_back(quantity == Quantity::x ? pose.at.x : pose.at.y);
    return out;
  }
  auto motion = scene::motion_of(rows_.timestamps, all);
  if (quantity == Quantity::speed) return std::move(motion.speed);
  if (quantity == Quantity::acceleration) return std::move(motion.acceleration);
  if (quantity == Quantity::yaw) return std::move(motion.yaw);
  if (quantity == Quantity::yaw_rate) return std::move(motion.yaw_rate);
  if (quantity == Quantity::jerk)
    return scene::changes_per_second(rows_.timestamps, motion.acceleration);
  for (std::size_t k = 0; k < size(); ++k) {
    const bool moves = motion.speed[k] >= kMinSpeedMps;
    out.push_back(moves ? motion.yaw_rate[k] / motion.speed[k] : kUnknown);
  }
  return out;
}

std::vector<std::int32_t> SceneSeries::rows_of(const Subject& subject) const {
  std::vector<std::int32_t> out;
  for (std::size_t k = 0; k < size(); ++k) {
    const auto own = has(k, AbsentRows::frame) ? std::nullopt : std::optional(k);
    const auto row = subject ? row_in(k, *subject) : own;
    out.push_back(row ? static_cast<std::int32_t>(*row) : -1);
  }
  return out;
}

}  // namespace bev::series
