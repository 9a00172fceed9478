#pragma once

#include <memory>

#include "core/engine/engine.hpp"
#include "core/engine/map_query.hpp"
#include "core/engine/query.hpp"
#include "core/map/aerial_image.hpp"
#include "core/ops/objects.hpp"
#include "core/scene/agent_index.hpp"

namespace bev::ops {

/// An image that samples may keep alive longer.
struct Aerial {
  std::shared_ptr<map::AerialImage> image;
};

/// The items of an agent data set, likewise.
struct AgentItems {
  std::shared_ptr<const scene::AgentIndex> index;
};

template <>
inline constexpr const char* kObjectName<Engine> = "Engine";
template <>
inline constexpr const char* kObjectName<Query> = "Query";
template <>
inline constexpr const char* kObjectName<MapQuery> = "Map";
template <>
inline constexpr const char* kObjectName<Aerial> = "Aerial";
template <>
inline constexpr const char* kObjectName<AgentItems> = "AgentItems";

}  // namespace bev::ops
