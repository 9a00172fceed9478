#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/contract.hpp"
#include "core/model/inputs.hpp"
#include "core/model/outputs.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"

// Users' models: what they take, and what their outputs mean.

namespace bev::ops {

template <>
inline constexpr const char* kObjectName<model::Contract> = "ModelContract";

namespace {

/// What a model returned for a batch, and the poses of its subjects.
struct ModelOutputs {
  std::vector<double> positions;
  std::vector<std::uint32_t> positions_shape;
  std::vector<double> confidences;
  std::vector<std::uint32_t> confidences_shape;
  std::vector<double> yaws;
  std::vector<std::uint32_t> yaws_shape;
  std::vector<double> world_from_agent;
  std::vector<double> centroids;
  std::vector<double> headings;
};

}  // namespace

template <>
struct Members<ModelOutputs> {
  static void visit(const auto& visitor, auto& outputs) {
    visitor("positions", outputs.positions);
    visitor("positions_shape", outputs.positions_shape);
    visitor("confidences", outputs.confidences);
    visitor("confidences_shape", outputs.confidences_shape);
    visitor("yaws", outputs.yaws);
    visitor("yaws_shape", outputs.yaws_shape);
    visitor("world_from_agent", outputs.world_from_agent);
    visitor("centroids", outputs.centroids);
    visitor("headings", outputs.headings);
  }
};

namespace {

using model::Contract;

std::unique_ptr<Contract> bind_model(const std::string& name,
                                     const std::string& signature,
                                     const std::optional<std::string>& settings,
                                     const std::optional<std::string>& settings_name) {
  const auto where = settings_name.value_or("model.json");
  model::Settings read;
  if (settings) read = model::read_settings(*settings, where);
  return std::make_unique<Contract>(
      model::bind(name, model::read_signature(signature, name), std::move(read)));
}

std::string model_contract(Contract& contract) {
  return model::describe(contract);
}

std::string model_feeds(Contract& contract, const std::string& arrays, bool batched) {
  const auto found = model::read_arrays(arrays);
  return model::describe(model::feeds_of(contract, found, batched));
}

std::vector<float> normalised_input(Contract& contract, std::uint32_t input,
                                    std::span<const float> values,
                                    std::span<const std::uint32_t> shape) {
  return model::normalised(contract, input, values, shape);
}

model::Outputs outputs_in(const ModelOutputs& given) {
  return {{given.positions, given.positions_shape},
          {given.confidences, given.confidences_shape},
          {given.yaws, given.yaws_shape}};
}

model::Poses poses_in(const ModelOutputs& given) {
  return {given.world_from_agent, given.centroids, given.headings};
}

Outcome predicted_in_world(Contract& contract, ModelOutputs given) {
  auto found = model::in_world(contract, outputs_in(given), poses_in(given));
  return Outcome()
      .add("positions", std::move(found.positions))
      .add("yaws", std::move(found.yaws))
      .add("confidences", std::move(found.confidences))
      .add("modes", static_cast<double>(found.modes))
      .add("steps", static_cast<double>(found.steps));
}

Outcome predicted_records(Contract& contract, ModelOutputs given) {
  auto found = model::records_of(contract, outputs_in(given), poses_in(given));
  return Outcome()
      .add("coords", std::move(found.coords))
      .add("confidences", std::move(found.confidences))
      .add("modes", static_cast<double>(found.modes))
      .add("steps", static_cast<double>(found.steps));
}

Outcome first_steps(Contract& contract, ModelOutputs given) {
  auto found = model::first_steps(contract, outputs_in(given), poses_in(given));
  return Outcome()
      .add("positions", std::move(found.positions))
      .add("yaws", std::move(found.yaws));
}

constexpr std::array kModelOperations{
    operation<&bind_model, "name", "signature", "settings", "settings_name">(
        "bind_model", "",
        "binds inputs of a model to samples, recognizes its outputs: docs/models.md"),
    operation<&model_contract, "contract">("model_contract", "", "the same as JSON"),
    operation<&model_feeds, "contract", "arrays", "batched">(
        "model_feeds", "", "JSON: what feeds each input, from a sample's arrays"),
    operation<&normalised_input, "contract", "input", "values", "shape">(
        "normalised_input", "", "values of an input by the model's mean and std"),
    operation<&predicted_in_world, "contract">(
        "predicted_in_world",
        "positions <f8 (b, k, t, 2) m; yaws <f8 (b, k, t) rad; confidences <f8 (b, k); "
        "modes <f8; steps <f8",
        "a model's outputs for a batch, in the world"),
    operation<&predicted_records, "contract">(
        "predicted_records",
        "coords <f8 (b, k, t, 2) m; confidences <f8 (b, k); modes <f8; steps <f8",
        "a model's outputs for a batch as L5Kit's predictions: offsets from centroids"),
    operation<&first_steps, "contract">(
        "first_steps", "positions <f8 (b, 2) m; yaws <f8 (b) rad",
        "where a closed loop moves a batch, relative to its poses"),
};

}  // namespace

std::span<const Operation> model_operations() {
  return kModelOperations;
}

}  // namespace bev::ops
