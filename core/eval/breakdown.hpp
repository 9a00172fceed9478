#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/eval/records.hpp"
#include "core/eval/score.hpp"

namespace bev::eval {

/// Whose path is predicted: the classes of a picture, the ego, or an agent without
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

/// The predictions of one kind of subject.
struct SubjectScore {
  Subject subject = Subject::other;
  std::size_t count = 0;
  std::size_t compared = 0;  ///< of those, with a frame to compare
  std::size_t missed = 0;    ///< of those, with an FDE over kMissMetres
  Score mean;
};

/// One mode of all predictions that could be compared; NaN if there are none.
struct ModeScore {
  double confidence = 0;  ///< mean
  double ade = 0;         ///< metres, mean of the mode's own displacement
  double fde = 0;         ///< metres, mean of it at the last step
  std::size_t best = 0;   ///< predictions whose least ADE is this mode's, ties first
};

/// Scores by class, by mode and by step of the future.
///
/// Units  Metres. As in L5Kit's metrics a step without ground truth counts as one
///        without error in ADE and FDE; horizon() leaves it out.
class Breakdown {
 public:
  Breakdown() = default;
  Breakdown(std::size_t modes, std::size_t steps);

  /// Adds a prediction with its score; one of NaN is counted only.
  void add(Subject subject, const Score& score, const GroundTruth& truth,
           const Prediction& prediction);
  /// Adds all of another breakdown of the same shape.
  void add(const Breakdown& other);

  /// The subjects with predictions, in the order of Subject.
  std::vector<SubjectScore> subjects() const;
  std::vector<ModeScore> modes() const;
  /// Per step the mean distance of the mode of least ADE; NaN where no agent is known.
  std::vector<double> horizon() const;

  std::size_t compared() const noexcept { return compared_; }
  std::size_t missed() const noexcept;

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

  void add_modes(const GroundTruth& truth, const Prediction& prediction);

  std::array<Tally, kSubjectCount> tallies_;
  std::vector<ModeScore> sums_;  ///< sums in place of means
  std::vector<StepSum> steps_;
  std::size_t compared_ = 0;
};

}  // namespace bev::eval
