#include "include/bevscope/model.hpp"

#include <utility>

#include "core/model/contract.hpp"
#include "core/model/inputs.hpp"
#include "core/model/outputs.hpp"

namespace bev {
namespace {

model::Outputs outputs_of(const ModelAnswer& answer) {
  const auto values = [](const ModelValues& of) {
    return model::Values{of.data, of.shape};
  };
  return {values(answer.positions), values(answer.confidences),
          values(answer.relative_yaws)};
}

model::Poses poses_of(const ModelAnswer& answer) {
  return {answer.world_from_agent, answer.centroids, answer.yaws};
}

}  // namespace

ModelContract::ModelContract(std::string_view name, std::string_view signature,
                             const std::optional<std::string>& settings,
                             std::string_view settings_name) {
  model::Settings read;
  if (settings) read = model::read_settings(*settings, settings_name);
  contract_ = std::make_shared<const model::Contract>(
      model::bind(name, model::read_signature(signature, name), std::move(read)));
}

std::string ModelContract::json() const {
  return model::describe(*contract_);
}

std::string ModelContract::feeds(std::string_view arrays, bool batched) const {
  const auto found = model::read_arrays(arrays);
  return model::describe(model::feeds_of(*contract_, found, batched));
}

std::vector<float> ModelContract::normalised(
    std::size_t input, std::span<const float> values,
    std::span<const std::uint32_t> shape) const {
  return model::normalised(*contract_, input, values, shape);
}

PredictedFutures ModelContract::in_world(const ModelAnswer& answer) const {
  auto found = model::in_world(*contract_, outputs_of(answer), poses_of(answer));
  return {found.modes, found.steps, std::move(found.positions), std::move(found.yaws),
          std::move(found.confidences)};
}

ModelSteps ModelContract::first_steps(const ModelAnswer& answer) const {
  auto found = model::first_steps(*contract_, outputs_of(answer), poses_of(answer));
  return {std::move(found.positions), std::move(found.yaws)};
}

}  // namespace bev
