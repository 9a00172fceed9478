#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/futures/futures.hpp"
#include "core/futures/join.hpp"

// The metrics of the Waymo Open Dataset Challenges for motion and interaction prediction.
// Reference  waymo-open-dataset, metrics/motion_metrics.cc (Apache License 2.0).

namespace bev::futures {

/// The types of recorded tracks; the numbers are the data set's.
enum class AgentType : std::uint8_t {
  unset = 0,
  vehicle = 1,
  pedestrian = 2,
  cyclist = 3,
  other = 4,
};

inline constexpr std::size_t kAgentTypes = 5;

/// The shapes of recorded paths, for which mean average precision has a bucket each. Of
/// several agents, the last in this order counts; a right U-turn counts as right turn.
enum class PathShape : std::uint8_t {
  stationary,
  straight,
  straight_right,
  straight_left,
  right_turn,
  left_turn,
  left_u_turn,
  right_u_turn,
};

inline constexpr std::size_t kPathShapes = 8;

/// When metrics are measured, and how far a mode may be from the recorded place at an
/// initial speed of 11 m/s or more; half of that below 1.4 m/s.
struct MotionHorizon {
  std::size_t step;  ///< of the prediction: 5 is frame 40, three seconds ahead
  int seconds;
  float lateral_m, longitudinal_m;
};

inline constexpr std::array<MotionHorizon, 3> kMotionHorizons{
    {{5, 3, 1, 2}, {9, 5, 1.8F, 3.6F}, {15, 8, 3, 6}}};

/// Modes that are measured: the first in the file's order.
inline constexpr std::size_t kMeasuredModes = 6;

/// A mode in the order of its confidence, as average precision counts it.
struct MotionSample {
  enum class Kind : std::uint8_t { miss, match, repeated_match };
  float confidence = 0;
  Kind kind = Kind::miss;
};

/// The measures of a prediction up to one horizon.
struct MotionMeasures {
  std::optional<double> min_ade, min_fde;  ///< metres; absent: not recorded
  std::optional<bool> is_missed;
  bool overlaps = false;              ///< the most confident mode, with any agent
  std::vector<MotionSample> samples;  ///< empty: not recorded at the horizon
};

/// The measures of one prediction: of an agent, or of several jointly.
struct MotionScore {
  AgentType type = AgentType::unset;
  std::optional<PathShape> shape;  ///< absent: never recorded after the current step
  std::array<MotionMeasures, kMotionHorizons.size()> horizons;
};

/// Measures a prediction.
///
/// minADE and minFDE are the least, over modes, of the mean over agents of distances in x
/// and y, up to or at the horizon, where the truth is valid. A mode matches if each of its
/// agents is within the limits along and across the recorded heading; a prediction is
/// missed if no mode matches. It overlaps if a box of its most confident mode, with the
/// recorded size of the step and the heading of its path, intersects that of any other
/// track that is valid in the step and in the current one.
///
/// @param prediction  steps 15, 20, ... 90 of the scenario, with scores
/// @param rows        of joined_agents, without absent ones
/// Throws             invalid_argument for other steps, no scores, and absent rows;
///                    invalid_metadata as check_tracks
MotionScore score_motion(const Futures& prediction, const TrackRows& rows,
                         const RecordedScenario& recorded);

/// Returns the area under the curve of precision by recall, where precision is the
/// greatest at that recall or above. Samples of equal confidence count misses first.
///
/// @param is_soft  ignore repeated matches, which are misses otherwise
/// @param truths   number of predictions that the samples are of
double average_precision(std::span<const MotionSample> samples, std::size_t truths,
                         bool is_soft);

/// The metrics of a type of agents at a horizon. Absent: nothing was measured, for which
/// Waymo's own code writes 0.
struct MotionMetrics {
  std::uint64_t predictions = 0;
  std::optional<double> min_ade, min_fde, miss_rate, overlap_rate;
  std::optional<double> mean_average_precision, soft_mean_average_precision;
};

/// The metrics of many predictions. Mean average precision is of all samples together:
/// the mean of scenarios would be another number.
class MotionTotals {
 public:
  void add(const MotionScore& score);
  void add(const MotionTotals& other);

  MotionMetrics of(AgentType type, std::size_t horizon) const;

 private:
  struct Mean {
    double sum = 0;
    std::uint64_t count = 0;
    void add(double value) { sum += value, ++count; }
    void add(const Mean& other) { sum += other.sum, count += other.count; }
    std::optional<double> value() const;
  };
  struct Bucket {
    std::vector<MotionSample> samples;
    std::size_t truths = 0;
  };
  struct Row {
    std::uint64_t predictions = 0;
    Mean min_ade, min_fde, misses, overlaps;
    std::array<Bucket, kPathShapes> buckets;
  };

  std::array<std::array<Row, kMotionHorizons.size()>, kAgentTypes> rows_;
};

}  // namespace bev::futures
