#pragma once

#include <cstddef>

namespace bev::eval {

/// How good a prediction is; NaN where the agent is in none of the frames to compare.
struct Score {
  double ade = 0;  ///< metres, L5Kit's average_displacement_error_oracle
  double fde = 0;  ///< metres, its final_displacement_error_oracle
  double nll = 0;  ///< its neg_multi_log_likelihood
};

/// A prediction misses if its best mode ends further than this from the agent.
inline constexpr double kMissMetres = 2;

/// The mean of the scores that are known.
class MeanScore {
 public:
  void add(const Score& score) noexcept;
  void add(const MeanScore& other) noexcept;

  /// Scores added that are known.
  std::size_t count() const noexcept { return count_; }
  /// NaN if none is.
  Score value() const noexcept;

 private:
  Score sum_;
  std::size_t count_ = 0;
};

}  // namespace bev::eval
