#include "core/futures/measures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.hpp"
#include "core/scene/motion.hpp"

namespace bev::futures {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// A mean of numbers; NaN of none.
struct RunningMean {
  double sum = 0;
  std::uint64_t count = 0;
  void add(double value) { sum += value, ++count; }
  double value() const {
    return count == 0 ? kUnknown : sum / static_cast<double>(count);
  }
};

void check_rows(const Futures& futures, const TrackRows& rows,
                const RecordedScenario& recorded) {
  check_tracks(recorded);
  if (rows.size() != futures.agents()) {
    fail(Errc::invalid_argument,
         {"scenario ", futures.scenario_id, ": wrong number of rows (found ",
          rows.size(), ", expected ", futures.agents(), ")"});
  }
  for (const auto& row : rows) {
    if (row && *row >= recorded.tracks.size())
      fail_index({"track "}, *row, recorded.tracks.size());
  }
}

/// Returns a distance; values are limited, so that their squares do not overflow.
double distance_of(const geom::Vec3& a, const geom::Vec3& b, Axes axes) {
  const double x = a.x - b.x, y = a.y - b.y, z = axes == Axes::xyz ? a.z - b.z : 0;
  return std::sqrt(x * x + y * y + z * z);
}

/// The boxes of a rollout's agents in one step, and what they touch.
class CollisionStep {
 public:
  CollisionStep(const Futures& futures, std::size_t rollout, std::size_t step) {
    for (std::size_t a = 0; a < futures.agents(); ++a) {
      if (!futures.is_valid(rollout, a, step)) continue;
      const auto box = futures.box(rollout, a, step);
      boxes_.push_back({box, geom::hypot(box.half_length, box.half_width), a});
    }
    // Sorted by their left ends: only neighbours can touch.
    std::sort(boxes_.begin(), boxes_.end(), [](const Placed& a, const Placed& b) {
      return a.left() != b.left() ? a.left() < b.left() : a.agent < b.agent;
    });
  }

  /// Calls `take(a, b)` with each pair of agents that touch.
  template <class Take>
  void each_pair(Take take) const {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const auto& a = boxes_[i];
      for (std::size_t k = i + 1; k < boxes_.size(); ++k) {
        const auto& b = boxes_[k];
        if (b.left() > a.box.centre.x + a.radius) break;
        if (std::fabs(a.box.centre.y - b.box.centre.y) > a.radius + b.radius) continue;
        if (geom::distance(a.box, b.box) == 0) take(a.agent, b.agent);
      }
    }
  }

 private:
  struct Placed {
    geom::Rectangle box;
    double radius;
    std::size_t agent;
    double left() const { return box.centre.x - radius; }
  };
  std::vector<Placed> boxes_;
};

std::vector<scene::PoseAt> poses_of(const Futures& futures, std::size_t rollout,
                                    std::size_t agent) {
  std::vector<scene::PoseAt> out(futures.steps);
  for (std::size_t t = 0; t < futures.steps; ++t) {
    if (!futures.is_valid(rollout, agent, t)) continue;
    const auto at = futures.position(rollout, agent, t);
    out[t].at = {at.x, at.y};
    if (futures.has_yaw()) {
      out[t].yaw = double{futures.poses.at(rollout, agent, t, kYaw)};
    }
  }
  return out;
}

/// Returns the mean distance of an agent's rollouts in a step, of all pairs.
RunningMean spread_of(const Futures& futures, std::size_t agent, std::size_t step) {
  RunningMean out;
  for (std::size_t r = 0; r < futures.rollouts; ++r) {
    if (!futures.is_valid(r, agent, step)) continue;
    const auto a = futures.position(r, agent, step);
    for (std::size_t other = r + 1; other < futures.rollouts; ++other) {
      if (!futures.is_valid(other, agent, step)) continue;
      out.add(distance_of(a, futures.position(other, agent, step), Axes::xy));
    }
  }
  return out;
}

}  // namespace

std::optional<double> Displacements::mean_ade(std::size_t rollout,
                                              std::span<const std::size_t> of) const {
  RunningMean out;
  const auto count = of.empty() ? agents : of.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double one = ade.at(rollout * agents + (of.empty() ? i : of[i]));
    if (!std::isnan(one)) out.add(one);
  }
  return out.count == 0 ? std::nullopt : std::optional(out.value());
}

std::optional<std::size_t> Displacements::best_rollout(
    std::span<const std::size_t> of) const {
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t r = 0; agents != 0 && r < ade.size() / agents; ++r) {
    const auto mean = mean_ade(r, of);
    if (!mean || (best && *mean >= least)) continue;
    best = r;
    least = *mean;
  }
  return best;
}

std::optional<double> displacement_at(const Futures& futures, const TrackRows& rows,
                                      const RecordedScenario& recorded,
                                      const AgentStep& at, Axes axes) {
  const auto [r, a, t] = at;
  if (!rows[a] || !futures.is_valid(r, a, t)) return std::nullopt;
  const auto frame = futures.frame(t);
  const auto& states = recorded.tracks[*rows[a]].states;
  if (frame < 0 || static_cast<std::uint64_t>(frame) >= states.size()) {
    return std::nullopt;
  }
  const auto& truth = states[static_cast<std::size_t>(frame)];
  if (!truth.is_valid) return std::nullopt;
  return distance_of(futures.position(r, a, t), truth.centre, axes);
}

Displacements displacements(const Futures& futures, const TrackRows& rows,
                            const RecordedScenario& recorded, Axes axes,
                            std::size_t steps) {
  check_rows(futures, rows, recorded);
  steps = std::min(steps, futures.steps);
  Displacements out;
  out.agents = futures.agents();
  for (std::size_t r = 0; r < futures.rollouts; ++r) {
    for (std::size_t a = 0; a < rows.size(); ++a) {
      RunningMean mean;
      double last = kUnknown;
      for (std::size_t t = 0; t < steps; ++t) {
        const auto one = displacement_at(futures, rows, recorded, {r, a, t}, axes);
        if (!one) continue;
        last = *one;
        mean.add(last);
      }
      out.ade.push_back(mean.value());
      out.fde.push_back(last);
    }
  }
  return out;
}

std::vector<std::size_t> evaluated_agents(const Futures& futures, const TrackRows& rows,
                                          const RecordedScenario& recorded) {
  check_rows(futures, rows, recorded);
  std::vector<std::size_t> out;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    if (!rows[a]) continue;
    const auto track = static_cast<std::int64_t>(*rows[a]);
    const bool is_predicted =
        std::any_of(recorded.predictions.begin(), recorded.predictions.end(),
                    [&](const auto& one) { return one.track_index == track; });
    if (is_predicted || track == recorded.ego_index) out.push_back(a);
  }
  std::sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    return futures.ids[a] < futures.ids[b];
  });
  return out;
}

std::vector<float> recorded_sizes(const TrackRows& rows,
                                  const RecordedScenario& recorded) {
  check_tracks(recorded);
  const auto now = static_cast<std::size_t>(recorded.current_time_index);
  std::vector<float> out;
  for (const auto& row : rows) {
    const auto state =
        row ? recorded.tracks.at(*row).states[now] : convert::waymo::State{};
    out.insert(out.end(), {state.length, state.width, state.height});
  }
  return out;
}

Collisions collisions(const Futures& futures) {
  if (!futures.has_yaw() || futures.sizes.empty()) {
    fail(Errc::invalid_argument, {"collisions: scenario ", futures.scenario_id,
                                  ": futures without headings or sizes"});
  }
  Collisions out;
  out.agents = futures.agents();
  out.step.assign(futures.rollouts * out.agents, -1);
  out.with.assign(out.step.size(), 0);
  for (std::size_t r = 0; r < futures.rollouts; ++r) {
    for (std::size_t t = 0; t < futures.steps; ++t) {
      const auto now = static_cast<std::int32_t>(t);
      const auto note = [&](std::size_t agent, std::size_t other) {
        auto& step = out.step[r * out.agents + agent];
        auto& with = out.with[r * out.agents + agent];
        const auto row = static_cast<std::uint32_t>(other);
        if (step < 0 || (step == now && row < with)) with = row;
        if (step < 0) step = now;
      };
      CollisionStep(futures, r, t).each_pair([&](std::size_t a, std::size_t b) {
        note(a, b);
        note(b, a);
      });
    }
  }
  return out;
}

FutureMotion motion_of(const Futures& futures, double seconds_per_frame) {
  if (!(seconds_per_frame > 1e-6 && seconds_per_frame <= 1e3)) {
    fail(Errc::invalid_argument,
         {"motion of futures: seconds_per_frame is not between 1e-6 and 1e3"});
  }
  const double step_ns = seconds_per_frame * 1e9 * futures.step_stride;
  std::vector<std::int64_t> times;
  for (std::size_t t = 0; t < futures.steps; ++t) {
    times.push_back(static_cast<std::int64_t>(static_cast<double>(t) * step_ns + 0.5));
  }
  FutureMotion out;
  const auto append = [](std::vector<float>& to, const std::vector<double>& from) {
    for (const double value : from) to.push_back(static_cast<float>(value));
  };
  for (std::size_t r = 0; r < futures.rollouts; ++r) {
    for (std::size_t a = 0; a < futures.agents(); ++a) {
      const auto motion = scene::motion_of(times, poses_of(futures, r, a));
      append(out.speed, motion.speed);
      append(out.acceleration, motion.acceleration);
    }
  }
  return out;
}

Diversity diversity(const Futures& futures) {
  Diversity out;
  for (std::size_t a = 0; a < futures.agents(); ++a) {
    RunningMean all;
    double last = kUnknown;
    for (std::size_t t = 0; t < futures.steps; ++t) {
      const auto spread = spread_of(futures, a, t);
      all.sum += spread.sum;
      all.count += spread.count;
      if (spread.count != 0) last = spread.value();
    }
    out.mean_distance.push_back(all.value());
    out.final_distance.push_back(last);
  }
  return out;
}

}  // namespace bev::futures
