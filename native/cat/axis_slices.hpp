#pragma once

#include <string_view>
#include <vector>

#include "core/store/box_selection.hpp"

namespace bev::native {

/// Parses a selection per axis, as in NumPy's brackets: "0,::-1,3:".
///
/// Throws  cli::UsageError for invalid syntax
std::vector<store::AxisSlice> parse_axis_slices(std::string_view text);

}  // namespace bev::native
