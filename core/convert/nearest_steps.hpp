#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bev::convert {

/// Returns, for each of `frames` steps, the index of the nearest known step; of two, that
/// of the earlier.
///
/// @param known  by increasing step, at least one
std::vector<std::size_t> nearest_steps(std::span<const std::size_t> known,
                                       std::size_t frames);

}  // namespace bev::convert
