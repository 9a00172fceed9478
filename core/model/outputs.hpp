#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/contract.hpp"

namespace bev::model {

/// Values of an output.
struct Values {
  std::span<const double> data{};
  std::span<const std::uint32_t> shape{};
};

/// What a model returned; empty without such an output.
struct Outputs {
  Values positions{};
  Values confidences{};
  Values yaws{};
};

/// The poses of a batch's subjects, as in their samples.
///
/// Shapes  world_from_agent (B, 3, 3), centroids (B, 2), yaws (B).
struct Poses {
  std::span<const double> world_from_agent{};
  std::span<const double> centroids{};
  std::span<const double> yaws{};
};

/// Predicted futures of a batch's subjects.
///
/// Shapes  positions (B, K, T, 2); yaws (B, K, T), or empty if the model has none;
///         confidences (B, K).
/// Units   Metres and radians in the world. Yaws are not wrapped.
struct Predicted {
  static constexpr std::uint64_t kMaxPositions = std::uint64_t{1} << 22U;

  std::uint32_t batch = 0;
  std::uint32_t modes = 0;
  std::uint32_t steps = 0;
  std::vector<double> positions{};
  std::vector<double> yaws{};
  std::vector<double> confidences{};
};

/// Converts outputs to the world. Confidences of a row that are not negative and sum to 1
/// within 1e-3 stay as they are; others, and those of an output `logits`, go through
/// softmax. Without confidences, modes have equal ones.
///
/// @throws Error  invalid_argument for shapes that do not match, values that are not
///                finite, and positions more than 1,000 km from the subject;
///                limit_exceeded for more than kMaxPositions
Predicted in_world(const Contract& contract, const Outputs& outputs,
                   const Poses& poses);

/// Predictions as in L5Kit's files.
///
/// Shapes  coords (B, K, T, 2); confidences (B, K).
/// Units   Metres from the subject's centroid, along the world axes. The confidences of a
///         subject sum to 1.
struct Records {
  std::uint32_t modes = 0;
  std::uint32_t steps = 0;
  std::vector<double> coords{};
  std::vector<double> confidences{};
};

/// Returns the predictions of a batch as records.
///
/// @throws Error  as in_world(); invalid_argument unless the positions are those of the
///                frames after the sample, 0.1 s apart
Records records_of(const Contract& contract, const Outputs& outputs,
                   const Poses& poses);

/// Where a closed loop moves the subjects of a batch: poses relative to theirs.
///
/// Shapes  positions (B, 2), yaws (B).
/// Units   Metres and radians in the subjects' frames.
struct FirstSteps {
  std::vector<double> positions{};
  std::vector<double> yaws{};
};

/// Returns the first step of each subject's most confident mode; of equal ones, the
/// first. Without yaws, a subject turns to the direction of its step if that is faster
/// than 0.5 m/s, and keeps its yaw otherwise.
///
/// @throws Error  as in_world(); invalid_argument unless the first position is one frame
///                of 0.1 s after the sample
FirstSteps first_steps(const Contract& contract, const Outputs& outputs,
                       const Poses& poses);

}  // namespace bev::model
