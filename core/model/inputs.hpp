#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/contract.hpp"

namespace bev::model {

/// What a host passes to an input: an array of a sample or batch, converted.
struct Feed {
  const Input* input = nullptr;
  std::vector<std::uint32_t> shape{};  ///< with the axis of the batch
};

/// Returns what feeds each input.
///
/// @param arrays   of a sample or a batch; all axes are fixed
/// @param batched  whether the arrays have the axis of a batch
/// @throws Error  invalid_argument, with the input, for an array that is absent or does
///                not match: "model.onnx: input image: shape does not match (found (batch,
///                5, 224, 224), the samples have (5, 112, 112))"
/// Lifetime  Feeds refer to the contract.
std::vector<Feed> feeds_of(const Contract& contract, const std::vector<Tensor>& arrays,
                           bool batched);

/// Returns feeds as JSON: `[{"name", "key", "type", "shape", "scaled"}]`.
std::string describe(const std::vector<Feed>& feeds);

/// Normalises the values of an input in float32, by the channels along the second of four
/// axes, or else along the last axis.
///
/// @param index  of the input
/// @throws Error  invalid_argument for a shape that does not match the values or the
///                number of channels; out_of_range for an unknown input
std::vector<float> normalised(const Contract& contract, std::size_t index,
                              std::span<const float> values,
                              std::span<const std::uint32_t> shape);

}  // namespace bev::model
