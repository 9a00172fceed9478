#include "core/futures/scores.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"

namespace bev::futures {
namespace {

using nlohmann::json;

json number_or_null(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

/// Returns the mean, over the evaluated agents, of the least value of any rollout.
std::optional<double> mean_of_least(const std::vector<double>& values,
                                    const JoinedFutures& joined) {
  const auto agents = joined.rows.size();
  double sum = 0;
  std::size_t count = 0;
  for (const auto agent : joined.evaluated) {
    std::optional<double> least;
    for (std::size_t r = 0; r < joined.futures.rollouts; ++r) {
      const double one = values[r * agents + agent];
      if (!std::isnan(one) && (!least || one < *least)) least = one;
    }
    if (!least) continue;
    sum += *least;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

/// Returns the share of rollouts and evaluated agents with a step; nullopt if none is
/// judged.
std::optional<double> share_of(const std::vector<std::int32_t>& steps,
                               const JoinedFutures& joined) {
  const auto agents = joined.rows.size();
  std::size_t found = 0, judged = 0;
  for (std::size_t r = 0; r < joined.futures.rollouts; ++r) {
    for (const auto agent : joined.evaluated) {
      const auto step = steps[r * agents + agent];
      found += joined.is_measured(step) ? 1 : 0;
      judged += step == kNotJudged ? 0 : 1;
    }
  }
  if (judged == 0) return std::nullopt;
  return static_cast<double>(found) / static_cast<double>(judged);
}

struct MeanAndLeast {
  std::optional<double> mean, least;
};

MeanAndLeast mean_and_least(const std::vector<RolloutSummary>& rollouts,
                            std::optional<double> RolloutSummary::*value) {
  MeanAndLeast out;
  double sum = 0;
  std::size_t count = 0;
  for (const auto& one : rollouts) {
    const auto& found = one.*value;
    if (!found) continue;
    sum += *found;
    ++count;
    out.least = out.least ? std::min(*out.least, *found) : *found;
  }
  if (count > 0) out.mean = sum / static_cast<double>(count);
  return out;
}

const char* name_of(AgentType type) {
  switch (type) {
    case AgentType::vehicle: return "vehicle";
    case AgentType::pedestrian: return "pedestrian";
    case AgentType::cyclist: return "cyclist";
    default: return "other";
  }
}

json motion_json(const MotionTotals& totals) {
  auto out = json::array();
  for (const auto type :
       {AgentType::vehicle, AgentType::pedestrian, AgentType::cyclist}) {
    for (std::size_t h = 0; h < kMotionHorizons.size(); ++h) {
      const auto found = totals.of(type, h);
      if (found.predictions == 0) continue;
      out.push_back({{"type", name_of(type)},
                     {"seconds", kMotionHorizons[h].seconds},
                     {"predictions", found.predictions},
                     {"minADE", number_or_null(found.min_ade)},
                     {"minFDE", number_or_null(found.min_fde)},
                     {"missRate", number_or_null(found.miss_rate)},
                     {"overlapRate", number_or_null(found.overlap_rate)},
                     {"mAP", number_or_null(found.mean_average_precision)},
                     {"softMAP", number_or_null(found.soft_mean_average_precision)}});
    }
  }
  return out;
}

json nuscenes_json(const NuscenesTotals& totals) {
  auto out = json::array();
  for (std::size_t i = 0; totals.predictions() > 0 && i < kTopModes.size(); ++i) {
    const auto found = totals.of(i);
    out.push_back({{"k", kTopModes[i]},
                   {"predictions", totals.predictions()},
                   {"minADE", found.min_ade},
                   {"minFDE", found.min_fde},
                   {"missRate", found.miss_rate}});
  }
  return out;
}

}  // namespace

ScenarioScore score_of(const JoinedFutures& joined, const LaneDepartures* departures) {
  ScenarioScore out;
  out.scenario_id = joined.futures.scenario_id;
  out.agents = static_cast<std::uint32_t>(joined.rows.size());
  out.evaluated = static_cast<std::uint32_t>(joined.evaluated.size());
  out.rollouts = static_cast<std::uint32_t>(joined.futures.rollouts);
  out.mismatches = joined.report.count();
  if (joined.has_measures()) {
    if (departures != nullptr) out.off_lane_rate = share_of(departures->step, joined);
    if (joined.collisions) {
      out.collision_rate = share_of(joined.collisions->step, joined);
    }
  }
  out.by_rollout = summaries(joined, departures);
  const auto ade = mean_and_least(out.by_rollout, &RolloutSummary::ade);
  const auto fde = mean_and_least(out.by_rollout, &RolloutSummary::fde);
  out.ade = ade.mean;
  out.fde = fde.mean;
  if (!joined.futures.is_joint) {
    out.min_ade = mean_of_least(joined.displacements.ade, joined);
    out.min_fde = mean_of_least(joined.displacements.fde, joined);
    return out;
  }
  out.min_ade = ade.least;
  out.min_fde = fde.least;
  if (joined.evaluated.empty()) return out;
  if (const auto best = joined.displacements.best_rollout(joined.evaluated)) {
    out.best_rollout = static_cast<std::uint32_t>(*best);
  }
  return out;
}

ScenarioScore score_of(const JoinedFutures& joined, const RecordedScenario& recorded,
                       const std::function<bool(geom::Vec2)>& is_on_lane) {
  if (!is_on_lane) return score_of(joined, nullptr);
  const auto departures =
      lane_departures(joined.futures.view(), joined.rows, recorded, is_on_lane);
  return score_of(joined, &departures);
}

void SubmissionScores::Mean::add(const std::optional<double>& value) {
  if (!value) return;
  sum += *value;
  ++count;
}

void SubmissionScores::add_motion(const std::vector<FuturesData>& futures,
                                  SubmissionKind kind,
                                  const RecordedScenario& recorded) {
  has_motion_ = true;
  std::vector<Futures> views;
  for (const auto& one : futures) views.push_back(one.view());
  JoinReport report;
  const auto rows =
      joined_agents(views, recorded, rules_of(kind, futures.front()), report);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const bool is_whole = views[i].steps == kMotionSteps &&
                          std::all_of(rows[i].begin(), rows[i].end(),
                                      [](const auto& row) { return row.has_value(); });
    if (is_whole) motion_.add(score_motion(views[i], rows[i], recorded));
  }
}

void SubmissionScores::add_means(const ScenarioScore& score) {
  ++scenarios_;
  rollouts_ += score.rollouts;
  ade_.add(score.ade);
  min_ade_.add(score.min_ade);
  fde_.add(score.fde);
  min_fde_.add(score.min_fde);
  collision_rate_.add(score.collision_rate);
  off_lane_rate_.add(score.off_lane_rate);
}

ScenarioScore SubmissionScores::add(std::vector<FuturesData> futures,
                                    SubmissionKind kind, const RecordedScene& recorded,
                                    const std::function<bool(geom::Vec2)>& is_on_lane) {
  for (auto& one : futures) {
    one.origin.x += recorded.moved_by.x;
    one.origin.y += recorded.moved_by.y;
  }
  const bool is_motion =
      kind == SubmissionKind::motion || kind == SubmissionKind::interaction;
  if (is_motion && !futures.empty()) add_motion(futures, kind, recorded.scenario);
  const auto joined = join_futures(std::move(futures), kind, recorded.scenario);
  if (kind == SubmissionKind::nuscenes) {
    nuscenes_.add(joined.futures.view(), joined.rows, recorded.scenario);
  }
  report_.add(joined.report);
  auto out = score_of(joined, recorded.scenario, is_on_lane);
  add_means(out);
  return out;
}

void SubmissionScores::add(const SubmissionScores& other) {
  scenarios_ += other.scenarios_;
  rollouts_ += other.rollouts_;
  const auto join = [](Mean& to, const Mean& from) {
    to.sum += from.sum;
    to.count += from.count;
  };
  join(ade_, other.ade_);
  join(min_ade_, other.min_ade_);
  join(fde_, other.fde_);
  join(min_fde_, other.min_fde_);
  join(collision_rate_, other.collision_rate_);
  join(off_lane_rate_, other.off_lane_rate_);
  has_motion_ = has_motion_ || other.has_motion_;
  motion_.add(other.motion_);
  nuscenes_.add(other.nuscenes_);
  report_.add(other.report_);
}

std::string SubmissionScores::json() const {
  const auto mean = [](const Mean& of) {
    return of.count == 0 ? nlohmann::json(nullptr)
                         : nlohmann::json(of.sum / static_cast<double>(of.count));
  };
  auto mismatches = nlohmann::json::object();
  for (std::size_t i = 0; i < kMismatches; ++i) {
    const auto kind = static_cast<Mismatch>(i);
    const auto& list = report_.of(kind);
    if (list.count == 0) continue;
    mismatches[std::string(to_string(kind))] = {{"count", list.count},
                                                {"first", list.names}};
  }
  nlohmann::json out = {{"scenarios", scenarios_},
                        {"rollouts", rollouts_},
                        {"ADE", mean(ade_)},
                        {"minADE", mean(min_ade_)},
                        {"FDE", mean(fde_)},
                        {"minFDE", mean(min_fde_)},
                        {"collisionRate", mean(collision_rate_)},
                        {"offLaneRate", mean(off_lane_rate_)},
                        {"mismatches", mismatches}};
  if (has_motion_) out["motion"] = motion_json(motion_);
  if (nuscenes_.predictions() + nuscenes_.not_recorded() > 0) {
    out["nuscenes"] = nuscenes_json(nuscenes_);
    out["notRecorded"] = nuscenes_.not_recorded();
  }
  return out.dump(1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace bev::futures
