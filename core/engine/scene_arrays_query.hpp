#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/engine/query.hpp"
#include "core/engine/state.hpp"
#include "core/scene/scene_dataset.hpp"

namespace bev {

/// Reads one scene into memory, to be changed. Has no result arrays. Once missing() is
/// empty, take() returns the scene, or build() passes it to a receiver.
class SceneArraysQuery final : public Query {
 public:
  SceneArraysQuery(std::shared_ptr<EngineState> state, std::uint64_t scene)
      : Query(std::move(state), "scene " + std::to_string(scene)), number_(scene) {}

  std::uint64_t scene() const noexcept { return number_; }

  /// Returns the scene; may be called once.
  scene::SceneArrays take() { return std::move(scene_); }

  using Receiver = std::function<void(scene::SceneArrays)>;

  /// Has build() pass the scene; it may then be called once.
  void give_to(Receiver receiver) { receiver_ = std::move(receiver); }

 private:
  bool gather(store::Reader& reader) override {
    const auto* dataset = state().dataset(reader);
    return dataset != nullptr && scene_.read(reader, *dataset, number_);
  }
  void derive(ResultSet&) override {
    if (receiver_) receiver_(take());
  }

  std::uint64_t number_;
  scene::SceneDataset scene_;
  Receiver receiver_;
};

}  // namespace bev
