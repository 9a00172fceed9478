#pragma once

#include <bevscope/dataset.hpp>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/store/box_selection.hpp"

namespace bev::library {

/// Returns the fields of a dtype: "<f8" or [["centroid", "<f8", [2]], ...].
std::vector<FieldInfo> fields_of(const nlohmann::json& dtype);

/// Returns the slices of a box, one per axis.
std::vector<store::AxisSlice> slices_of(const Box& box);

}  // namespace bev::library
