#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/store/box_selection.hpp"
#include "core/zarr/assignment.hpp"

namespace bev::store {

/// Elements of an array to read or to change, and the shape of their values.
///
/// Throws  as BoxSelection::of(); out_of_range for rows outside the array;
///         invalid_argument for rows of an array without axes. `name` is the array's, for
///         messages
struct TargetSelection {
  zarr::Target target;
  std::vector<std::size_t> shape;

  static TargetSelection box(std::string_view name,
                             std::span<const std::uint64_t> lengths,
                             std::span<const AxisSlice> slices);

  /// @param rows  not negative, in any order
  static TargetSelection list(std::string_view name,
                              std::span<const std::uint64_t> lengths,
                              std::span<const std::int64_t> rows);
};

}  // namespace bev::store
