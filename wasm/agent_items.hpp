#pragma once

#include <memory>

#include "core/scene/agent_index.hpp"

namespace bev::wasm {

/// The items of an agent data set, as JavaScript holds them; samples may hold them
/// longer.
struct AgentItems {
  std::shared_ptr<const scene::AgentIndex> index;
};

}  // namespace bev::wasm
