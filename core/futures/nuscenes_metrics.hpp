#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/futures/futures.hpp"
#include "core/futures/join.hpp"

// The metrics of the nuScenes prediction challenge that need no map.
// Reference  nuscenes-devkit, eval/prediction/metrics.py

namespace bev::futures {

/// Modes that are measured, the most probable ones, and metres of a miss.
inline constexpr std::array<std::size_t, 3> kTopModes{1, 5, 10};
inline constexpr double kNuscenesMissM = 2;

/// The measures of a prediction by its most probable modes; of fewer than K modes, of all.
struct TopModesScore {
  double min_ade = 0, min_fde = 0;  ///< metres
  bool is_missed =
      false;  ///< all modes are a miss's distance or more away in some step
};

/// Measures the `count` most probable modes of a prediction; of equal ones, the later come
/// first.
///
/// @param truth  recorded places, one for each step
/// Throws        invalid_argument for no scores, several agents, or another number of steps
TopModesScore score_top_modes(const Futures& prediction,
                              std::span<const geom::Vec2> truth, std::size_t count,
                              double miss_m = kNuscenesMissM);

/// Returns the recorded places of a prediction's steps; nullopt unless all are recorded.
std::optional<std::vector<geom::Vec2>> recorded_path(const Futures& prediction,
                                                     const TrackRows& rows,
                                                     const RecordedScenario& recorded);

/// Means over predictions.
class NuscenesTotals {
 public:
  /// Adds a prediction; one that is not recorded in all of its steps is counted only.
  void add(const Futures& prediction, const TrackRows& rows,
           const RecordedScenario& recorded);
  void add(const NuscenesTotals& other);

  std::uint64_t predictions() const noexcept { return count_; }
  std::uint64_t not_recorded() const noexcept { return not_recorded_; }

  /// Returns the mean of minADE_k and minFDE_k, and MissRateTopK_2_k, of kTopModes[i].
  /// There must be a prediction.
  struct Means {
    double min_ade, min_fde, miss_rate;
  };
  Means of(std::size_t i) const;

 private:
  struct Sums {
    double min_ade = 0, min_fde = 0;
    std::uint64_t misses = 0;
  };
  std::array<Sums, kTopModes.size()> sums_;
  std::uint64_t count_ = 0, not_recorded_ = 0;
};

}  // namespace bev::futures
