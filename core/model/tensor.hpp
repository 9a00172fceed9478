#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_place.hpp"

namespace bev::model {

/// Element types of tensors; `other` is any that samples and predictions do not have.
enum class Element : std::uint8_t {
  float16,
  float32,
  float64,
  int32,
  int64,
  uint8,
  boolean,
  other
};

/// Returns the type of a name: ONNX's ("float32"), that of Python's runtime
/// ("tensor(float)"), or NumPy's code ("<f4").
Element element_of(std::string_view name) noexcept;

/// Returns ONNX's name: "float32".
std::string_view to_string(Element element) noexcept;

bool is_float(Element element) noexcept;

/// Length of an axis: fixed, or of any length, with the model's name for it if any.
struct Axis {
  static constexpr std::uint32_t kAny = 0xffffffff;

  std::uint32_t length = kAny;
  std::string name{};

  bool is_fixed() const noexcept { return length != kAny; }
  bool admits(std::uint32_t found) const noexcept {
    return !is_fixed() || length == found;
  }
};

using Axes = std::vector<Axis>;

/// An input or output of a model, or an array of a sample.
struct Tensor {
  std::string name;
  Element element = Element::other;
  std::string type;            ///< its name as given
  std::optional<Axes> axes{};  ///< nothing if even their number is unknown
};

/// Returns type and shape for messages: "float32 (batch, 11, 2)"; `...` for an unknown
/// shape.
std::string text_of(const Tensor& tensor);
std::string text_of(const Axes& axes);

/// What a model declares.
struct Signature {
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;
  static constexpr std::size_t kMaxTensors = 256;
  static constexpr std::size_t kMaxAxes = 8;
  static constexpr std::size_t kMaxNameBytes = 200;

  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
};

/// Reads tensors: `[{"name": "image", "type": "float32", "shape": ["batch", 5, 112,
/// 112]}]`; the shape may be null or absent.
///
/// @throws Error  invalid_argument for other JSON; limit_exceeded above the limits of
///                Signature
std::vector<Tensor> tensors_of(const JsonPlace& list);

/// Reads the arrays of a sample or batch, from a JSON document.
std::vector<Tensor> read_arrays(std::string_view json);

/// Reads `{"inputs": [..], "outputs": [..]}`; without inputs the model takes all keys.
Signature read_signature(std::string_view json, std::string_view where);

}  // namespace bev::model
