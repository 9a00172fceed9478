#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export.hpp"

namespace bev {

namespace model {
struct Contract;
}

/// Values of an output of a model.
struct ModelValues {
  std::span<const double> data{};          ///< row by row
  std::span<const std::uint32_t> shape{};  ///< length along each axis
};

/// What a model returned for a batch of samples, and the poses of their subjects. Outputs
/// that the model lacks are empty.
///
/// Shapes  world_from_agent (B, 3, 3), centroids (B, 2), yaws (B).
struct ModelAnswer {
  ModelValues positions{};                     ///< see ModelContract
  ModelValues confidences{};                   ///< (B, K)
  ModelValues relative_yaws{};                 ///< one per position
  std::span<const double> world_from_agent{};  ///< of the samples
  std::span<const double> centroids{};         ///< of the samples
  std::span<const double> yaws{};              ///< of the samples
};

/// Predicted futures of B subjects: K modes of T steps.
///
/// Shapes  positions (B, K, T, 2); yaws (B, K, T), empty if the model has none;
///         confidences (B, K).
/// Units   Metres and radians in the world.
struct PredictedFutures {
  std::size_t modes = 0;              ///< K
  std::size_t steps = 0;              ///< T
  std::vector<double> positions{};    ///< in the world
  std::vector<double> yaws{};         ///< not wrapped
  std::vector<double> confidences{};  ///< 1 in all for each subject
};

/// Where a closed loop moves B subjects: poses in the next frame, relative to theirs.
///
/// Shapes  positions (B, 2), yaws (B).
/// Units   Metres and radians in the subjects' frames.
struct ModelSteps {
  std::vector<double> positions{};  ///< of the most confident mode
  std::vector<double> yaws{};       ///< without yaws of the model, those of the motion
};

/// What feeds the inputs of a model that predicts futures, and what its outputs are
/// (docs/models.md). The caller runs the model.
///
/// Thread safety  Immutable.
class BEV_EXPORT ModelContract {
 public:
  /// Binds a model.
  ///
  /// @param name       of the model in messages
  /// @param signature  JSON: `{"inputs": [{"name", "type", "shape"}], "outputs": [..]}`
  /// @param settings   JSON that says what the signature does not
  ///
  /// Throws  invalid_argument with what was found and expected, unsupported,
  ///         limit_exceeded
  ModelContract(std::string_view name, std::string_view signature,
                const std::optional<std::string>& settings = std::nullopt,
                std::string_view settings_name = "model.json");

  /// Returns the contract as JSON.
  std::string json() const;

  /// Returns what feeds each input, as JSON: `[{"name", "key", "type", "shape",
  /// "scaled"}]`.
  ///
  /// @param arrays   JSON: `[{"name", "type", "shape"}]` of a sample's or batch's arrays
  /// @param batched  whether they have the axis of a batch
  ///
  /// Throws  invalid_argument for arrays that are absent or do not match
  std::string feeds(std::string_view arrays, bool batched) const;

  /// Returns the values of an input, normalised as the settings say.
  ///
  /// Throws  invalid_argument for another number of channels
  std::vector<float> normalised(std::size_t input, std::span<const float> values,
                                std::span<const std::uint32_t> shape) const;

  /// Converts a model's answer to the world.
  ///
  /// Throws  invalid_argument for shapes that do not match, and values that are not
  ///         finite
  PredictedFutures in_world(const ModelAnswer& answer) const;

  /// Returns the steps that Simulation::take takes: of each subject's most confident mode.
  ///
  /// Throws  as in_world(); invalid_argument unless the first position is one frame of
  ///         0.1 s after the sample
  ModelSteps first_steps(const ModelAnswer& answer) const;

 private:
  std::shared_ptr<const model::Contract> contract_;
};

}  // namespace bev
