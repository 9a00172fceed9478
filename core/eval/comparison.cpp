#include "core/eval/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/error.hpp"

namespace bev::eval {

namespace {

bool is_known(const Compared& row) {
  return !std::isnan(row.a.nll) && !std::isnan(row.b.nll);
}

bool comes_before(const Reviewed& one, const Reviewed& other) {
  return one.frame != other.frame ? one.frame < other.frame
                                  : one.track_id < other.track_id;
}

bool comes_before(const Ranked& one, const Ranked& other) {
  return one.scene != other.scene ? one.scene < other.scene
                                  : comes_before(one.row, other.row);
}

/// Calls `pair` with rows of both that are equal in order. Returns the numbers of rows
/// of each without a counterpart.
template <class Rows, class Pair>
std::pair<std::size_t, std::size_t> join(const Rows& a, const Rows& b,
                                         const Pair& pair) {
  std::size_t only_a = 0, only_b = 0;
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (comes_before(*left, *right)) {
      ++only_a, ++left;
    } else if (comes_before(*right, *left)) {
      ++only_b, ++right;
    } else {
      pair(*left, *right);
      ++left, ++right;
    }
  }
  return {only_a + static_cast<std::size_t>(a.end() - left),
          only_b + static_cast<std::size_t>(b.end() - right)};
}

Compared pair_of(std::uint32_t scene, const Reviewed& a, const Reviewed& b) {
  return {scene, a.frame, a.track_id, std::min(a.seen, b.seen), a.score, b.score};
}

template <class Rows>
std::vector<std::uint32_t> order_of(const Rows& rows, Measure by, std::size_t most) {
  std::vector<std::pair<double, std::uint32_t>> known;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto difference = value(rows[i].b, by) - value(rows[i].a, by);
    if (std::isnan(difference)) continue;
    known.emplace_back(difference, static_cast<std::uint32_t>(i));
  }
  const auto kept = std::min(most, known.size());
  const auto end = known.begin() + static_cast<std::ptrdiff_t>(kept);
  std::partial_sort(known.begin(), end, known.end(),
                    [](const auto& one, const auto& other) {
                      return one.first != other.first ? one.first > other.first
                                                      : one.second < other.second;
                    });
  std::vector<std::uint32_t> order;
  std::transform(known.begin(), end, std::back_inserter(order),
                 [](const auto& one) { return one.second; });
  return order;
}

void append(std::vector<double>& out, const Score& score) {
  out.insert(out.end(), {score.ade, score.fde, score.nll});
}

/// Fills the columns that both kinds of elements have.
template <class Rows>
ComparisonColumns shared_columns(const Rows& rows) {
  ComparisonColumns out;
  for (const auto& row : rows) {
    out.scenes.push_back(row.scene);
    out.frames.push_back(row.frame);
    append(out.a, row.a);
    append(out.b, row.b);
  }
  return out;
}

}  // namespace

void Comparison::add(std::uint32_t scene, const Review& a, const Review& b) {
  if (a.scene() != b.scene()) {
    fail(Errc::invalid_argument, {"comparison: the reviews have different scenes"});
  }
  if (a.breakdown().counting() != b.breakdown().counting()) {
    fail(Errc::invalid_argument,
         {"comparison: the reviews count steps without ground truth differently"});
  }
  add_joined(a.rows(), b.rows(), [&](const Reviewed& one, const Reviewed& other) {
    return pair_of(scene, one, other);
  });
}

void Comparison::add(const std::vector<Ranked>& a, const std::vector<Ranked>& b) {
  add_joined(a, b, [](const Ranked& one, const Ranked& other) {
    return pair_of(one.scene, one.row, other.row);
  });
}

template <class Rows, class PairOf>
void Comparison::add_joined(const Rows& a, const Rows& b, const PairOf& of) {
  const auto first = rows_.size();
  const auto [only_a, only_b] = join(a, b, [&](const auto& one, const auto& other) {
    rows_.push_back(of(one, other));
  });
  only_a_ += only_a;
  only_b_ += only_b;
  add_frames(first);
}

void Comparison::add_frames(std::size_t first) {
  for (auto at = first; at < rows_.size();) {
    const auto [scene, frame] = std::pair(rows_[at].scene, rows_[at].frame);
    MeanScore a, b;
    for (; at < rows_.size(); ++at) {
      if (rows_[at].scene != scene || rows_[at].frame != frame) break;
      if (!is_known(rows_[at])) continue;
      a.add(rows_[at].a);
      b.add(rows_[at].b);
    }
    mean_a_.add(a);
    mean_b_.add(b);
    const auto count = static_cast<std::uint32_t>(a.count());
    frames_.push_back({scene, frame, count, a.value(), b.value()});
  }
}

std::vector<std::uint32_t> ranked_by_difference(const std::vector<Compared>& rows,
                                                Measure by, std::size_t most) {
  return order_of(rows, by, most);
}

std::vector<std::uint32_t> ranked_by_difference(
    const std::vector<ComparedFrame>& frames, Measure by, std::size_t most) {
  return order_of(frames, by, most);
}

std::vector<std::uint32_t> ranked_tracks_by_difference(
    const std::vector<Compared>& rows, Measure by, std::size_t most) {
  std::set<std::pair<std::uint32_t, std::int64_t>> seen;
  std::vector<std::uint32_t> out;
  for (const auto i : order_of(rows, by, rows.size())) {
    if (out.size() >= most) break;
    if (seen.emplace(rows[i].scene, rows[i].track_id).second) out.push_back(i);
  }
  return out;
}

ComparisonColumns columns_of(const std::vector<Compared>& rows) {
  auto out = shared_columns(rows);
  for (const auto& row : rows) {
    out.track_ids.push_back(row.track_id);
    out.seen.push_back(row.seen);
  }
  return out;
}

ComparisonColumns columns_of(const std::vector<ComparedFrame>& frames) {
  auto out = shared_columns(frames);
  for (const auto& frame : frames) out.counts.push_back(frame.count);
  return out;
}

}  // namespace bev::eval
