#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/model/contract.hpp"

namespace bev::test {

/// Returns an input or output; axes of any length are -1.
inline model::Tensor tensor(std::string name, std::initializer_list<int> axes,
                            std::string type = "float32") {
  model::Tensor out{std::move(name), model::element_of(type), type, model::Axes{}};
  for (const int length : axes) {
    if (length < 0)
      out.axes->push_back({model::Axis::kAny, "batch"});
    else
      out.axes->push_back({static_cast<std::uint32_t>(length)});
  }
  return out;
}

/// L5Kit's planning model on a raster of 5 channels.
inline model::Signature planner() {
  return {{tensor("image", {-1, 5, 112, 112})},
          {tensor("positions", {-1, 12, 2}), tensor("yaws", {-1, 12, 1})}};
}

/// Settings whose text has format and version before `rest`.
inline model::Settings settings_of(std::string_view rest) {
  const std::string head = R"({"format": "bevscope-model", "version": 1)";
  return model::read_settings(head + std::string(rest) + "}", "model.json");
}

inline model::Contract bound(const model::Signature& signature,
                             model::Settings settings = {}) {
  return model::bind("model.onnx", signature, std::move(settings));
}

/// Returns the message of a refusal, or an empty text.
template <class Call>
std::string refusal_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline std::string refusal(const model::Signature& signature,
                           std::string_view settings = "") {
  return refusal_of([&] {
    bound(signature, settings.empty() ? model::Settings{} : settings_of(settings));
  });
}

}  // namespace bev::test
