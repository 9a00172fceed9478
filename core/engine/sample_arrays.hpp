#pragma once

#include <array>
#include <span>

#include "core/engine/result_array.hpp"
#include "core/engine/result_set.hpp"
#include "core/sample/sample.hpp"

namespace bev {

/// A sample as named arrays, in L5Kit's order.
///
/// @param image         given after frame_index, unless its name is empty
/// @param agent_extent  where an agent's extent goes, as float32
/// Lifetime  The arrays point into `sample`, `image` and `agent_extent`.
void emit_sample(const sample::Sample& sample, const ResultArray& image,
                 std::array<float, 3>& agent_extent, ResultSet& out);

}  // namespace bev
