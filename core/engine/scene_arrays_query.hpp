#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/engine/query.hpp"
#include "core/engine/result_set.hpp"
#include "core/engine/state.hpp"
#include "core/scene/columns.hpp"
#include "core/scene/scene_dataset.hpp"

namespace bev {

/// Reads one scene into memory. Once missing() is empty, take() returns the scene to be
/// changed; build() passes it to a receiver, or without one returns its arrays.
///
/// Result  n frames: timestamp, agent_index_interval, ego_translation and ego_rotation;
///         their m agents: the fields of `agents`. The intervals count from 0.
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
  void derive(ResultSet& results) override {
    if (receiver_) {
      receiver_(take());
      return;
    }
    const auto& frames = scene_.frames;
    const auto& agents = scene_.agents;
    results.add("timestamp", "<i8", frames.timestamp);
    results.add("agent_index_interval", "<i8", frames.agent_index_interval, {2});
    results.add("ego_translation", "<f8", frames.ego_translation, {3});
    results.add("ego_rotation", "<f8", frames.ego_rotation, {3, 3});
    results.add("centroid", "<f8", agents.centroid, {2});
    results.add("extent", "<f4", agents.extent, {3});
    results.add("yaw", "<f4", agents.yaw);
    results.add("velocity", "<f4", agents.velocity, {2});
    results.add("track_id", "<u8", agents.track_id);
    results.add("label_probabilities", "<f4", agents.label_probabilities,
                {scene::kLabelCount});
  }

  std::uint64_t number_;
  scene::SceneDataset scene_;
  Receiver receiver_;
};

}  // namespace bev
