#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/model/tensor.hpp"

namespace bev::model {

/// An array of samples: its key, and what its arrays have in common.
struct SampleKey {
  enum class Form : std::uint8_t { both, raster, vector };

  std::string_view name;
  Element element;
  Form form;
  /// Lengths of a sample's axes, -1 for those that depend on the config; `rank` of them.
  std::array<std::int8_t, 3> shape{};
  std::uint8_t rank = 0;
  /// Whether the values of an int64 are labels and indices, which int32 represents.
  bool is_small = false;

  /// Whether it tells what follows the sample's frame.
  bool is_future() const noexcept;
  /// Whether its first axis is the frames of the subject's history, the current one
  /// included.
  bool is_own_history() const noexcept;
};

/// The keys of L5Kit's samples.
std::span<const SampleKey> sample_keys() noexcept;

/// Returns the key of a name; null for another name.
const SampleKey* find_key(std::string_view name) noexcept;

/// Returns a batch's shape: "(batch, n, 2)".
std::string shape_text(const SampleKey& key);

/// Whether an input may have this shape: a batch of the key's arrays.
bool admits(const SampleKey& key, const Axes& axes) noexcept;

/// Whether a key's values can be converted without losing what models use: to float32
/// and back, between bool and uint8, and small integers to int32. The image may be
/// uint8: 255 times its values.
bool converts(const SampleKey& key, Element to) noexcept;

}  // namespace bev::model
