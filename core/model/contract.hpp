#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/sample_keys.hpp"
#include "core/model/settings.hpp"
#include "core/model/tensor.hpp"

namespace bev::model {

/// An input of a model, and what feeds it.
struct Input {
  Tensor tensor;
  const SampleKey* key = nullptr;
  std::optional<Scale> scale{};
};

/// What a config may lack, as the shapes of a model determine it.
struct Assumed {
  std::optional<std::uint32_t> history_num_frames{};
  std::optional<std::uint32_t> future_num_frames{};
  std::optional<std::uint32_t> width{};  ///< of the raster, in pixels
  std::optional<std::uint32_t> height{};
};

/// What a model takes and gives: docs/models.md has the rules.
struct Contract {
  std::string name;  ///< the model's name in messages: "model.onnx"
  Settings settings;
  std::vector<Input> inputs;  ///< empty if the model takes all keys of a sample
  Tensor positions;
  std::optional<Tensor> confidences{};
  std::optional<Tensor> yaws{};
  bool vectorized = false;
  bool reads_future = false;
  /// The batch's size if the model has a fixed one.
  std::optional<std::uint32_t> batch{};
  Assumed assumed{};

  /// The form of the samples' images: "f32", "u8" or "none".
  std::string_view image() const noexcept;
};

/// Binds a model's inputs to keys of samples, and recognizes its outputs.
///
/// @param name     the model's name in messages
/// @throws Error  invalid_argument, with what was expected and what was found: an input
///                without a key, of another type or shape; settings that name what the
///                model lacks; no positions among the outputs, or several; unsupported for
///                positions of all agents of a scene
/// Reference  The names are those of L5Kit's models.
Contract bind(std::string_view name, const Signature& signature, Settings settings);

/// Returns a contract as JSON, for hosts and for display.
std::string describe(const Contract& contract);

}  // namespace bev::model
