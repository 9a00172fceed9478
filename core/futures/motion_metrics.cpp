#include "core/futures/motion_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/base/error.hpp"
#include "core/futures/submission.hpp"
#include "core/geom/angle.hpp"

namespace bev::futures {
namespace {

using convert::waymo::State;
using convert::waymo::Track;
using geom::Rectangle;
using geom::Vec2;

/// Returns a vector in the axes of a heading.
Vec2 turned_back(Vec2 by, double heading) {
  const auto [sin, cos] = geom::sincos(heading);
  return {cos * by.x + sin * by.y, cos * by.y - sin * by.x};
}

double speed_of(const State& state) {
  return geom::hypot(double{state.velocity_x}, double{state.velocity_y});
}

/// Returns the factor of the limits for an initial speed.
double limit_scale(double speed) {
  constexpr double kLow = 1.4F, kHigh = 11;
  return 0.5 + 0.5 * (std::clamp(speed, kLow, kHigh) - kLow) / (kHigh - kLow);
}

/// Returns the shape of a recorded path from a step on.
std::optional<PathShape> shape_of(const Track& track, std::size_t from) {
  auto last = track.states.size() - 1;
  while (last > from && !track.states[last].is_valid) --last;
  const auto &start = track.states[from], &end = track.states[last];
  if (last == from || !start.is_valid) return std::nullopt;
  const Vec2 by{end.centre.x - start.centre.x, end.centre.y - start.centre.y};
  const auto ahead = turned_back(by, start.heading);
  const double turn = std::fabs(geom::angular_distance(end.heading, start.heading));
  if (std::max(speed_of(start), speed_of(end)) < 2 && geom::hypot(by.x, by.y) < 3) {
    return PathShape::stationary;
  }
  if (turn < std::numbers::pi / 6) {
    if (std::fabs(ahead.y) < 2.5) return PathShape::straight;
    return ahead.y < 0 ? PathShape::straight_right : PathShape::straight_left;
  }
  if (ahead.y < 0) return ahead.x < 0 ? PathShape::right_u_turn : PathShape::right_turn;
  return ahead.x < 0 ? PathShape::left_u_turn : PathShape::left_turn;
}

/// Returns the type that a joint prediction counts for.
AgentType stronger(AgentType a, AgentType b) {
  const auto strength = [](AgentType type) {
    return type == AgentType::other   ? 1
           : type == AgentType::unset ? 0
                                      : static_cast<int>(type) + 1;
  };
  return strength(b) > strength(a) ? b : a;
}

/// Measures one prediction.
class MotionScorer {
 public:
  MotionScorer(const Futures& prediction, const TrackRows& rows,
               const RecordedScenario& recorded)
      : prediction_(prediction),
        recorded_(recorded),
        now_(static_cast<std::size_t>(recorded.current_time_index)),
        modes_(std::min(prediction.rollouts, kMeasuredModes)) {
    for (const auto row : rows) tracks_.push_back(&recorded.tracks[row.value()]);
  }

  MotionScore run() {
    MotionScore out;
    for (const auto* track : tracks_) {
      if (track->type >= kAgentTypes) {
        fail(Errc::invalid_metadata, {"scenario ", recorded_.id, ": track ", track->id,
                                      ": unknown type (found ", track->type, ")"});
      }
      out.type = stronger(out.type, static_cast<AgentType>(track->type));
      const auto shape = shape_of(*track, now_);
      if (shape && (!out.shape || *out.shape < *shape)) out.shape = shape;
    }
    if (out.shape == PathShape::right_u_turn) out.shape = PathShape::right_turn;
    const auto overlap = first_overlap();
    for (std::size_t i = 0; i < kMotionHorizons.size(); ++i) {
      out.horizons[i] = measures_at(kMotionHorizons[i]);
      out.horizons[i].overlaps = overlap && *overlap <= kMotionHorizons[i].step;
    }
    return out;
  }

 private:
  std::size_t frame(std::size_t step) const {
    return static_cast<std::size_t>(prediction_.frame(step));
  }

  Vec2 at(std::size_t mode, std::size_t agent, std::size_t step) const {
    const auto position = prediction_.position(mode, agent, step);
    return {position.x, position.y};
  }

  const State& truth(std::size_t agent, std::size_t step) const {
    return tracks_[agent]->states[frame(step)];
  }

  double distance(std::size_t mode, std::size_t agent, std::size_t step) const {
    const auto position = at(mode, agent, step);
    const auto& state = truth(agent, step);
    return geom::hypot(position.x - state.centre.x, position.y - state.centre.y);
  }

  /// Returns the mean over agents of their mean distances in steps [from, to]; nullopt if
  /// an agent is not recorded in any of them.
  std::optional<double> displacement(std::size_t mode, std::size_t from,
                                     std::size_t to) const {
    double sum = 0;
    for (std::size_t agent = 0; agent < tracks_.size(); ++agent) {
      double error = 0;
      std::size_t count = 0;
      for (auto step = from; step <= to; ++step) {
        if (!truth(agent, step).is_valid) continue;
        error += distance(mode, agent, step);
        ++count;
      }
      if (count == 0) return std::nullopt;
      sum += error / static_cast<double>(count);
    }
    return sum / static_cast<double>(tracks_.size());
  }

  std::optional<double> least_displacement(std::size_t from, std::size_t to) const {
    std::optional<double> out;
    for (std::size_t mode = 0; mode < modes_; ++mode) {
      const auto found = displacement(mode, from, to);
      if (found && (!out || *found < *out)) out = found;
    }
    return out;
  }

  /// Whether all agents of a mode are within the limits; nullopt if one is not recorded.
  std::optional<bool> is_match(std::size_t mode, const MotionHorizon& horizon) const {
    bool out = true;
    for (std::size_t agent = 0; agent < tracks_.size(); ++agent) {
      const auto& state = truth(agent, horizon.step);
      if (!state.is_valid) return std::nullopt;
      const auto position = at(mode, agent, horizon.step);
      const auto by = turned_back(
          {position.x - state.centre.x, position.y - state.centre.y}, state.heading);
      const double scale = limit_scale(speed_of(tracks_[agent]->states[now_]));
      out = out && std::fabs(by.y / scale) <= double{horizon.lateral_m} &&
            std::fabs(by.x / scale) <= double{horizon.longitudinal_m};
    }
    return out;
  }

  MotionMeasures measures_at(const MotionHorizon& horizon) const {
    MotionMeasures out;
    out.min_ade = least_displacement(0, horizon.step);
    out.min_fde = least_displacement(horizon.step, horizon.step);
    std::vector<std::size_t> order(modes_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return prediction_.scores.at(a, 0) > prediction_.scores.at(b, 0);
    });
    bool is_found = false;
    for (const auto mode : order) {
      using Kind = MotionSample::Kind;
      const auto match = is_match(mode, horizon);
      if (!match) continue;
      const auto kind = !*match    ? Kind::miss
                        : is_found ? Kind::repeated_match
                                   : Kind::match;
      out.samples.push_back({prediction_.scores.at(mode, 0), kind});
      is_found = is_found || *match;
    }
    if (!out.samples.empty()) out.is_missed = !is_found;
    return out;
  }

  /// Returns the mode with the greatest share of the confidences of all modes, the first
  /// of equal ones; in float32, as the reference does.
  std::size_t likeliest_mode() const {
    float sum = 0;
    for (std::size_t mode = 0; mode < prediction_.rollouts; ++mode) {
      sum += prediction_.scores.at(mode, 0);
    }
    const auto share = [&](std::size_t mode) {
      return sum == 0 ? 1.F : prediction_.scores.at(mode, 0) / sum;
    };
    std::size_t best = 0;
    for (std::size_t mode = 1; mode < modes_; ++mode) {
      if (share(mode) > share(best)) best = mode;
    }
    return best;
  }

  /// Returns the box of a predicted agent: the heading is the mean direction of the path
  /// from the step before and to the next.
  Rectangle predicted_box(std::size_t mode, std::size_t agent, std::size_t step) const {
    const auto direction = [&](std::size_t to) {
      const auto a = at(mode, agent, to - 1), b = at(mode, agent, to);
      return geom::sincos(geom::atan2(b.y - a.y, b.x - a.x));
    };
    auto heading = direction(std::clamp<std::size_t>(step, 1, prediction_.steps - 1));
    if (step > 0 && step + 1 < prediction_.steps) {
      const auto next = direction(step + 1);
      heading =
          geom::sincos(geom::atan2(next.sin + heading.sin, next.cos + heading.cos));
    }
    const auto& state = truth(agent, step);
    return {at(mode, agent, step), heading, double{state.length} / 2,
            double{state.width} / 2};
  }

  bool overlaps_any(std::size_t mode, std::size_t agent, std::size_t step) const {
    const auto box = predicted_box(mode, agent, step);
    for (const auto& track : recorded_.tracks) {
      const auto& state = track.states[frame(step)];
      if (&track == tracks_[agent] || !track.states[now_].is_valid || !state.is_valid) {
        continue;
      }
      const Rectangle other{{state.centre.x, state.centre.y},
                            geom::sincos(state.heading),
                            double{state.length} / 2,
                            double{state.width} / 2};
      if (geom::overlap(box, other)) return true;
    }
    return false;
  }

  /// Returns the first step in which the likeliest mode overlaps another agent.
  std::optional<std::size_t> first_overlap() const {
    const auto mode = likeliest_mode();
    for (std::size_t step = 0; step < prediction_.steps; ++step) {
      for (std::size_t agent = 0; agent < tracks_.size(); ++agent) {
        if (overlaps_any(mode, agent, step)) return step;
      }
    }
    return std::nullopt;
  }

  const Futures& prediction_;
  const RecordedScenario& recorded_;
  std::size_t now_, modes_;
  std::vector<const Track*> tracks_;
};

void check_prediction(const Futures& prediction, const TrackRows& rows,
                      const RecordedScenario& recorded) {
  const auto refused = [&](Message problem) {
    fail(Errc::invalid_argument,
         {"motion metrics: scenario ", prediction.scenario_id, ": ", joined(problem)});
  };
  const auto first = recorded.current_time_index + kMotionStride;
  if (prediction.steps != kMotionSteps || prediction.first_step != first ||
      prediction.step_stride != kMotionStride) {
    refused({"wrong steps (found ", prediction.steps, " from ", prediction.first_step,
             " by ", prediction.step_stride, ", expected ", kMotionSteps, " from ",
             first, " by ", kMotionStride, ")"});
  }
  if (static_cast<std::uint64_t>(prediction.frame(kMotionSteps - 1)) >=
      recorded.times_s.size()) {
    refused({"recorded steps are too few (found ", recorded.times_s.size(), ")"});
  }
  if (prediction.rollouts == 0) refused({"no modes"});
  if (prediction.scores.empty()) refused({"no scores"});
  if (rows.empty() || rows.size() != prediction.agents()) {
    refused({"wrong number of rows (found ", rows.size(), ", expected ",
             prediction.agents(), ")"});
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] && *rows[i] < recorded.tracks.size()) continue;
    refused({"agent ", prediction.ids[i], " is not recorded"});
  }
}

}  // namespace

MotionScore score_motion(const Futures& prediction, const TrackRows& rows,
                         const RecordedScenario& recorded) {
  check_tracks(recorded);
  check_prediction(prediction, rows, recorded);
  return MotionScorer(prediction, rows, recorded).run();
}

double average_precision(std::span<const MotionSample> samples, std::size_t truths,
                         bool is_soft) {
  using Kind = MotionSample::Kind;
  std::vector<std::pair<float, bool>> sorted;
  for (const auto& one : samples) {
    if (is_soft && one.kind == Kind::repeated_match) continue;
    sorted.emplace_back(-one.confidence, one.kind == Kind::match);
  }
  if (sorted.empty() || truths == 0) return 0;
  std::sort(sorted.begin(), sorted.end());
  struct Point {
    double precision, recall;
  };
  std::vector<Point> curve;
  double matches = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    matches += sorted[i].second ? 1 : 0;
    curve.push_back(
        {matches / static_cast<double>(i + 1), matches / static_cast<double>(truths)});
  }
  double area = 0;
  auto highest = curve.back();
  for (auto one = curve.rbegin(); one != curve.rend(); ++one) {
    if (one->precision <= highest.precision) continue;
    area += highest.precision * (highest.recall - one->recall);
    highest = *one;
  }
  return area + highest.precision * highest.recall;
}

std::optional<double> MotionTotals::Mean::value() const {
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

void MotionTotals::add(const MotionScore& score) {
  for (std::size_t i = 0; i < kMotionHorizons.size(); ++i) {
    auto& row = rows_[static_cast<std::size_t>(score.type)][i];
    const auto& from = score.horizons[i];
    ++row.predictions;
    if (from.min_ade) row.min_ade.add(*from.min_ade);
    if (from.min_fde) row.min_fde.add(*from.min_fde);
    if (from.is_missed) row.misses.add(*from.is_missed ? 1 : 0);
    row.overlaps.add(from.overlaps ? 1 : 0);
    if (!score.shape || from.samples.empty()) continue;
    auto& bucket = row.buckets[static_cast<std::size_t>(*score.shape)];
    bucket.samples.insert(bucket.samples.end(), from.samples.begin(),
                          from.samples.end());
    ++bucket.truths;
  }
}

void MotionTotals::add(const MotionTotals& other) {
  for (std::size_t type = 0; type < kAgentTypes; ++type) {
    for (std::size_t i = 0; i < kMotionHorizons.size(); ++i) {
      auto& row = rows_[type][i];
      const auto& from = other.rows_[type][i];
      row.predictions += from.predictions;
      row.min_ade.add(from.min_ade);
      row.min_fde.add(from.min_fde);
      row.misses.add(from.misses);
      row.overlaps.add(from.overlaps);
      for (std::size_t k = 0; k < kPathShapes; ++k) {
        auto& bucket = row.buckets[k];
        const auto& more = from.buckets[k];
        bucket.samples.insert(bucket.samples.end(), more.samples.begin(),
                              more.samples.end());
        bucket.truths += more.truths;
      }
    }
  }
}

MotionMetrics MotionTotals::of(AgentType type, std::size_t horizon) const {
  const auto& row = rows_.at(static_cast<std::size_t>(type)).at(horizon);
  MotionMetrics out;
  out.predictions = row.predictions;
  out.min_ade = row.min_ade.value();
  out.min_fde = row.min_fde.value();
  out.miss_rate = row.misses.value();
  out.overlap_rate = row.overlaps.value();
  Mean hard, soft;
  for (const auto& bucket : row.buckets) {
    if (bucket.samples.empty()) continue;
    hard.add(average_precision(bucket.samples, bucket.truths, false));
    soft.add(average_precision(bucket.samples, bucket.truths, true));
  }
  out.mean_average_precision = hard.value();
  out.soft_mean_average_precision = soft.value();
  return out;
}

}  // namespace bev::futures
