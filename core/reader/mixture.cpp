#include "core/reader/mixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/reader/hash.hpp"
#include "core/reader/json_members.hpp"

namespace bev::reader {
namespace {

using nlohmann::json;
using zarr::JsonView;

constexpr Names<OnExhausted, 3> kRules{{{"stop", OnExhausted::stop},
                                        {"renormalise", OnExhausted::renormalise},
                                        {"restart", OnExhausted::restart}}};

constexpr auto kMaxSeed = std::uint64_t{1} << 53;

json to_json(const MixtureOptions& options) {
  return {{"weights", options.weights},
          {"seed", options.seed},
          {"on_exhausted", name_of(kRules, options.on_exhausted)}};
}

}  // namespace

MixtureOptions mixture_from_json(std::string_view text) {
  static constexpr std::array<std::string_view, 3> kKnown{"weights", "seed",
                                                          "on_exhausted"};
  const auto tree = parsed_json(text, "mix", MixtureOptions::kMaxBytes);
  const Members members(tree, "mix", kKnown);
  MixtureOptions out;
  const auto weights = members["weights"];
  if (!weights.is_list()) fail_value("mix.weights", weights, "a list of numbers");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto weight = weights.at(i).number();
    if (!weight) fail_value("mix.weights", weights.at(i), "a number");
    out.weights.push_back(*weight);
  }
  members.count("seed", out.seed, 0, kMaxSeed);
  members.choice("on_exhausted", out.on_exhausted, kRules);
  return out;
}

Mixture::Mixture(MixtureOptions options) : options_(std::move(options)) {
  const auto& weights = options_.weights;
  if (weights.empty() || weights.size() > MixtureOptions::kMaxReaders) {
    fail(Errc::invalid_argument,
         {"mix: wrong number of readers (found ", size(), ", expected 1 to ",
          MixtureOptions::kMaxReaders, ")"});
  }
  for (const auto weight : weights) {
    if (weight > 0 && std::isfinite(weight)) continue;
    fail(Errc::invalid_argument,
         {"mix: weights must be positive (found ", python_repr(weight), ")"});
  }
  if (!std::isfinite(std::accumulate(weights.begin(), weights.end(), 0.0))) {
    fail(Errc::limit_exceeded, {"mix: the sum of the weights is too large"});
  }
  reset();
}

std::optional<std::size_t> Mixture::choice() const noexcept {
  if (open_.empty()) return std::nullopt;
  double total = 0;
  for (const auto i : open_) total += options_.weights[i];
  auto rest = unit_of(mixed(mixed(options_.seed) ^ step_)) * total;
  for (const auto i : open_) {
    rest -= options_.weights[i];
    if (rest < 0) return i;
  }
  return open_.back();  // after rounding
}

void Mixture::took() noexcept {
  ++step_;
  restarted_ = false;
}

void Mixture::exhausted() {
  const auto chosen = choice();
  if (!chosen) return;
  switch (options_.on_exhausted) {
    case OnExhausted::stop: open_.clear(); break;
    case OnExhausted::renormalise:
      open_.erase(std::find(open_.begin(), open_.end(), *chosen));
      break;
    case OnExhausted::restart:
      if (std::exchange(restarted_, true)) {
        fail(Errc::invalid_argument, {"mix: reader ", *chosen, " has no items"});
      }
  }
}

void Mixture::reset() noexcept {
  open_.resize(size());
  std::iota(open_.begin(), open_.end(), std::size_t{0});
  step_ = 0;
  restarted_ = false;
}

struct Mixture::State {
  std::uint64_t step;
  std::vector<std::size_t> open;
  std::vector<std::string> readers;
};

std::string Mixture::state_json(std::span<const std::string> readers) const {
  auto out = to_json(options_);
  out["version"] = 1;
  out["step"] = step_;
  out["open"] = open_;
  out["readers"] = std::vector<std::string>(readers.begin(), readers.end());
  return out.dump();
}

Mixture::State Mixture::parsed_state(std::string_view text) const {
  const auto tree = parsed_json(text, "mix: state", kMaxStateBytes);
  const JsonView state(tree);
  const auto bad = [] { fail(Errc::invalid_argument, {"mix: not a mixture's state"}); };
  if (!state["version"].is(1)) bad();
  const auto own = to_json(options_);
  for (const auto& [name, expected] : own.items()) {
    const auto found = state[name];
    if (found && found.json() == expected) continue;
    fail(Errc::invalid_argument, {"mix: state belongs to another mixture (found ", name,
                                  " ", found.dump().substr(0, 200), ", expected ",
                                  expected.dump().substr(0, 200), ")"});
  }
  const auto step = state["step"].count();
  const auto open = state["open"];
  const auto readers = state["readers"];
  if (!step || !open.is_list() || open.size() > size() || !readers.is_list() ||
      readers.size() != size()) {
    bad();
  }
  State out{*step, {}, {}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto reader = open.at(i).count();
    if (!reader || *reader >= size()) bad();
    if (!out.open.empty() && *reader <= out.open.back()) bad();
    out.open.push_back(static_cast<std::size_t>(*reader));
  }
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const auto one = readers.at(i).text();
    if (!one) bad();
    out.readers.emplace_back(*one);
  }
  return out;
}

std::vector<std::string> Mixture::reader_states(std::string_view state) const {
  return parsed_state(state).readers;
}

void Mixture::restore(std::string_view state) {
  auto found = parsed_state(state);
  step_ = found.step;
  open_ = std::move(found.open);
  restarted_ = false;
}

}  // namespace bev::reader
