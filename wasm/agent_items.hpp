#pragma once

#include <memory>

#include "core/scene/agent_index.hpp"

namespace bev::wasm {

/// The items of an agent data set: a JavaScript handle; samples may keep the index
/// alive longer.
struct AgentItems {
  std::shared_ptr<const scene::AgentIndex> index;
};

}  // namespace bev::wasm
