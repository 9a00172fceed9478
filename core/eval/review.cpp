#include "core/eval/review.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/eval/csv.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/intervals.hpp"
#include "core/scene/labels.hpp"
#include "core/scene/motion.hpp"

namespace bev::eval {

namespace {

constexpr double kUnknownMotion = std::numeric_limits<double>::quiet_NaN();

/// Lengths of the path over which its first and last direction are measured, and of the
/// shortest path that turns; metres.
constexpr double kDirectionMetres = 1;
constexpr double kTurnMetres = 2;

/// Returns AgentMotion::turn of a recorded future.
double turn_of(const GroundTruth& truth) {
  const auto steps = truth.availabilities.size();
  if (steps == 0 || truth.availabilities.back() != 1) return kUnknownMotion;
  const auto* at = truth.coords.data();
  const double end[2] = {at[2 * steps - 2], at[2 * steps - 1]};
  if (geom::hypot(end[0], end[1]) < kTurnMetres) return 0;
  std::size_t first = 0, last = steps - 1;
  const auto distance = [&](std::size_t i, double x, double y) {
    const bool known = truth.availabilities[i] == 1;
    return known ? geom::hypot(at[2 * i] - x, at[2 * i + 1] - y) : 0;
  };
  while (distance(first, 0, 0) < kDirectionMetres) ++first;
  while (last > 0 && distance(last, end[0], end[1]) < kDirectionMetres) --last;
  const bool from_here = distance(last, end[0], end[1]) < kDirectionMetres;
  const double from[2] = {from_here ? 0 : at[2 * last],
                          from_here ? 0 : at[2 * last + 1]};
  const double begun[2] = {at[2 * first], at[2 * first + 1]};
  const double ended[2] = {end[0] - from[0], end[1] - from[1]};
  const double cross = begun[0] * ended[1] - begun[1] * ended[0];
  const double dot = begun[0] * ended[0] + begun[1] * ended[1];
  constexpr double kDegrees = 57.29577951308232;
  return geom::atan2(cross, dot) * kDegrees;
}

bool before(const Prediction& a, const Prediction& b) {
  return a.timestamp != b.timestamp ? a.timestamp < b.timestamp
                                    : a.track_id < b.track_id;
}

/// Sorts by time and track; keeps the last prediction of each.
void sort_and_thin(std::vector<Prediction>& predictions) {
  std::stable_sort(predictions.begin(), predictions.end(), before);
  std::vector<Prediction> kept;
  kept.reserve(predictions.size());
  for (auto& one : predictions) {
    if (!kept.empty() && !before(kept.back(), one)) kept.pop_back();
    kept.push_back(std::move(one));
  }
  predictions = std::move(kept);
}

void check_columns(const SceneTracks& scene, std::size_t rows) {
  const auto frames = scene.timestamps.size();
  const bool fit = scene.ego_translation.size() == 3 * frames &&
                   scene.frames.size() == frames && scene.track_ids.size() == rows &&
                   scene.centroids.size() == 2 * rows;
  const auto labels = scene.label_probabilities.size();
  if (labels != 0 && labels != scene::kLabelCount * rows) {
    fail(Errc::invalid_argument,
         {"review: label probabilities do not fit (found ", labels,
          " values, expected ", scene::kLabelCount * rows, " or none)"});
  }
  if (fit) return;
  fail(Errc::invalid_argument,
       {"review: lengths differ (found ", scene.frames.size(), " frames of ", rows,
        " agents, ", frames, " times, ", scene.ego_translation.size(),
        " ego coordinates, ", scene.track_ids.size(), " ids, ", scene.centroids.size(),
        " coordinates)"});
}

}  // namespace

Review::Review(std::vector<Prediction> predictions, MemoryShare share) {
  if (!predictions.empty()) {
    modes_ = predictions.front().modes();
    steps_ = modes_ > 0 ? predictions.front().coords.size() / (2 * modes_) : 0;
  }
  for (const auto& one : predictions) check_prediction(one, modes_, steps_);
  sort_and_thin(predictions);
  held_ = std::make_shared<const Held>(Held{std::move(predictions), std::move(share)});
}

SharedScene index_scene(SceneTracks scene) {
  const auto first = scene.frames.empty() ? 0 : scene.frames.front().begin;
  const auto length = static_cast<std::uint64_t>(first) + scene.track_ids.size();
  const auto span = scene::check_intervals(
      scene.frames, 0, {"frames", "agent_index_interval", "agents", length});
  check_columns(scene, static_cast<std::size_t>(span.end - span.begin));
  auto indexed = std::make_shared<IndexedScene>(IndexedScene{std::move(scene)});
  indexed->index.rebuild(indexed->tracks.frames, first, indexed->tracks.track_ids);
  return indexed;
}

void Review::set_scene(SharedScene scene) {
  scene_ = std::move(scene);
  rows_.clear();
  frames_.clear();
  unknown_ = 0;
  breakdown_ = Breakdown(modes_, steps_, counting_);
  for (std::size_t frame = 0; frame < scene_->tracks.timestamps.size(); ++frame) {
    score_frame(static_cast<std::uint32_t>(frame));
  }
  MeanScore mean;
  for (const auto& row : rows_) mean.add(row.score);
  mean_ = mean.value();
}

std::vector<Prediction>::const_iterator Review::first_at(std::int64_t timestamp) const {
  return std::lower_bound(
      held_->predictions.begin(), held_->predictions.end(), timestamp,
      [](const Prediction& one, std::int64_t time) { return one.timestamp < time; });
}

bool Review::predicts(std::int64_t timestamp) const {
  const auto at = first_at(timestamp);
  return at != held_->predictions.end() && at->timestamp == timestamp;
}

void Review::score_frame(std::uint32_t frame) {
  const auto now = scene_->tracks.timestamps[frame];
  auto at = first_at(now);
  MeanScore mean;
  const auto first = rows_.size();
  for (; at != held_->predictions.end() && at->timestamp == now; ++at) {
    if (!position_of(frame, at->track_id)) {
      ++unknown_;
      continue;
    }
    const auto truth = truth_of(frame, *at);
    const auto seen =
        std::count(truth.availabilities.begin(), truth.availabilities.end(), 1.0);
    const auto score = score_of(truth, *at, counting_);
    mean.add(score);
    const auto subject = subject_of(frame, at->track_id);
    const auto horizons = breakdown_.add(subject, score, truth, *at);
    rows_.push_back({frame, at->track_id,
                     static_cast<std::size_t>(at - held_->predictions.begin()),
                     static_cast<std::uint32_t>(seen), score, subject, horizons});
  }
  const auto count = rows_.size() - first;
  if (count == 0) return;
  frames_.push_back({frame, static_cast<std::uint32_t>(count), mean.value()});
}

Subject Review::subject_of(std::size_t frame, std::int64_t track_id) const {
  if (track_id == kEgoTrack) return Subject::ego;
  const auto row = scene_->index.find(frame, static_cast<std::uint64_t>(track_id));
  const auto& all = scene_->tracks.label_probabilities;
  if (all.empty() || row == scene::TrackIndex::kNone) return Subject::unlabelled;
  const scene::LabelProbabilities own(all.data() + scene::kLabelCount * row,
                                      scene::kLabelCount);
  switch (scene::class_of_label(scene::most_probable(own))) {
    case scene::AgentClass::vehicle: return Subject::vehicle;
    case scene::AgentClass::cyclist: return Subject::cyclist;
    case scene::AgentClass::pedestrian: return Subject::pedestrian;
    case scene::AgentClass::other: break;
  }
  return Subject::other;
}

std::optional<Review::Position> Review::position_of(std::size_t frame,
                                                    std::int64_t track_id) const {
  const double* at = scene_->tracks.ego_translation.data() + 3 * frame;
  if (track_id != kEgoTrack) {
    const auto row = scene_->index.find(frame, static_cast<std::uint64_t>(track_id));
    if (row == scene::TrackIndex::kNone) return std::nullopt;
    at = scene_->tracks.centroids.data() + 2 * row;
  }
  return Position{at[0], at[1]};
}

GroundTruth Review::truth_of(std::size_t frame, const Prediction& prediction) const {
  GroundTruth out;
  out.timestamp = prediction.timestamp;
  out.track_id = prediction.track_id;
  out.availabilities.resize(steps_);
  out.coords.resize(2 * steps_);
  const auto origin = position_of(frame, prediction.track_id);
  const auto remaining = scene_->tracks.timestamps.size() - 1 - frame;
  for (std::size_t i = 0; origin && i < std::min(steps_, remaining); ++i) {
    const auto there = position_of(frame + 1 + i, prediction.track_id);
    if (!there) continue;
    out.availabilities[i] = 1;
    out.coords[2 * i] = there->x - origin->x;
    out.coords[2 * i + 1] = there->y - origin->y;
  }
  return out;
}

AgentMotion Review::motion(const Reviewed& row) const {
  AgentMotion out;
  const auto& times = scene_->tracks.timestamps;
  const auto here = position_of(row.frame, row.track_id);
  if (!here) return out;
  const auto speed_between = [&](std::size_t from, std::size_t to) {
    const auto a = position_of(from, row.track_id), b = position_of(to, row.track_id);
    if (!a || !b) return kUnknownMotion;
    const auto seconds = scene::seconds_between(times[from], times[to]);
    return geom::hypot(b->x - a->x, b->y - a->y) / seconds;
  };
  if (row.frame > 0) out.speed = speed_between(row.frame - 1, row.frame);
  if (std::isnan(out.speed) && row.frame + 1 < times.size())
    out.speed = speed_between(row.frame, row.frame + 1);
  if (row.track_id != kEgoTrack) {
    const auto ego = position_of(row.frame, kEgoTrack);
    out.distance = geom::hypot(here->x - ego->x, here->y - ego->y);
  }
  out.turn = turn_of(truth_of(row.frame, held_->predictions[row.prediction]));
  return out;
}

PredictedLines Review::lines(std::uint32_t frame,
                             const std::function<bool(const Reviewed&)>& keep) const {
  PredictedLines out;
  const auto first = std::lower_bound(
      rows_.begin(), rows_.end(), frame,
      [](const Reviewed& row, std::uint32_t wanted) { return row.frame < wanted; });
  for (auto at = first; at != rows_.end() && at->frame == frame; ++at) {
    if (!keep || keep(*at)) add_lines(out, *at);
  }
  return out;
}

void Review::add_lines(PredictedLines& out, const Reviewed& row) const {
  const auto& prediction = held_->predictions[row.prediction];
  const auto origin = position_of(row.frame, row.track_id).value_or(Position{});
  const auto add = [&](std::vector<double>& points, const double* offset) {
    points.push_back(origin.x + offset[0]);
    points.push_back(origin.y + offset[1]);
  };
  const double here[2] = {0, 0};
  for (std::size_t mode = 0; mode < modes_; ++mode) {
    if (!(prediction.confidences[mode] > 0)) continue;
    add(out.points, here);
    for (std::size_t i = 0; i < steps_; ++i) {
      add(out.points, prediction.coords.data() + 2 * (mode * steps_ + i));
    }
    out.offsets.push_back(static_cast<std::uint32_t>(out.points.size() / 2));
    out.confidences.push_back(prediction.confidences[mode]);
    out.track_ids.push_back(row.track_id);
  }
  const auto truth = truth_of(row.frame, prediction);
  add(out.truth, here);
  out.truth_steps.push_back(0);
  for (std::size_t i = 0; i < steps_; ++i) {
    if (truth.availabilities[i] != 1) continue;
    add(out.truth, truth.coords.data() + 2 * i);
    out.truth_steps.push_back(static_cast<std::uint32_t>(i + 1));
  }
  out.truth_offsets.push_back(static_cast<std::uint32_t>(out.truth.size() / 2));
  out.truth_track_ids.push_back(row.track_id);
}

Review read_review(std::string_view csv, const std::string& name, MemoryShare share) {
  PredictionReader reader(name, {}, std::move(share));
  reader.add(csv);
  auto predictions = reader.finish();
  return Review(std::move(predictions), reader.take_share());
}

Review review_of(const Columns& columns, MemoryShare share) {
  const auto numbers = columns.weights.size() + columns.coords.size();
  const auto bytes =
      columns.timestamps.size() * sizeof(Prediction) + numbers * sizeof(double);
  if (!share.grow(bytes)) {
    fail(Errc::limit_exceeded,
         {"predictions: all open predictions together are too large (expected at most ",
          share.limit(), " bytes); remove a model"});
  }
  return Review(predictions_of(columns), std::move(share));
}

}  // namespace bev::eval
