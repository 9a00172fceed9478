#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/eval/breakdown.hpp"
#include "core/eval/records.hpp"
#include "core/eval/score.hpp"
#include "core/scene/records.hpp"
#include "core/scene/track_index.hpp"

namespace bev::eval {

/// Where everything is in the frames of one scene.
///
/// Shapes  n frames of (x, y, z) of the ego; as many rows of ids and (x, y) as the
///         intervals of the frames span, which may count from anywhere; none or as
///         many rows of label probabilities.
struct SceneTracks {
  std::vector<std::int64_t> timestamps;
  std::vector<double> ego_translation;
  std::vector<scene::Interval> frames;
  std::vector<std::uint64_t> track_ids;
  std::vector<double> centroids;
  std::vector<float> label_probabilities{};
};

/// One prediction found in the scene.
struct Reviewed {
  std::uint32_t frame = 0;
  std::int64_t track_id = 0;  ///< kEgoTrack: the ego
  std::size_t prediction = 0;
  std::uint32_t seen = 0;  ///< steps of which the scene knows where the agent was
  Score score;
};

/// The mean over what is predicted in a frame.
struct ReviewedFrame {
  std::uint32_t frame = 0;
  std::uint32_t count = 0;
  Score mean;
};

/// What is predicted in one frame, as lines in world.
///
/// Shapes  Line i is points 2 * offsets[i] to 2 * offsets[i + 1]: first where the agent
///         is, then a point a step. Modes without confidence have no line.
struct PredictedLines {
  std::vector<double> points;
  std::vector<std::uint32_t> offsets{0};
  std::vector<double> confidences;
  std::vector<std::int64_t> track_ids;

  /// Where each agent went, as far as the scene knows; one line an agent.
  std::vector<double> truth;
  std::vector<std::uint32_t> truth_offsets{0};
  std::vector<std::int64_t> truth_track_ids;
};

/// The ego's id in predictions.
inline constexpr std::int64_t kEgoTrack = -1;

/// Predictions beside what happened: joined by timestamp and track, scored as L5Kit
/// scores. Of several predictions of one agent and time the last counts.
///
/// Errors  The constructor throws invalid_argument, naming the track, for predictions
/// of
///         different shapes, values that are not finite, and confidences that are
///         negative or do not sum up to 1. look_at() throws it for columns that do not
///         fit each other, and corrupt_chunk for intervals that cannot be.
/// Source  L5Kit, evaluation/metrics.py; the ground truth is that of
///         evaluation/extract_ground_truth.py, but for its rounding to float32.
class Review {
 public:
  explicit Review(std::vector<Prediction> predictions);

  std::size_t size() const noexcept { return predictions_->size(); }
  std::size_t modes() const noexcept { return modes_; }
  std::size_t steps() const noexcept { return steps_; }

  /// Whether anything is predicted at that time.
  bool predicts(std::int64_t timestamp) const;

  /// Takes up a scene and scores what is predicted in it.
  void look_at(SceneTracks scene);

  /// In the order of frames, then of tracks.
  const std::vector<Reviewed>& rows() const noexcept { return rows_; }
  /// The frames that have predictions, in order.
  const std::vector<ReviewedFrame>& frames() const noexcept { return frames_; }
  /// Predictions of a time of the scene whose track is not in that frame.
  std::size_t unknown() const noexcept { return unknown_; }
  /// Over all of the rows.
  const Score& mean() const noexcept { return mean_; }
  /// The same by class, mode and step.
  const Breakdown& breakdown() const noexcept { return breakdown_; }
  /// Rows that could be compared, and those of them whose FDE is over kMissMetres.
  std::size_t compared() const noexcept { return breakdown_.compared(); }
  std::size_t missed() const noexcept { return breakdown_.missed(); }

  /// Empty for a frame without predictions.
  PredictedLines lines(std::uint32_t frame) const;

 private:
  struct Spot {
    double x = 0, y = 0;
  };

  /// The first prediction of that time or a later one.
  std::vector<Prediction>::const_iterator first_at(std::int64_t timestamp) const;
  std::optional<Spot> spot(std::size_t frame, std::int64_t track_id) const;
  void look_at_frame(std::uint32_t frame);
  Subject subject_of(std::size_t frame, std::int64_t track_id) const;
  GroundTruth truth_of(std::size_t frame, const Prediction& prediction) const;
  void add_lines(PredictedLines& out, const Reviewed& row) const;

  /// By time and track, each once. Copies of a review share them: they are large.
  std::shared_ptr<const std::vector<Prediction>> predictions_;
  std::size_t modes_ = 0;
  std::size_t steps_ = 0;

  SceneTracks scene_;
  scene::TrackIndex index_;
  std::vector<Reviewed> rows_;
  std::vector<ReviewedFrame> frames_;
  std::size_t unknown_ = 0;
  Breakdown breakdown_;
  Score mean_;
};

/// A file of predictions with as many modes as its header names.
///
/// @throws Error  as read_pred_csv; and names the line of a prediction that Review
///                would refuse
Review read_review(std::string_view csv, const std::string& name);

}  // namespace bev::eval
