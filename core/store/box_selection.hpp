#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/store/catalogue.hpp"
#include "core/zarr/region.hpp"

namespace bev::store {

/// What is taken of one axis, as NumPy's basic indexing has it: a slice, or one index,
/// which takes the axis out of the result. Negative numbers count from the end.
struct AxisSlice {
  std::optional<std::int64_t> begin = std::nullopt;
  std::optional<std::int64_t> end = std::nullopt;
  std::int64_t step = 1;
  std::optional<std::int64_t> index = std::nullopt;  ///< this alone, whatever the rest
};

/// The elements that a slice, which is cut to the axis, or an index takes of an axis.
///
/// @param axis    names the axis in messages: "grid: axis 1"
/// @throws Error  invalid_argument for a step of 0; out_of_range for an index outside
///                of the axis
/// Source: Python's slice.indices.
zarr::AxisRange range_of(const AxisSlice& slice, std::uint64_t length,
                         std::string_view axis);

/// A box of an array's elements.
struct BoxSelection {
  zarr::Box box;                   ///< a range for every axis
  std::vector<std::size_t> shape;  ///< of the result: without the axes of an index
  std::size_t count = 1;           ///< of elements

  /// @param slices  one an axis, those of the last axes may be left out
  /// @throws Error  as range_of; invalid_argument for more slices than axes;
  ///                out_of_memory for more elements than memory has addresses
  static BoxSelection of(const Array& array, std::span<const AxisSlice> slices);
};

}  // namespace bev::store
