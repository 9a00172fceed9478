#include "core/model/bind_inputs.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/nearest_name.hpp"

namespace bev::model {
namespace {

constexpr std::uint32_t kMapChannels = 3;

[[noreturn]] void refuse_input(const Contract& contract, const Tensor& input,
                               Message problem) {
  fail_at(Errc::invalid_argument, contract.name + ": input " + input.name, problem);
}

/// Returns the keys whose batches an input may have.
std::string keys_of_shape(const Tensor& input) {
  std::string out;
  for (const auto& key : sample_keys()) {
    const bool fits = input.axes && admits(key, *input.axes);
    if (!fits || !converts(key, input.element)) continue;
    if (!out.empty()) out += ", ";
    out += key.name;
  }
  return out.empty() ? "none" : out;
}

const SampleKey* key_of_settings(const Contract& contract, const std::string& input) {
  const auto& settings = contract.settings;
  const auto given = settings.inputs.find(input);
  if (given == settings.inputs.end()) return nullptr;
  if (const auto* key = find_key(given->second)) return key;
  std::vector<std::string_view> names;
  for (const auto& key : sample_keys()) names.push_back(key.name);
  const auto nearest = nearest_name(given->second, names);
  const std::string hint =
      nearest.empty() ? "" : " (did you mean " + std::string(nearest) + "?)";
  fail(Errc::invalid_argument,
       {settings.where, ": inputs.", input, ": unknown key ", given->second, hint});
}

bool is_image_like(const Tensor& input) {
  const bool has_type = is_float(input.element) || input.element == Element::uint8;
  return has_type && input.axes && input.axes->size() == 4;
}

/// Returns the key of an input: that of the settings, of its name, or the image's if it is
/// the only input that could be one.
const SampleKey* key_of(const Contract& contract, const std::vector<Tensor>& inputs,
                        const Tensor& input) {
  if (const auto* key = key_of_settings(contract, input.name)) return key;
  if (const auto* key = find_key(input.name)) return key;
  const auto is_free = [&](const Tensor& one) {
    return is_image_like(one) && find_key(one.name) == nullptr &&
           !contract.settings.inputs.contains(one.name);
  };
  const auto is_image = [&](const Tensor& one) {
    const auto* const key = key_of_settings(contract, one.name);
    return key != nullptr ? key->name == "image" : one.name == "image";
  };
  const bool is_only = is_free(input) &&
                       std::count_if(inputs.begin(), inputs.end(), is_free) == 1 &&
                       std::none_of(inputs.begin(), inputs.end(), is_image);
  if (is_only) return find_key("image");
  refuse_input(contract, input,
               {"unknown (found ", text_of(input),
                "; known keys of this shape: ", keys_of_shape(input),
                "; name its key in ", contract.settings.where, ")"});
}

void check_fit(const Contract& contract, const Tensor& input, const SampleKey& key) {
  if (!converts(key, input.element)) {
    refuse_input(contract, input,
                 {"type does not match (found ", text_of(input), ", expected ",
                  to_string(key.element), " for ", key.name, ")"});
  }
  if (!input.axes || admits(key, *input.axes)) return;
  refuse_input(contract, input,
               {"shape does not match (found ", text_of(*input.axes), ", expected ",
                shape_text(key), " for ", key.name, ")"});
}

std::optional<Scale> scale_of(const Contract& contract, const Tensor& input) {
  const auto& settings = contract.settings;
  const auto given = settings.scale.find(input.name);
  if (given == settings.scale.end()) return std::nullopt;
  if (is_float(input.element)) return given->second;
  fail(Errc::invalid_argument, {settings.where, ": scale.", input.name,
                                ": not a float input (found ", text_of(input), ")"});
}

/// Refuses settings of inputs that the model lacks.
template <class Map>
void check_named(const Contract& contract, const Map& named, std::string_view what,
                 const std::vector<Tensor>& inputs) {
  for (const auto& entry : named) {
    const auto& name = entry.first;
    const auto is_it = [&](const Tensor& one) { return one.name == name; };
    if (std::any_of(inputs.begin(), inputs.end(), is_it)) continue;
    std::string found;
    for (const auto& one : inputs) found += (found.empty() ? "" : ", ") + one.name;
    fail(Errc::invalid_argument,
         {contract.settings.where, ": ", what, ".", name,
          ": no such input (the model has ", found.empty() ? "none" : found, ")"});
  }
}

void bind_form(Contract& contract) {
  using Form = SampleKey::Form;
  const SampleKey* raster = nullptr;
  const SampleKey* vector = nullptr;
  for (const auto& input : contract.inputs) {
    if (input.key->form == Form::raster) raster = input.key;
    if (input.key->form == Form::vector) vector = input.key;
    contract.reads_future = contract.reads_future || input.key->is_future();
  }
  if (raster != nullptr && vector != nullptr) {
    fail(Errc::invalid_argument, {contract.name, ": inputs: ", raster->name,
                                  " is a key of rasterized samples only, ",
                                  vector->name, " one of vectorized samples"});
  }
  contract.vectorized = contract.settings.vectorized.value_or(vector != nullptr);
  const auto* const other = contract.vectorized ? raster : vector;
  if (other == nullptr) return;
  fail(Errc::invalid_argument,
       {contract.settings.where, ": vectorized: ", other->name, " is a key of ",
        contract.vectorized ? "rasterized" : "vectorized", " samples only"});
}

void bind_batch(Contract& contract) {
  for (const auto& input : contract.inputs) {
    if (!input.tensor.axes || input.tensor.axes->empty()) continue;
    const auto& axis = input.tensor.axes->front();
    if (!axis.is_fixed()) continue;
    if (axis.length == 0 || (contract.batch && *contract.batch != axis.length)) {
      refuse_input(contract, input.tensor,
                   {"size of the batch (found ", axis.length, ", expected ",
                    contract.batch ? *contract.batch : 1, ")"});
    }
    contract.batch = axis.length;
  }
}

/// Sets `to`, or clears `fits` if it has another value.
void agree(std::optional<std::uint32_t>& to, std::uint32_t value, bool& fits) {
  if (to && *to != value) fits = false;
  to = value;
}

/// Returns what the fixed axes say of the config: an image has a channel for agents and
/// one for the ego vehicle in each of H + 1 frames, and three of the map.
Assumed assumed_of(const Contract& contract) {
  Assumed out;
  bool fits = true;
  for (const auto& [tensor, key, scale] : contract.inputs) {
    if (!tensor.axes || tensor.axes->size() < 2) continue;
    const auto& first = (*tensor.axes)[1];
    if (key->name == "image") {
      const auto& axes = *tensor.axes;
      if (axes[2].is_fixed()) out.height = axes[2].length;
      if (axes[3].is_fixed()) out.width = axes[3].length;
      if (!first.is_fixed()) continue;
      const auto frames = first.length < kMapChannels ? 0 : first.length - kMapChannels;
      if (frames < 2 || frames % 2 != 0)
        fits = false;
      else
        agree(out.history_num_frames, frames / 2 - 1, fits);
    } else if (first.is_fixed() && first.length > 0 && key->is_own_history()) {
      agree(out.history_num_frames, first.length - 1, fits);
    }
  }
  if (!fits) out.history_num_frames.reset();
  return out;
}

}  // namespace

void bind_inputs(const std::vector<Tensor>& inputs, Contract& contract) {
  check_named(contract, contract.settings.inputs, "inputs", inputs);
  check_named(contract, contract.settings.scale, "scale", inputs);
  for (const auto& input : inputs) {
    const auto* const key = key_of(contract, inputs, input);
    check_fit(contract, input, *key);
    contract.inputs.push_back({input, key, scale_of(contract, input)});
  }
  bind_form(contract);
  bind_batch(contract);
  if (!contract.settings.config) contract.assumed = assumed_of(contract);
}

}  // namespace bev::model
