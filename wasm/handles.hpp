#pragma once

#include <memory>

#include "core/map/aerial_image.hpp"
#include "core/scene/agent_index.hpp"

namespace bev::wasm {

/// JavaScript handles of objects that samples may keep alive longer.
struct Aerial {
  std::shared_ptr<map::AerialImage> image;
};

/// The items of an agent data set.
struct AgentItems {
  std::shared_ptr<const scene::AgentIndex> index;
};

}  // namespace bev::wasm
