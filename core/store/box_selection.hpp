#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/zarr/box.hpp"
#include "core/zarr/dtype.hpp"

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

  /// @param name     of the array, for messages
  /// @param lengths  of the axes
  /// @param slices   one per axis; trailing axes may be omitted
  /// @param first    number of the first axis, for messages
  /// @throws Error  as range_of; invalid_argument for more slices than axes;
  ///                limit_exceeded if the element count exceeds the address space
  static BoxSelection of(std::string_view name, std::span<const std::uint64_t> lengths,
                         std::span<const AxisSlice> slices, std::size_t first = 0);

  /// Copies the selected elements of values with axes of their own, such as those of a
  /// field with a shape.
  ///
  /// @param values  of `type`, whose shape has the selection's axes
  /// @param out     the elements of all values, in C order
  void copy_elements(const zarr::DType& type, std::span<const std::byte> values,
                     std::span<std::byte> out) const;
};

}  // namespace bev::store
