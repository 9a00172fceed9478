#pragma once

#include <string_view>
#include <vector>

#include "core/store/box_selection.hpp"

namespace bev::native {

/// Reads what is taken of each axis, as it stands between NumPy's brackets:
/// "0,::-1,3:".
///
/// @throws cli::UsageError for anything else
std::vector<store::AxisSlice> parse_axis_slices(std::string_view text);

}  // namespace bev::native
