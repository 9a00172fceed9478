#pragma once

#include <string>

#include "core/ops/dispatcher.hpp"

namespace bev::ops {

/// Returns the table as JSON: [{"name", "meaning", "arguments": [{"name", "kind",
/// "required"}], "result", "results"}]. Not in the wasm modules.
std::string describe(Dispatcher::Groups groups);

}  // namespace bev::ops
