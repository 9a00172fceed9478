#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/store/catalogue.hpp"
#include "core/zarr/box.hpp"

namespace bev::store {

/// Selection along one axis, with the semantics of NumPy's basic indexing: a slice, or
/// an index, which drops the axis. Negative numbers count from the end.
struct AxisSlice {
  std::optional<std::int64_t> begin = std::nullopt;
  std::optional<std::int64_t> end = std::nullopt;
  std::int64_t step = 1;
  std::optional<std::int64_t> index = std::nullopt;  ///< if set, the slice is ignored
};

/// Resolves a selection along an axis of `length` elements. Slices are clamped to the
/// axis.
///
/// @param axis    name of the axis in messages: "grid: axis 1"
/// @throws Error  invalid_argument for a step of 0; out_of_range for an index outside
///                the axis; limit_exceeded for a length above 2^63 - 1
/// Reference  Python's slice.indices.
zarr::AxisRange range_of(const AxisSlice& slice, std::uint64_t length,
                         std::string_view axis);

/// A box of array elements.
struct BoxSelection {
  zarr::Box box;                   ///< one range per axis
  std::vector<std::size_t> shape;  ///< of the result: axes selected by an index are
                                   ///< dropped
  std::size_t count = 1;           ///< number of elements

  /// @param slices  one per axis; trailing axes may be omitted
  /// @throws Error  as range_of; invalid_argument for more slices than axes;
  ///                limit_exceeded if the element count exceeds the address space
  static BoxSelection of(const Array& array, std::span<const AxisSlice> slices);
};

}  // namespace bev::store
