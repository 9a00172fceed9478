#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/eval/review.hpp"

namespace bev::eval {

/// Ranking criteria. The numbers are part of the interface.
enum class Measure : std::uint8_t { ade = 0, fde = 1, nll = 2 };

inline constexpr std::array kMeasures{Measure::ade, Measure::fde, Measure::nll};

double value(const Score& score, Measure by) noexcept;

/// Returns the indices of `rows`, largest value first, unknown values last; ties in
/// order.
std::vector<std::uint32_t> ranked(const std::vector<Reviewed>& rows, Measure by);
std::vector<std::uint32_t> ranked(const std::vector<ReviewedFrame>& frames, Measure by);

/// Returns the index of each track's row with the largest value, in the order of
/// `ranked`: one bad track takes one place.
std::vector<std::uint32_t> ranked_tracks(const std::vector<Reviewed>& rows, Measure by);

/// A prediction and the scene that contains it.
struct Ranked {
  std::uint32_t scene = 0;
  Reviewed row;
};

/// Like the functions above, for rows of several scenes; a track is of one scene.
std::vector<std::uint32_t> ranked(const std::vector<Ranked>& rows, Measure by);
std::vector<std::uint32_t> ranked_tracks(const std::vector<Ranked>& rows, Measure by);

/// The worst predictions of many scenes, which are added one by one and scored as the
/// review counts.
class Ranking {
 public:
  /// @param most  number of predictions kept per measure
  Ranking(Review review, std::size_t most);

  /// Whether there are predictions at one of the times. If not, the scene need not be
  /// added.
  bool has_predictions_at(std::span<const std::int64_t> timestamps) const;

  /// Adds a scene.
  ///
  /// Throws  as Review::set_scene
  void add(std::uint32_t scene, SceneTracks tracks) {
    add(scene, index_scene(std::move(tracks)));
  }
  void add(std::uint32_t scene, SharedScene tracks);

  /// The review of the scene added last.
  const Review& review() const noexcept { return review_; }

  /// Returns the worst predictions, largest value first; ties in the order of scenes,
  /// frames and tracks. Excludes unknown values.
  const std::vector<Ranked>& worst(Measure by) const;

  /// Returns the worst prediction of each track of a scene, in the order of `worst`.
  const std::vector<Ranked>& worst_tracks(Measure by) const;

  /// Numbers of predictions found, of those with ground truth at one step at least, and of
  /// those with scores.
  std::size_t found() const noexcept { return found_; }
  std::size_t begun() const noexcept { return breakdown_.begun(); }
  std::size_t compared() const noexcept { return mean_.count(); }

  /// Mean over all compared predictions; NaN if there are none.
  Score mean() const noexcept { return mean_.value(); }
  /// Scores by class, mode and step.
  const Breakdown& breakdown() const noexcept { return breakdown_; }

 private:
  Review review_;
  std::size_t most_;
  std::array<std::vector<Ranked>, kMeasures.size()> worst_;
  std::array<std::vector<Ranked>, kMeasures.size()> worst_tracks_;
  std::size_t found_ = 0;
  MeanScore mean_;
  Breakdown breakdown_;
};

}  // namespace bev::eval
