#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/eval/breakdown.hpp"
#include "core/eval/memory_budget.hpp"
#include "core/eval/records.hpp"
#include "core/scene/records.hpp"
#include "core/scene/tracks.hpp"

namespace bev::eval {

/// Positions in the frames of one scene.
///
/// Shapes  n frames with (x, y, z) of the ego vehicle; as many ids and (x, y) as the
///         frames' intervals span (which may start anywhere); no label probabilities,
///         or as many rows.
struct SceneTracks {
  std::vector<std::int64_t> timestamps;
  std::vector<double> ego_translation;
  std::vector<scene::Interval> frames;
  std::vector<std::uint64_t> track_ids;
  std::vector<double> centroids;
  std::vector<float> label_probabilities{};
};

/// A scene and the index of its tracks, which several reviews can use.
struct IndexedScene {
  SceneTracks tracks;
  scene::TrackIndex index{};  ///< refers to the columns
};
using SharedScene = std::shared_ptr<const IndexedScene>;

/// Checks and indexes a scene.
///
/// Throws  invalid_argument for inconsistent columns, corrupt_chunk for invalid
///         intervals
SharedScene index_scene(SceneTracks scene);

/// How a predicted agent moves; NaN if unknown.
struct AgentMotion {
  /// Metres per second: from the previous frame, or to the next one, as in FrameView.
  double speed = std::numeric_limits<double>::quiet_NaN();
  /// Metres to the ego vehicle's position; NaN for the ego vehicle.
  double distance = std::numeric_limits<double>::quiet_NaN();
  /// Degrees from the first to the last metre of the recorded future, positive to the left;
  /// 0 if it ends less than 2 m away. Unknown unless the last step is recorded.
  double turn = std::numeric_limits<double>::quiet_NaN();
};

/// A prediction for an agent of the scene.
struct Reviewed {
  std::uint32_t frame = 0;
  std::int64_t track_id = 0;  ///< kEgoTrack: the ego vehicle
  std::size_t prediction = 0;
  std::uint32_t seen = 0;  ///< steps with known ground truth in the scene
  Score score;
  Subject subject = Subject::unlabelled;
  HorizonScores horizons{};
};

/// The mean score of a frame's predictions.
struct ReviewedFrame {
  std::uint32_t frame = 0;
  std::uint32_t count = 0;
  Score mean;
};

/// The predictions of one frame as lines in world.
///
/// Shapes  Line i consists of points 2 * offsets[i] to 2 * offsets[i + 1]: the agent's
///         position, then one point per step. Modes with zero confidence have no line.
struct PredictedLines {
  std::vector<double> points;
  std::vector<std::uint32_t> offsets{0};
  std::vector<double> confidences;
  std::vector<std::int64_t> track_ids;

  /// The agents' recorded paths, as far as known in the scene; one line per agent.
  std::vector<double> truth;
  /// Step of each point of `truth`; 0 is the agent's position. Steps without ground
  /// truth have no point.
  std::vector<std::uint32_t> truth_steps;
  std::vector<std::uint32_t> truth_offsets{0};
  std::vector<std::int64_t> truth_track_ids;
};

/// The ego vehicle's track id in predictions.
inline constexpr std::int64_t kEgoTrack = -1;

/// Compares predictions with recorded scenes: joined by timestamp and track, scored as
/// in L5Kit unless set_counting() is called. Of several predictions of one agent and time, the last is used.
///
/// Throws     The constructor throws invalid_argument, with the track, for predictions
///            of different shapes, non-finite values, and confidences that are negative
///            or do not sum to 1. set_scene() throws as index_scene().
/// Reference  L5Kit, evaluation/metrics.py; the ground truth is that of
///            evaluation/extract_ground_truth.py without its rounding to float32.
class Review {
 public:
  /// @param share  the predictions' memory
  explicit Review(std::vector<Prediction> predictions, MemoryShare share = {});

  std::size_t size() const noexcept { return held_->predictions.size(); }
  std::size_t modes() const noexcept { return modes_; }
  std::size_t steps() const noexcept { return steps_; }

  /// Whether there are predictions at that time.
  bool predicts(std::int64_t timestamp) const;

  /// Sets how scenes that are set from now on are scored.
  void set_counting(Counting counting) noexcept { counting_ = counting; }
  Counting counting() const noexcept { return counting_; }

  /// Sets the scene and scores its predictions.
  void set_scene(SceneTracks scene) { set_scene(index_scene(std::move(scene))); }
  void set_scene(SharedScene scene);
  /// The scene; without frames before set_scene().
  const SharedScene& scene() const noexcept { return scene_; }

  /// Rows in the order of frames, then tracks.
  const std::vector<Reviewed>& rows() const noexcept { return rows_; }
  /// The frames that have predictions, in order.
  const std::vector<ReviewedFrame>& frames() const noexcept { return frames_; }
  /// Number of predictions at times of the scene whose track is not in that frame.
  std::size_t unknown() const noexcept { return unknown_; }
  /// Mean over all rows.
  const Score& mean() const noexcept { return mean_; }
  /// Scores by class, mode and step.
  const Breakdown& breakdown() const noexcept { return breakdown_; }
  /// Numbers of rows with scores, and of those with an FDE above kMissMetres.
  std::size_t compared() const noexcept { return breakdown_.compared(); }
  std::size_t missed() const noexcept { return breakdown_.missed(); }
  /// Number of rows with ground truth at one step at least.
  std::size_t begun() const noexcept { return breakdown_.begun(); }

  /// Returns how the agent of a row moves.
  AgentMotion motion(const Reviewed& row) const;

  /// Returns a frame's lines, or those of some rows; empty without predictions.
  PredictedLines lines(std::uint32_t frame,
                       const std::function<bool(const Reviewed&)>& keep = {}) const;

 private:
  struct Position {
    double x = 0, y = 0;
  };

  /// Returns the first prediction at that time or later.
  std::vector<Prediction>::const_iterator first_at(std::int64_t timestamp) const;
  std::optional<Position> position_of(std::size_t frame, std::int64_t track_id) const;
  void score_frame(std::uint32_t frame);
  Subject subject_of(std::size_t frame, std::int64_t track_id) const;
  GroundTruth truth_of(std::size_t frame, const Prediction& prediction) const;
  void add_lines(PredictedLines& out, const Reviewed& row) const;

  /// Predictions sorted by time and track, without duplicates. Shared between copies
  /// because of their size.
  struct Held {
    std::vector<Prediction> predictions;
    MemoryShare share;
  };
  std::shared_ptr<const Held> held_;
  std::size_t modes_ = 0;
  std::size_t steps_ = 0;
  Counting counting_ = Counting::l5kit;

  SharedScene scene_ = std::make_shared<const IndexedScene>();
  std::vector<Reviewed> rows_;
  std::vector<ReviewedFrame> frames_;
  std::size_t unknown_ = 0;
  Breakdown breakdown_;
  Score mean_;
};

/// Parses a prediction file with as many modes as its header names.
///
/// Throws  as read_pred_csv; also, with the line number, for a prediction that Review
///         would refuse
Review read_review(std::string_view csv, const std::string& name,
                   MemoryShare share = {});

/// Returns a review of records as columns.
///
/// Throws  as predictions_of() and Review; limit_exceeded if the share's budget is used
///         up
Review review_of(const Columns& columns, MemoryShare share = {});

}  // namespace bev::eval
