#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/scene/dataset.hpp"

namespace bev::scene {

/// A scene, or a frame by its index in the whole dataset.
struct AgentScope {
  enum class Kind { scene, frame };
  Kind kind = Kind::scene;
  std::uint64_t number = 0;
};

/// Returns "scene 3" or "frame 17".
std::string to_string(const AgentScope& scope);

/// Returns the scope's rows of `frames`: the scene's, or the one frame. Nullopt and
/// errors as agents_of().
std::optional<Interval> frames_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope);

/// Returns the scope's rows of `agents`; nullopt while requests are pending.
///
/// @throws Error  out_of_range for a scene or frame that does not exist; corrupt_chunk
///                for invalid intervals
std::optional<Interval> agents_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope);

}  // namespace bev::scene
