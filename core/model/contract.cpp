#include "core/model/contract.hpp"

#include <utility>

#include "core/base/json_text.hpp"
#include "core/model/bind_inputs.hpp"
#include "core/model/bind_outputs.hpp"

namespace bev::model {
namespace {

using Count = std::optional<std::uint32_t>;

void put_name(JsonText& out, std::string_view what, const std::optional<Tensor>& of) {
  out.name(what);
  if (of)
    out.text(of->name);
  else
    out.null();
}

Count length_of(const Axes& axes, std::size_t axis) {
  return axes[axis].is_fixed() ? Count(axes[axis].length) : std::nullopt;
}

/// Returns number of modes, and steps, as far as the signature tells them.
std::pair<Count, Count> sizes_of(const Tensor& positions) {
  if (!positions.axes) return {};
  const auto& axes = *positions.axes;
  if (axes.size() == 4) return {length_of(axes, 1), length_of(axes, 2)};
  auto steps = length_of(axes, 1);
  if (axes.size() == 2 && steps) *steps /= 2;
  return {1, steps};
}

void put_inputs(JsonText& out, const Contract& contract) {
  out.name("inputs").open('[');
  for (const auto& input : contract.inputs) {
    const auto& [tensor, key, scale] = input;
    out.open('{').name("name").text(tensor.name).name("key").text(key->name);
    out.name("type").text(to_string(tensor.element));
    out.name("shape").text(tensor.axes ? text_of(*tensor.axes) : "...");
    out.name("scaled").flag(scale.has_value()).close('}');
  }
  out.close(']');
}

void put_outputs(JsonText& out, const Contract& contract) {
  out.name("outputs").open('{').name("positions").text(contract.positions.name);
  put_name(out, "confidences", contract.confidences);
  put_name(out, "yaws", contract.yaws);
  out.close('}');
  const auto [modes, steps] = sizes_of(contract.positions);
  out.name("modes").count(modes).name("steps").count(steps);
}

void put_settings(JsonText& out, const Settings& settings) {
  out.name("frame").text(to_string(settings.frame));
  out.name("units").number(settings.units);
  out.name("firstStep").count(std::uint64_t{settings.first_step});
  out.name("stepTime").number(settings.step_time);
  out.name("labels").open('[');
  for (const auto& label : settings.labels) out.text(label);
  out.close(']').name("maxAgents").count(std::uint64_t{settings.max_agents});
  out.name("config").json(settings.config.value_or("null"));
}

void put_assumed(JsonText& out, const Assumed& assumed) {
  out.name("assumed").open('{');
  out.name("history_num_frames").count(assumed.history_num_frames);
  out.name("future_num_frames").count(assumed.future_num_frames);
  out.name("width").count(assumed.width).name("height").count(assumed.height);
  out.close('}');
}

}  // namespace

std::string_view Contract::image() const noexcept {
  for (const auto& input : inputs) {
    if (input.key->name != "image") continue;
    return input.tensor.element == Element::uint8 ? "u8" : "f32";
  }
  return inputs.empty() && !vectorized ? "f32" : "none";
}

Contract bind(std::string_view name, const Signature& signature, Settings settings) {
  Contract out;
  out.name = name;
  out.settings = std::move(settings);
  bind_inputs(signature.inputs, out);
  bind_outputs(signature.outputs, out);
  return out;
}

std::string describe(const Contract& contract) {
  const auto& settings = contract.settings;
  JsonText out;
  out.open('{').name("name").text(settings.name.empty() ? contract.name
                                                        : settings.name);
  out.name("subject").text(to_string(settings.subjects));
  out.name("vectorized").flag(contract.vectorized).name("image").text(contract.image());
  out.name("readsFuture").flag(contract.reads_future);
  out.name("batch").count(contract.batch);
  put_inputs(out, contract);
  put_outputs(out, contract);
  put_settings(out, settings);
  put_assumed(out, contract.assumed);
  out.close('}');
  return std::move(out).take();
}

}  // namespace bev::model
