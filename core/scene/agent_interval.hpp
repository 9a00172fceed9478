#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/scene/dataset.hpp"

namespace bev::scene {

/// A scene, or a frame by its index in the whole data set.
struct AgentScope {
  enum class Kind { scene, frame };
  Kind kind = Kind::scene;
  std::uint64_t number = 0;
};

/// "scene 3", "frame 17".
std::string to_string(const AgentScope& scope);

/// The rows of `frames` that belong to it: those of the scene, or the one. The same
/// result and errors as agents_of().
std::optional<Interval> frames_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope);

/// The rows of `agents` that belong to it; nullopt while chunks are wanted.
///
/// @throws Error  out_of_range for a scene or a frame that is not there; corrupt_chunk
///                for intervals that cannot be
std::optional<Interval> agents_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope);

}  // namespace bev::scene
