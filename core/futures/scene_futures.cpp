#include "core/futures/scene_futures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/futures/motion_metrics.hpp"

namespace bev::futures {
namespace {

/// Copies the futures of one agent to row `agent` of arrays for all.
void copy_agent(const FuturesData& from, std::size_t agent, FuturesData& to) {
  const auto view = from.view();
  const auto agents = to.ids.size();
  for (std::size_t r = 0; r < from.rollouts; ++r) {
    for (std::size_t v = 0; v < to.pose_values; ++v) {
      const auto* first = from.poses.data() + (r * from.pose_values + v) * from.steps;
      std::copy_n(first, from.steps,
                  to.poses.begin() +
                      static_cast<std::ptrdiff_t>(
                          ((r * agents + agent) * to.pose_values + v) * to.steps));
    }
    for (std::size_t t = 0; t < from.steps; ++t) {
      to.valid[(r * agents + agent) * to.steps + t] = view.is_valid(r, 0, t) ? 1 : 0;
    }
    if (!view.scores.empty()) to.scores[r * agents + agent] = view.scores.at(r, 0);
  }
}

bool is_road_user(std::uint64_t type) {
  return type == static_cast<std::uint64_t>(AgentType::vehicle) ||
         type == static_cast<std::uint64_t>(AgentType::cyclist);
}

/// Returns the rows of agents that are to be predicted or, of simulations, evaluated. Of
/// our own form, these are all agents if a simulation has none of the evaluated ones.
std::vector<std::size_t> measured_agents(const JoinedFutures& joined,
                                         const RecordedScenario& recorded,
                                         const JoinRules& rules) {
  const auto view = joined.futures.view();
  std::vector<std::size_t> out;
  if (rules.is_simulation) out = evaluated_agents(view, joined.rows, recorded);
  if (!out.empty() || (rules.is_simulation && rules.is_challenge)) return out;
  for (std::size_t a = 0; a < joined.rows.size(); ++a) {
    if (joined.rows[a]) out.push_back(a);
  }
  return out;
}

std::optional<double> mean_of(const std::vector<double>& values, std::size_t rollout,
                              const JoinedFutures& joined) {
  double sum = 0;
  std::size_t count = 0;
  for (const auto agent : joined.evaluated) {
    const double one = values[rollout * joined.rows.size() + agent];
    if (std::isnan(one)) continue;
    sum += one;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

/// Returns the mean time between recorded frames, in seconds.
double frame_seconds(const RecordedScenario& recorded) {
  const auto& times = recorded.times_s;
  if (times.size() < 2) return 0;
  return (times.back() - times.front()) / static_cast<double>(times.size() - 1);
}

/// Returns the time of a frame after the current one, in seconds; nullopt unless it is
/// recorded.
std::optional<double> time_ahead(const RecordedScenario& recorded, std::int64_t frame) {
  const auto& times = recorded.times_s;
  const auto is_recorded = [&](std::int64_t one) {
    return one >= 0 && static_cast<std::uint64_t>(one) < times.size();
  };
  const auto current = recorded.current_time_index;
  if (!is_recorded(frame) || !is_recorded(current)) return std::nullopt;
  return times[static_cast<std::size_t>(frame)] -
         times[static_cast<std::size_t>(current)];
}

}  // namespace

FuturesData merged(std::vector<FuturesData> futures) {
  if (futures.empty()) fail(Errc::invalid_argument, {"futures: none"});
  if (futures.size() == 1) return std::move(futures.front());
  const auto& first = futures.front();
  FuturesData out;
  out.scenario_id = first.scenario_id;
  out.first_step = first.first_step;
  out.step_stride = first.step_stride;
  out.pose_values = first.pose_values;
  out.origin = first.origin;
  out.is_joint = false;
  bool has_scores = false;
  for (const auto& one : futures) {
    const bool is_alike = one.ids.size() == 1 && one.first_step == out.first_step &&
                          one.step_stride == out.step_stride &&
                          one.pose_values == out.pose_values && one.sizes.empty();
    if (!is_alike) {
      fail(Errc::invalid_metadata,
           {"scenario ", out.scenario_id, ": futures of agents do not match"});
    }
    out.ids.push_back(one.ids.front());
    out.rollouts = std::max(out.rollouts, one.rollouts);
    out.steps = std::max(out.steps, one.steps);
    has_scores = has_scores || !one.scores.empty();
  }
  const auto rows = out.rollouts * out.ids.size();
  if (rows * out.steps * out.pose_values > Limits().values) {
    fail(Errc::limit_exceeded,
         {"scenario ", out.scenario_id, ": too many values of its agents together"});
  }
  out.poses.resize(rows * out.pose_values * out.steps);
  out.valid.resize(rows * out.steps);
  if (has_scores) out.scores.resize(rows);
  for (std::size_t a = 0; a < futures.size(); ++a) copy_agent(futures[a], a, out);
  const bool is_all_valid =
      std::find(out.valid.begin(), out.valid.end(), 0) == out.valid.end();
  if (is_all_valid) out.valid.clear();
  return out;
}

JoinRules rules_of(SubmissionKind kind, const FuturesData& futures) noexcept {
  if (kind == SubmissionKind::motion) return motion_rules();
  if (kind == SubmissionKind::interaction) return interaction_rules();
  if (kind == SubmissionKind::nuscenes) return nuscenes_rules(futures.first_step);
  if (kind == SubmissionKind::futures || kind == SubmissionKind::predictions ||
      kind == SubmissionKind::interpret) {
    return own_rules(kind == SubmissionKind::futures);
  }
  return futures.first_step == 0 ? scenario_generation_rules() : sim_agents_rules();
}

LaneDepartures lane_departures(const Futures& futures, const TrackRows& rows,
                               const RecordedScenario& recorded,
                               const std::function<bool(geom::Vec2)>& is_on_lane) {
  const auto now = static_cast<std::size_t>(recorded.current_time_index);
  std::vector<bool> is_judged;
  for (const auto& row : rows) {
    const auto* track = row ? &recorded.tracks.at(*row) : nullptr;
    const auto* state = track ? &track->states.at(now) : nullptr;
    is_judged.push_back(state && is_road_user(track->type) && state->is_valid &&
                        is_on_lane({state->centre.x, state->centre.y}));
  }
  LaneDepartures out;
  for (std::size_t r = 0; r < futures.rollouts; ++r) {
    for (std::size_t a = 0; a < rows.size(); ++a) {
      std::int32_t step = is_judged[a] ? -1 : kNotJudged;
      for (std::size_t t = 0; step == -1 && t < futures.steps; ++t) {
        if (!futures.is_valid(r, a, t)) continue;
        const auto at = futures.position(r, a, t);
        if (!is_on_lane({at.x, at.y})) step = static_cast<std::int32_t>(t);
      }
      out.step.push_back(step);
    }
  }
  return out;
}

JoinedFutures join_unmeasured(std::vector<FuturesData> futures, SubmissionKind kind,
                              const RecordedScenario& recorded, geom::Vec3 moved_by) {
  JoinedFutures out;
  std::vector<Futures> views;
  for (const auto& one : futures) views.push_back(one.view());
  if (views.empty()) fail(Errc::invalid_argument, {"futures: none"});
  const auto rules = rules_of(kind, futures.front());
  for (const auto& rows : joined_agents(views, recorded, rules, out.report)) {
    out.rows.insert(out.rows.end(), rows.begin(), rows.end());
  }
  out.futures = merged(std::move(futures));
  for (auto& id : out.futures.ids) id = recorded_id(id, recorded);
  out.futures.origin.x += moved_by.x;
  out.futures.origin.y += moved_by.y;
  if (out.futures.pose_values == 2) out.futures.sizes.clear();  // boxes need headings
  if (out.futures.pose_values == 4 && out.futures.sizes.empty()) {
    out.futures.sizes = recorded_sizes(out.rows, recorded);
    out.futures.size_values = 3;
  }
  out.evaluated = measured_agents(out, recorded, rules);
  return out;
}

void find_collisions(JoinedFutures& joined) {
  const auto view = joined.futures.view();
  if (!joined.collisions && view.has_yaw()) joined.collisions = collisions(view);
}

JoinedFutures join_futures(std::vector<FuturesData> futures, SubmissionKind kind,
                           const RecordedScenario& recorded, geom::Vec3 moved_by) {
  auto out = join_unmeasured(std::move(futures), kind, recorded, moved_by);
  measure_until(out, recorded, std::nullopt);
  find_collisions(out);
  return out;
}

double seconds_ahead(const JoinedFutures& joined, const RecordedScenario& recorded) {
  const auto view = joined.futures.view();
  for (auto t = view.steps; t-- > 0;) {
    if (const auto ahead = time_ahead(recorded, view.frame(t))) return *ahead;
  }
  return 0;
}

void measure_until(JoinedFutures& joined, const RecordedScenario& recorded,
                   std::optional<double> seconds) {
  const auto view = joined.futures.view();
  // The nearest frame counts: times are not exact multiples.
  const auto tolerance = frame_seconds(recorded) / 2;
  auto& steps = joined.measured_steps;
  steps = seconds ? 0 : kNoStepLimit;
  if (seconds && seconds_ahead(joined, recorded) >= *seconds - tolerance) {
    const auto is_after = [&](std::int64_t frame) {
      const auto ahead = time_ahead(recorded, frame);
      return ahead ? *ahead > *seconds + tolerance
                   : frame > recorded.current_time_index;
    };
    while (steps < view.steps && !is_after(view.frame(steps))) ++steps;
  }
  joined.displacements =
      displacements(view, joined.rows, recorded, Axes::xy, joined.measured_steps);
}

DisplacementCurves displacement_curves(const JoinedFutures& joined,
                                       const RecordedScenario& recorded) {
  const auto view = joined.futures.view();
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto mean_over = [&](double sum, std::size_t count) {
    return count == 0 ? none : sum / static_cast<double>(count);
  };
  DisplacementCurves out;
  out.mean.resize(view.rollouts * view.steps);
  out.least.resize(view.steps);
  for (std::size_t t = 0; t < view.steps; ++t) {
    std::vector<double> own(joined.evaluated.size(), none);
    double least = none;
    for (std::size_t r = 0; r < view.rollouts; ++r) {
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < own.size(); ++i) {
        const auto one =
            displacement_at(view, joined.rows, recorded, {r, joined.evaluated[i], t});
        if (!one) continue;
        sum += *one;
        ++count;
        own[i] = std::fmin(own[i], *one);
      }
      out.mean[r * view.steps + t] = mean_over(sum, count);
      least = std::fmin(least, out.mean[r * view.steps + t]);
    }
    if (!joined.futures.is_joint) {
      double sum = 0;
      std::size_t count = 0;
      for (const double one : own) {
        if (std::isnan(one)) continue;
        sum += one;
        ++count;
      }
      least = mean_over(sum, count);
    }
    out.least[t] = least;
  }
  return out;
}

std::vector<RolloutSummary> summaries(const JoinedFutures& joined,
                                      const LaneDepartures* departures) {
  const auto agents = joined.rows.size();
  const auto count = [&](const std::vector<std::int32_t>& steps, std::size_t rollout) {
    const auto* first = steps.data() + rollout * agents;
    return static_cast<std::uint32_t>(std::count_if(
        first, first + agents, [&](auto step) { return joined.is_measured(step); }));
  };
  std::vector<RolloutSummary> out(joined.futures.rollouts);
  for (std::size_t r = 0; r < out.size(); ++r) {
    out[r].ade = mean_of(joined.displacements.ade, r, joined);
    out[r].fde = mean_of(joined.displacements.fde, r, joined);
    if (joined.collisions) out[r].colliding = count(joined.collisions->step, r);
    if (departures != nullptr) out[r].leaving_lanes = count(departures->step, r);
  }
  return out;
}

}  // namespace bev::futures
