#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/eval/review.hpp"

namespace bev::eval {

/// By what predictions are ranked. The numbers are part of the interface.
enum class Measure : std::uint8_t { ade = 0, fde = 1, nll = 2 };

inline constexpr std::array kMeasures{Measure::ade, Measure::fde, Measure::nll};

double value(const Score& score, Measure by) noexcept;

/// Indexes of `rows`, the greatest first, what is not known last; ties in order.
std::vector<std::uint32_t> ranked(const std::vector<Reviewed>& rows, Measure by);
std::vector<std::uint32_t> ranked(const std::vector<ReviewedFrame>& frames, Measure by);

/// A prediction, and the scene in which it was found.
struct Ranked {
  std::uint32_t scene = 0;
  Reviewed row;
};

/// The worst predictions of many scenes, which are taken up one by one.
class Ranking {
 public:
  /// @param most  of each measure that are kept
  Ranking(Review review, std::size_t most);

  /// Whether anything is predicted at one of the times: where nothing is, a scene need
  /// not be taken up.
  bool wants(std::span<const std::int64_t> timestamps) const;

  /// Takes up a scene.
  ///
  /// @throws Error  as Review::look_at
  void add(std::uint32_t scene, SceneTracks tracks);

  /// The greatest first, ties in the order of scenes, frames and tracks; none that is
  /// not known.
  const std::vector<Ranked>& worst(Measure by) const;

  /// Predictions found, and those of them that could be compared.
  std::size_t found() const noexcept { return found_; }
  std::size_t compared() const noexcept { return mean_.count(); }

  /// Over all that could be compared; NaN where none could.
  Score mean() const noexcept { return mean_.value(); }
  /// The same by class, mode and step.
  const Breakdown& breakdown() const noexcept { return breakdown_; }

 private:
  Review review_;
  std::size_t most_;
  std::array<std::vector<Ranked>, kMeasures.size()> worst_;
  std::size_t found_ = 0;
  MeanScore mean_;
  Breakdown breakdown_;
};

}  // namespace bev::eval
