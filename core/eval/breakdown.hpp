#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/eval/records.hpp"

namespace bev::eval {

/// How steps without ground truth count.
enum class Counting : std::uint8_t {
  /// Not at all: a prediction has scores only if its last step has ground truth, and its
  /// ADE is the mean over the steps that have.
  recorded,
  /// As steps without error, as in L5Kit's metrics.
  l5kit,
};

/// Scores of a prediction; NaN if it has none (Counting).
struct Score {
  double ade = 0;  ///< metres, L5Kit's average_displacement_error_oracle
  double fde = 0;  ///< metres, L5Kit's final_displacement_error_oracle
  double nll = 0;  ///< L5Kit's neg_multi_log_likelihood
};

/// A prediction is a miss if its best mode ends farther than this from the agent.
inline constexpr double kMissMetres = 2;

/// The mean of known scores.
class MeanScore {
 public:
  void add(const Score& score) noexcept;
  void add(const MeanScore& other) noexcept;

  /// Number of known scores added.
  std::size_t count() const noexcept { return count_; }
  /// Returns the mean; NaN without known scores.
  Score value() const noexcept;

 private:
  Score sum_;
  std::size_t count_ = 0;
};

/// Kind of a predicted agent: a display class, the ego vehicle, or an agent without
/// label probabilities.
enum class Subject : std::uint8_t {
  vehicle,
  cyclist,
  pedestrian,
  other,
  ego,
  unlabelled,
};
inline constexpr std::size_t kSubjectCount = 6;

/// Scores of the predictions for one kind of subject.
struct SubjectScore {
  Subject subject = Subject::other;
  std::size_t count = 0;
  std::size_t compared = 0;  ///< of those, with scores
  std::size_t missed = 0;    ///< of those, with an FDE above kMissMetres
  Score mean;
};

/// One mode's scores over all compared predictions; NaN if there are none.
struct ModeScore {
  double confidence = 0;  ///< mean
  double ade = 0;         ///< metres, mean of the mode's own displacement
  double fde = 0;         ///< metres, mean at the last step
  /// Predictions in which this mode has the least ADE; first mode on ties
  std::size_t best = 0;
};

/// Steps of the horizons: 1, 3 and 5 s at L5Kit's 10 frames per second.
inline constexpr std::array<std::size_t, 3> kHorizonSteps{10, 30, 50};

/// A prediction's scores over the first kHorizonSteps; NaN for more steps than it has.
using HorizonScores = std::array<Score, kHorizonSteps.size()>;

/// Scores over the first `steps` steps of each prediction, as if it were that long.
struct HorizonScore {
  std::size_t steps = 0;
  std::size_t compared = 0;
  std::size_t missed = 0;  ///< of those, with an FDE above kMissMetres
  Score mean;
};

/// Returns the score of a prediction by L5Kit's metrics; NaN without ground truth.
///
/// Throws  as compute
Score score_of(const GroundTruth& truth, const Prediction& prediction,
               Counting counting = Counting::l5kit);

/// Return the record's first steps.
///
/// Throws  out_of_range if it has fewer
GroundTruth first_steps(const GroundTruth& truth, std::size_t steps);
Prediction first_steps(const Prediction& prediction, std::size_t steps);

/// Scores by class, mode, horizon and future step.
///
/// Units  Metres. horizon() excludes steps without ground truth, whatever the counting.
class Breakdown {
 public:
  Breakdown() = default;
  Breakdown(std::size_t modes, std::size_t steps, Counting counting = Counting::l5kit);

  /// Adds a prediction with its score, of the same counting. One without a score adds
  /// only to begun(), horizon() and the horizons within its ground truth. Returns the
  /// scores of the horizons.
  HorizonScores add(Subject subject, const Score& score, const GroundTruth& truth,
                    const Prediction& prediction);
  /// Adds another breakdown of the same shape.
  void add(const Breakdown& other);

  /// Returns the subjects with predictions, in the order of Subject.
  std::vector<SubjectScore> subjects() const;
  std::vector<ModeScore> modes() const;
  /// Returns, per step, the mean distance of the least-ADE mode; NaN without ground
  /// truth.
  std::vector<double> horizon() const;
  /// Returns the scores over the first kHorizonSteps that the predictions have.
  std::vector<HorizonScore> horizons() const;

  std::size_t compared() const noexcept { return compared_; }
  std::size_t missed() const noexcept;
  /// Number of predictions with ground truth at one step at least.
  std::size_t begun() const noexcept { return begun_; }

  Counting counting() const noexcept { return counting_; }

 private:
  struct Tally {
    std::size_t count = 0;
    std::size_t missed = 0;
    MeanScore mean;
  };
  struct StepSum {
    double metres = 0;
    std::size_t count = 0;
  };

  void add_modes(bool is_scored, const GroundTruth& truth,
                 const Prediction& prediction);
  void add_horizons(const Score& score, const GroundTruth& truth,
                    const Prediction& prediction, HorizonScores& out);

  std::array<Tally, kSubjectCount> tallies_;
  std::array<Tally, kHorizonSteps.size()> horizons_;
  std::vector<ModeScore> sums_;  ///< sums instead of means
  std::vector<StepSum> steps_;
  std::size_t compared_ = 0;
  std::size_t begun_ = 0;
  Counting counting_ = Counting::l5kit;
};

}  // namespace bev::eval
