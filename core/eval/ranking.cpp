#include "core/eval/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace bev::eval {

namespace {

const Score& score_of(const Reviewed& row) {
  return row.score;
}
const Score& score_of(const Ranked& one) {
  return one.row.score;
}
const Score& score_of(const ReviewedFrame& frame) {
  return frame.mean;
}

template <class Rows>
std::vector<std::uint32_t> order_of_ranking(const Rows& rows, Measure by) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto known = [&](std::uint32_t i) {
    return !std::isnan(value(score_of(rows[i]), by));
  };
  const auto end = std::stable_partition(order.begin(), order.end(), known);
  std::stable_sort(order.begin(), end, [&](std::uint32_t a, std::uint32_t b) {
    return value(score_of(rows[a]), by) > value(score_of(rows[b]), by);
  });
  return order;
}

std::size_t index_of(Measure by) {
  return static_cast<std::size_t>(by);
}

/// Sorts the predictions and drops all but `most`.
void keep_worst(std::vector<Ranked>& worst, Measure by, std::size_t most) {
  std::sort(worst.begin(), worst.end(), [&](const Ranked& a, const Ranked& b) {
    const auto left = value(a.row.score, by);
    const auto right = value(b.row.score, by);
    if (left != right) return left > right;
    if (a.scene != b.scene) return a.scene < b.scene;
    if (a.row.frame != b.row.frame) return a.row.frame < b.row.frame;
    return a.row.track_id < b.row.track_id;
  });
  if (worst.size() > most) worst.resize(most);
}

}  // namespace

double value(const Score& score, Measure by) noexcept {
  switch (by) {
    case Measure::ade: return score.ade;
    case Measure::fde: return score.fde;
    case Measure::nll: break;
  }
  return score.nll;
}

std::vector<std::uint32_t> ranked(const std::vector<Reviewed>& rows, Measure by) {
  return order_of_ranking(rows, by);
}

std::vector<std::uint32_t> ranked(const std::vector<ReviewedFrame>& frames,
                                  Measure by) {
  return order_of_ranking(frames, by);
}

std::vector<std::uint32_t> ranked_tracks(const std::vector<Reviewed>& rows,
                                         Measure by) {
  std::set<std::int64_t> seen;
  std::vector<std::uint32_t> out;
  for (const auto i : order_of_ranking(rows, by)) {
    if (seen.insert(rows[i].track_id).second) out.push_back(i);
  }
  return out;
}

std::vector<std::uint32_t> ranked(const std::vector<Ranked>& rows, Measure by) {
  return order_of_ranking(rows, by);
}

std::vector<std::uint32_t> ranked_tracks(const std::vector<Ranked>& rows, Measure by) {
  std::set<std::pair<std::uint32_t, std::int64_t>> seen;
  std::vector<std::uint32_t> out;
  for (const auto i : order_of_ranking(rows, by)) {
    if (seen.emplace(rows[i].scene, rows[i].row.track_id).second) out.push_back(i);
  }
  return out;
}

Ranking::Ranking(Review review, std::size_t most)
    : review_(std::move(review)),
      most_(most),
      breakdown_(review_.modes(), review_.steps(), review_.counting()) {}

bool Ranking::has_predictions_at(std::span<const std::int64_t> timestamps) const {
  return std::any_of(timestamps.begin(), timestamps.end(),
                     [&](std::int64_t time) { return review_.predicts(time); });
}

void Ranking::add(std::uint32_t scene, SharedScene tracks) {
  review_.set_scene(std::move(tracks));
  found_ += review_.rows().size();
  breakdown_.add(review_.breakdown());
  for (const auto& row : review_.rows()) {
    if (std::isnan(row.score.nll)) continue;
    mean_.add(row.score);
    for (auto& worst : worst_) worst.push_back({scene, row});
  }
  for (const auto by : kMeasures) {
    keep_worst(worst_[index_of(by)], by, most_);
    auto& worst = worst_tracks_[index_of(by)];
    for (const auto i : ranked_tracks(review_.rows(), by)) {
      const auto& row = review_.rows()[i];
      if (!std::isnan(row.score.nll)) worst.push_back({scene, row});
    }
    keep_worst(worst, by, most_);
  }
}

const std::vector<Ranked>& Ranking::worst(Measure by) const {
  return worst_[index_of(by)];
}

const std::vector<Ranked>& Ranking::worst_tracks(Measure by) const {
  return worst_tracks_[index_of(by)];
}

}  // namespace bev::eval
