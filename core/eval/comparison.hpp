#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/eval/ranking.hpp"
#include "core/eval/review.hpp"

namespace bev::eval {

/// The scores of two models, A and B, for one agent at one time.
struct Compared {
  std::uint32_t scene = 0;
  std::uint32_t frame = 0;
  std::int64_t track_id = 0;  ///< kEgoTrack: the ego vehicle
  std::uint32_t seen = 0;     ///< steps with ground truth, of the model with fewer
  Score a, b;
};

/// The mean scores of two models in one frame, over the agents with both scores.
struct ComparedFrame {
  std::uint32_t scene = 0;
  std::uint32_t frame = 0;
  std::uint32_t count = 0;  ///< agents with both scores
  Score a, b;
};

/// Compares two models' predictions for the same agents at the same times, in one scene
/// or in several.
class Comparison {
 public:
  /// Adds a scene: joins the rows of both reviews by frame and track.
  ///
  /// Throws  invalid_argument if the reviews' scenes are not the same object, or were scored
  ///         with different Counting
  void add(std::uint32_t scene, const Review& a, const Review& b);

  /// Adds predictions of several scenes, in the order of scenes, frames and tracks.
  void add(const std::vector<Ranked>& a, const std::vector<Ranked>& b);

  /// Pairs in the order of scenes, frames and tracks.
  const std::vector<Compared>& rows() const noexcept { return rows_; }
  /// Frames that have pairs, in order.
  const std::vector<ComparedFrame>& frames() const noexcept { return frames_; }

  /// Numbers of predictions without a counterpart.
  std::size_t only_a() const noexcept { return only_a_; }
  std::size_t only_b() const noexcept { return only_b_; }

  /// Number of pairs with both scores, and the means over them; NaN if there are none.
  std::size_t compared() const noexcept { return mean_a_.count(); }
  Score mean_a() const noexcept { return mean_a_.value(); }
  Score mean_b() const noexcept { return mean_b_.value(); }

 private:
  template <class Rows, class PairOf>
  void add_joined(const Rows& a, const Rows& b, const PairOf& of);
  void add_frames(std::size_t first);

  std::vector<Compared> rows_;
  std::vector<ComparedFrame> frames_;
  std::size_t only_a_ = 0;
  std::size_t only_b_ = 0;
  MeanScore mean_a_, mean_b_;
};

/// Return the indices of at most `most` elements by B's value minus A's, largest first
/// (where B is worse than A by most), ties in order; without unknown differences.
std::vector<std::uint32_t> ranked_by_difference(const std::vector<Compared>& rows,
                                                Measure by, std::size_t most);
std::vector<std::uint32_t> ranked_by_difference(
    const std::vector<ComparedFrame>& frames, Measure by, std::size_t most);

/// Like `ranked_by_difference`, with only the first pair of each track of a scene.
std::vector<std::uint32_t> ranked_tracks_by_difference(
    const std::vector<Compared>& rows, Measure by, std::size_t most);

/// Pairs, or frames with pairs, as columns.
///
/// Shapes  n elements: scenes, frames (n); scores of A and B (n, 3): ADE, FDE, NLL.
///         track_ids and seen (n) of pairs, counts (n) of frames.
struct ComparisonColumns {
  std::vector<std::uint32_t> scenes;
  std::vector<std::uint32_t> frames;
  std::vector<std::int64_t> track_ids;
  std::vector<std::uint32_t> seen;
  std::vector<std::uint32_t> counts;
  std::vector<double> a;
  std::vector<double> b;
};
ComparisonColumns columns_of(const std::vector<Compared>& rows);
ComparisonColumns columns_of(const std::vector<ComparedFrame>& frames);

}  // namespace bev::eval
