#include "core/model/bind_outputs.hpp"

#include <algorithm>
#include <string_view>

namespace bev::model {
namespace {

constexpr std::string_view kPositions[] = {"positions", "positions_all", "pred"};
constexpr std::string_view kConfidences[] = {"confidences", "probabilities", "logits",
                                             "scores"};

std::string listed(const std::vector<Tensor>& tensors) {
  std::string out;
  for (const auto& one : tensors) {
    if (!out.empty()) out += ", ";
    out += one.name + " " + text_of(one);
  }
  return out.empty() ? "none" : out;
}

const Tensor* find(const std::vector<Tensor>& outputs, std::string_view name) {
  const auto found = std::find_if(outputs.begin(), outputs.end(),
                                  [&](const Tensor& one) { return one.name == name; });
  return found == outputs.end() ? nullptr : &*found;
}

/// Returns the output that the settings name as `what`.
const Tensor* of_settings(const Contract& contract, const std::vector<Tensor>& outputs,
                          const std::optional<std::string>& name,
                          std::string_view what) {
  if (!name) return nullptr;
  if (const auto* found = find(outputs, *name)) return found;
  fail(Errc::invalid_argument,
       {contract.settings.where, ": outputs.", what, ": no such output (found ", *name,
        ", the model has ", listed(outputs), ")"});
}

bool is_pair(const Axis& axis) noexcept {
  return !axis.is_fixed() || axis.length == 2 || axis.length == 3;
}

/// Whether positions may have these axes: (B, T, 2 or 3), (B, K, T, 2 or 3), (B, 2 T).
bool may_be_positions(const Axes& axes) noexcept {
  if (axes.size() == 3 || axes.size() == 4) return is_pair(axes.back());
  return axes.size() == 2 &&
         (!axes[1].is_fixed() || (axes[1].length >= 2 && axes[1].length % 2 == 0));
}

/// Whether the shape alone tells that these are positions.
bool are_like_positions(const Tensor& one) noexcept {
  return is_float(one.element) && one.axes && one.axes->size() >= 3 &&
         one.axes->back().is_fixed() && may_be_positions(*one.axes);
}

bool are_flat_positions(const Tensor& one) noexcept {
  return is_float(one.element) && one.axes && one.axes->size() == 2 &&
         (*one.axes)[1].is_fixed() && may_be_positions(*one.axes);
}

template <class Test>
std::vector<const Tensor*> those(const std::vector<Tensor>& outputs, Test test) {
  std::vector<const Tensor*> out;
  for (const auto& one : outputs) {
    if (test(one)) out.push_back(&one);
  }
  return out;
}

[[noreturn]] void refuse_outputs(const Contract& contract,
                                 const std::vector<Tensor>& outputs,
                                 std::string_view problem) {
  fail(Errc::invalid_argument,
       {contract.name, ": outputs: ", problem, " (found ", listed(outputs),
        "; expected float32 (B, T, 2), (B, K, T, 2) or (B, 2 T); name them in ",
        contract.settings.where, ")"});
}

const Tensor& positions_of(const Contract& contract,
                           const std::vector<Tensor>& outputs) {
  const auto& named = contract.settings.outputs.positions;
  if (const auto* one = of_settings(contract, outputs, named, "positions")) return *one;
  for (const auto name : kPositions) {
    if (const auto* one = find(outputs, name)) return *one;
  }
  if (find(outputs, "agent_positions") != nullptr) {
    fail(Errc::unsupported, {contract.name,
                             ": outputs: positions of all agents of a scene are not "
                             "supported (found agent_positions; name the subject's in ",
                             contract.settings.where, ")"});
  }
  auto found = those(outputs, are_like_positions);
  if (found.empty()) found = those(outputs, are_flat_positions);
  if (found.empty()) refuse_outputs(contract, outputs, "no positions");
  if (found.size() > 1) refuse_outputs(contract, outputs, "several may be positions");
  return *found.front();
}

void check_positions(const Contract& contract, const Tensor& one) {
  if (is_float(one.element) && (!one.axes || may_be_positions(*one.axes))) return;
  fail(Errc::invalid_argument,
       {contract.name, ": output ", one.name, ": not positions (found ", text_of(one),
        ", expected float32 (B, T, 2), (B, K, T, 2) or (B, 2 T))"});
}

/// Whether axes may be confidences (B, K) of the positions' modes.
bool may_be_confidences(const Tensor& one, const Tensor& positions) noexcept {
  if (!is_float(one.element)) return false;
  if (!one.axes) return true;
  if (one.axes->size() != 2) return false;
  if (!positions.axes || positions.axes->size() != 4) return true;
  const auto& modes = (*positions.axes)[1];
  const auto& found = (*one.axes)[1];
  return !modes.is_fixed() || !found.is_fixed() || modes.length == found.length;
}

const Tensor* confidences_of(const Contract& contract,
                             const std::vector<Tensor>& outputs) {
  const auto& positions = contract.positions;
  const auto& named = contract.settings.outputs.confidences;
  const auto* found = of_settings(contract, outputs, named, "confidences");
  for (const auto name : kConfidences) {
    if (found == nullptr) found = find(outputs, name);
  }
  if (found == nullptr) {
    if (!positions.axes || positions.axes->size() != 4) return nullptr;
    const auto likely = those(outputs, [&](const Tensor& one) {
      return one.axes && may_be_confidences(one, positions);
    });
    return likely.size() == 1 ? likely.front() : nullptr;
  }
  if (may_be_confidences(*found, positions)) return found;
  fail(Errc::invalid_argument,
       {contract.name, ": output ", found->name, ": not confidences (found ",
        text_of(*found), ", expected float32 (B, K) for ", positions.name, " ",
        text_of(positions), ")"});
}

const Tensor* yaws_of(const Contract& contract, const std::vector<Tensor>& outputs) {
  const auto& positions = contract.positions;
  const auto& named = contract.settings.outputs.yaws;
  const auto* found = of_settings(contract, outputs, named, "yaws");
  if (found == nullptr)
    found = find(outputs, positions.name == "positions_all" ? "yaws_all" : "yaws");
  if (found == nullptr || is_float(found->element)) return found;
  fail(Errc::invalid_argument, {contract.name, ": output ", found->name,
                                ": not yaws (found ", text_of(*found), ")"});
}

std::optional<Tensor> copy_of(const Tensor* tensor) {
  return tensor == nullptr ? std::nullopt : std::optional(*tensor);
}

}  // namespace

void bind_outputs(const std::vector<Tensor>& outputs, Contract& contract) {
  contract.positions = positions_of(contract, outputs);
  check_positions(contract, contract.positions);
  contract.confidences = copy_of(confidences_of(contract, outputs));
  contract.yaws = copy_of(yaws_of(contract, outputs));
  if (contract.settings.config || !contract.positions.axes) return;
  const auto& axes = *contract.positions.axes;
  const auto& steps = axes[axes.size() == 4 ? 2 : 1];
  if (!steps.is_fixed()) return;
  contract.assumed.future_num_frames =
      axes.size() == 2 ? steps.length / 2 : steps.length;
}

}  // namespace bev::model
