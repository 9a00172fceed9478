#include "core/futures/nuscenes_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.hpp"

namespace bev::futures {

TopModesScore score_top_modes(const Futures& prediction,
                              std::span<const geom::Vec2> truth, std::size_t count,
                              double miss_m) {
  if (prediction.scores.empty() || prediction.agents() != 1 ||
      truth.size() != prediction.steps || truth.empty()) {
    fail(Errc::invalid_argument, {"prediction: expected probabilities of one agent, "
                                  "and the truth of each step"});
  }
  std::vector<std::size_t> order(prediction.rollouts);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const float one = prediction.scores.at(a, 0), other = prediction.scores.at(b, 0);
    return one != other ? one > other : a > b;
  });
  order.resize(std::min(order.size(), count));
  constexpr double kFar = std::numeric_limits<double>::infinity();
  TopModesScore out{kFar, kFar, true};
  for (const auto mode : order) {
    double sum = 0, farthest = 0, last = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) {
      const auto at = prediction.position(mode, 0, t);
      last = std::hypot(at.x - truth[t].x, at.y - truth[t].y);
      sum += last;
      farthest = std::max(farthest, last);
    }
    out.min_ade = std::min(out.min_ade, sum / static_cast<double>(truth.size()));
    out.min_fde = std::min(out.min_fde, last);
    out.is_missed = out.is_missed && farthest >= miss_m;
  }
  return out;
}

std::optional<std::vector<geom::Vec2>> recorded_path(const Futures& prediction,
                                                     const TrackRows& rows,
                                                     const RecordedScenario& recorded) {
  if (rows.size() != 1 || !rows[0]) return std::nullopt;
  const auto& states = recorded.tracks.at(*rows[0]).states;
  std::vector<geom::Vec2> out;
  for (std::size_t t = 0; t < prediction.steps; ++t) {
    const auto frame = prediction.frame(t);
    if (frame < 0 || static_cast<std::uint64_t>(frame) >= states.size()) {
      return std::nullopt;
    }
    const auto& state = states[static_cast<std::size_t>(frame)];
    if (!state.is_valid) return std::nullopt;
    out.push_back({state.centre.x, state.centre.y});
  }
  return out;
}

void NuscenesTotals::add(const Futures& prediction, const TrackRows& rows,
                         const RecordedScenario& recorded) {
  const auto truth = recorded_path(prediction, rows, recorded);
  if (!truth) {
    ++not_recorded_;
    return;
  }
  ++count_;
  for (std::size_t i = 0; i < kTopModes.size(); ++i) {
    const auto one = score_top_modes(prediction, *truth, kTopModes[i]);
    sums_[i].min_ade += one.min_ade;
    sums_[i].min_fde += one.min_fde;
    sums_[i].misses += one.is_missed ? 1 : 0;
  }
}

void NuscenesTotals::add(const NuscenesTotals& other) {
  count_ += other.count_;
  not_recorded_ += other.not_recorded_;
  for (std::size_t i = 0; i < kTopModes.size(); ++i) {
    sums_[i].min_ade += other.sums_[i].min_ade;
    sums_[i].min_fde += other.sums_[i].min_fde;
    sums_[i].misses += other.sums_[i].misses;
  }
}

NuscenesTotals::Means NuscenesTotals::of(std::size_t i) const {
  const auto count = static_cast<double>(count_);
  const auto& sums = sums_.at(i);
  return {sums.min_ade / count, sums.min_fde / count,
          static_cast<double>(sums.misses) / count};
}

}  // namespace bev::futures
