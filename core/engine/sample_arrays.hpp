#pragma once

#include <array>
#include <span>

#include "core/engine/result_array.hpp"
#include "core/engine/result_set.hpp"
#include "core/sample/sample.hpp"

namespace bev {

/// Adds a sample's arrays to `out`, named and ordered as in L5Kit.
///
/// @param image         inserted after frame_index unless its name is empty
/// @param agent_extent  receives the agent's extent as float32
/// Lifetime  The arrays point into `sample`, `image` and `agent_extent`.
void emit_sample(const sample::Sample& sample, const ResultArray& image,
                 std::array<float, 3>& agent_extent, ResultSet& out);

}  // namespace bev
