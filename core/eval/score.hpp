#pragma once

#include <cstddef>

namespace bev::eval {

/// Scores of a prediction; NaN if the agent is in none of the compared frames.
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

}  // namespace bev::eval
