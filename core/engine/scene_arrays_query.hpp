#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/engine/query.hpp"
#include "core/engine/state.hpp"
#include "core/scene/scene_dataset.hpp"

namespace bev {

/// Reads one scene into memory, to be changed. Has no result arrays; take() returns the
/// scene once missing() is empty.
class SceneArraysQuery final : public Query {
 public:
  SceneArraysQuery(std::shared_ptr<EngineState> state, std::uint64_t scene)
      : Query(std::move(state), "scene " + std::to_string(scene)), number_(scene) {}

  std::uint64_t scene() const noexcept { return number_; }

  /// Returns the scene; may be called once.
  scene::SceneArrays take() { return std::move(scene_); }

 private:
  bool gather(store::Reader& reader) override {
    const auto* dataset = state().dataset(reader);
    return dataset != nullptr && scene_.read(reader, *dataset, number_);
  }
  void derive(ResultSet&) override {}

  std::uint64_t number_;
  scene::SceneDataset scene_;
};

}  // namespace bev
